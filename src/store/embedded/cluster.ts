/**
 * The folder of the embedded database. It comes about whole or not at all: `initdb` works in a folder
 * beside it, which is then renamed, so that a crash half-way leaves nothing that a start could trip over
 * and of two starts at once one wins.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Host } from "../../runtime/host.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { syncFolder } from "../../runtime/sync-folder.ts";
import type { Binaries } from "./binaries.ts";
import { admissionFiles, boathookConf, POSTGRESQL_CONF } from "./settings.ts";
import { canEnter, changeOwner, systemUserName, type SystemUser } from "./user.ts";

/** What starting PostgreSQL on a folder takes. */
export type Installation = {
  readonly binaries: Binaries;
  /** Null: our own. */
  readonly user: SystemUser | null;
  /** The database's folder, `<dataFolder>/postgres`. */
  readonly folder: string;
  readonly host: Host;
  /** Settings of PostgreSQL that differ from ours; for tests. */
  readonly settings: Readonly<Record<string, string>>;
};

const DRAFT_FOLDER = /^postgres-new-(\d+)-/;

/** The superuser of the embedded database. */
export const DATABASE_USER = "boathook";

/** A file in the data folder: what else is there is half restored. */
export const UNFINISHED_RESTORE = "restore.unfinished";

/** Throws `StartupError` for a folder whose restore was killed. */
export function requireRestored(dataFolder: string): void {
  if (!existsSync(join(dataFolder, UNFINISHED_RESTORE))) return;
  throw new StartupError(
    `A restore into ${dataFolder} did not end. Run boathook restore again: it begins from the start.`,
  );
}

/** Whether a data folder has our database: complete, running or not. */
export function hasCluster(dataFolder: string): boolean {
  return existsSync(join(dataFolder, "postgres", "PG_VERSION"));
}

/** Makes the database's folder unless it is there. Throws `StartupError` when it cannot be used. */
export async function prepareCluster(installation: Installation): Promise<{ readonly made: boolean }> {
  const { folder, binaries, user, host } = installation;
  clearUnfinished(dirname(folder), host);
  const made = !existsSync(join(folder, "PG_VERSION"));
  if (made) {
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw new StartupError(`${folder} is not empty and holds no database. Move it away, then start again.`);
    }
    await initialise(installation);
  }
  const major = Number.parseInt(readFileSync(join(folder, "PG_VERSION"), "utf8"), 10);
  if (major !== binaries.major) {
    throw new StartupError(
      `The database in ${folder} was made by PostgreSQL ${major}, and this Boathook carries ${binaries.major}. ` +
        "Move the data over with pg_dump and pg_restore (docs/operations.md), or run the Boathook it was made by.",
    );
  }
  if (statSync(folder).uid === 0) changeOwner(user, folder);
  return { made };
}

/** Writes `boathook.conf` and who is admitted. Harmless while PostgreSQL runs: it reads the files when it starts. */
export function writeSettings({ folder, user, host, settings }: Installation): void {
  const users = ["root", systemUserName(user ?? host)];
  const files = { "boathook.conf": boathookConf(settings), ...admissionFiles(users) };
  for (const [name, text] of Object.entries(files)) {
    const draft = join(folder, `${name}.${host.pid}`);
    rmSync(draft, { force: true });
    // Never through a link: the folder is another user's, and we may be root.
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    changeOwner(user, draft);
    renameSync(draft, join(folder, name));
  }
}

async function initialise(installation: Installation): Promise<void> {
  const { folder, user, host } = installation;
  const parent = dirname(folder);
  const draft = mkdtempSync(join(parent, `postgres-new-${host.pid}-`));
  ownDrafts.add(draft);
  try {
    changeOwner(user, draft);
    await initdb(installation, draft);
    writeFileSync(join(draft, "postgresql.conf"), POSTGRESQL_CONF);
    writeSettings({ ...installation, folder: draft });
    syncFolder(draft);
    renameSync(draft, folder);
    syncFolder(parent);
  } catch (cause) {
    // The other of two starts was first: its folder is as good as ours.
    if (!existsSync(join(folder, "PG_VERSION"))) throw cause;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function initdb({ binaries, user, host }: Installation, draft: string): Promise<void> {
  const options = [
    "--username",
    DATABASE_USER,
    "--auth-local",
    "peer",
    "--auth-host",
    "reject",
    "--encoding",
    "UTF8",
    "--no-locale",
    // A thousand files one by one take longer than all the rest of initdb.
    ...(host.hasReliableSync ? ["--sync-method=syncfs"] : []),
  ];
  const child = spawn(
    join(binaries.folder, "bin", "initdb"),
    ["--pgdata", pathFor(user, draft), "--no-instructions", ...options],
    { ...user, cwd: draft, env: environmentOf(binaries), stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-STDERR_LENGTH_MAX);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on("close", resolve).on("error", reject);
  const status = await promise.catch((cause: Error) => {
    throw new StartupError(`A database cannot be made in ${dirname(draft)}: ${cause.message}`, {
      cause,
    });
  });
  if (status === 0) return;
  throw new StartupError(`A database cannot be made in ${dirname(draft)}: initdb said\n${said.trim()}`);
}

const STDERR_LENGTH_MAX = 2000;

/** Not our environment: PGDATA, PGOPTIONS and the like would change what the programs do. */
export function environmentOf({ folder, libraries }: Binaries): Readonly<Record<string, string>> {
  const standard = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  if (libraries === null) return standard;
  // A library that was found by a link looks for the others beside the link.
  const path = `${libraries}:${join(folder, "lib")}`;
  return { ...standard, LD_LIBRARY_PATH: path, DYLD_LIBRARY_PATH: path };
}

/**
 * The folder as PostgreSQL is to call it. A user who cannot enter the folders above it is put into it
 * by root, and calls it by the one name that still works for him.
 */
export function pathFor(user: SystemUser | null, folder: string): string {
  if (canEnter(user, folder)) return folder;
  if (existsSync("/proc/self/cwd")) return "/proc/self/cwd";
  throw new StartupError(
    `The user with number ${user?.uid}, as whom PostgreSQL runs for root, cannot reach ${folder}. ` +
      "Choose another folder with BOATHOOK_DATA_DIR, or start Boathook as an ordinary user.",
  );
}

/** The drafts of this process. In a container the process that died half-way often had our number. */
const ownDrafts = new Set<string>();

/** Removes what starts that died half-way have left; an initdb may outlive them, so any start may find some. */
function clearUnfinished(parent: string, host: Host): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(DRAFT_FOLDER.exec(name)?.[1] ?? Number.NaN);
    const draft = join(parent, name);
    const abandoned = pid === host.pid ? !ownDrafts.has(draft) : pid > 0 && !isAlive(pid);
    if (abandoned) rmSync(draft, { recursive: true, force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
