import { spawnSync } from "node:child_process";
import { chmodSync, constants, cpSync, existsSync, lchownSync, lstatSync, mkdtempSync } from "node:fs";
import { readFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { makeFolder } from "../../runtime/make-folder.ts";
import type { Host } from "../../runtime/host.ts";
import type { Log } from "../../runtime/log.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import type { Binaries } from "./binaries.ts";

/** An unprivileged user of this machine. */
export type SystemUser = { readonly uid: number; readonly gid: number };

/** Users that may run PostgreSQL for root, the best first. */
const CANDIDATES = ["boathook", "postgres", "nobody"];

/** Where root keeps programs for users that cannot reach the project's folder: the first place that works. */
export function programFolders(host: Host): readonly string[] {
  return ["/var/lib/boathook", join(host.temporaryFolder, "boathook-programs")];
}

/**
 * The user that PostgreSQL runs as; null for our own. PostgreSQL refuses to run as root, so root hands
 * it to the owner of the folder when it holds a database already, else to the first of `CANDIDATES`.
 */
export function postgresUser(host: Host, folder: string): SystemUser | null {
  const owner = existsSync(folder) ? statSync(folder) : null;
  if (host.uid !== 0) {
    if (owner !== null && host.uid !== null && owner.uid !== host.uid) {
      throw new StartupError(
        `The database in ${folder} belongs to the user with number ${owner.uid}, and Boathook runs as ${host.uid}. ` +
          "Start Boathook as the user who started it before, or as root.",
      );
    }
    return null;
  }
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = new Map(
    readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }]),
  );
  for (const name of CANDIDATES) {
    const user = users.get(name);
    if (user !== undefined) return user;
  }
  throw new StartupError(
    `PostgreSQL does not run as root, and this system has none of the users ${CANDIDATES.join(", ")}. ` +
      "Start Boathook as an ordinary user, or point BOATHOOK_DATABASE_URL at your own PostgreSQL.",
  );
}

/** The name by which the system knows a user; PostgreSQL asks it the same. Throws `StartupError`: it has none. */
export function systemUserName({ uid }: { readonly uid: number | null }): string {
  const { stdout } = spawnSync("id", uid === null ? ["-un"] : ["-un", String(uid)], { encoding: "utf8" });
  const name = stdout?.trim() ?? "";
  if (name !== "") return name;
  throw new StartupError(
    `The user with number ${uid}, as whom PostgreSQL runs, has no name on this system. ` +
      "Give it one (/etc/passwd), or point BOATHOOK_DATABASE_URL at your own PostgreSQL.",
  );
}

/** Gives a file, or a folder and all that is in it, to the user. */
export function changeOwner(user: SystemUser | null, path: string): void {
  if (user === null) return;
  try {
    const inside = lstatSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: "utf8" })
      : [];
    for (const name of inside) lchownSync(join(path, name), user.uid, user.gid);
    lchownSync(path, user.uid, user.gid);
  } catch (cause) {
    throw new StartupError(
      `${path} cannot be given to the user with number ${user.uid}, as whom PostgreSQL runs for root. ` +
        "Start Boathook as an ordinary user, or point BOATHOOK_DATABASE_URL at your own PostgreSQL.",
      { cause },
    );
  }
}

/** Whether the user can enter the folder. Only the system knows: modes, lists and mounts all matter. */
export function canEnter(user: SystemUser | null, folder: string): boolean {
  if (user === null) return true;
  const entered = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], {
    ...user,
    cwd: "/",
    stdio: "ignore",
  });
  return entered.status === 0;
}

/**
 * The programs at a place where the user can run them. Root's own folders are closed to others (a clone
 * under /root), so root keeps a copy, which only root can write, in one of `places`.
 */
export function accessibleBinaries(
  user: SystemUser | null,
  binaries: Binaries,
  places: readonly string[],
  log: Log,
): Binaries {
  if (canEnter(user, join(binaries.folder, "bin"))) return binaries;
  for (const parent of places) {
    try {
      const folder = copyOnce(binaries, parent);
      if (!canEnter(user, join(folder, "bin"))) continue;
      log.info({ folder, user: user?.uid }, "PostgreSQL's programs run from a copy that its user can reach");
      return { ...binaries, folder };
    } catch (cause) {
      log.debug({ parent, cause }, "no place for a copy of PostgreSQL's programs");
    }
  }
  throw new StartupError(
    `The user with number ${user?.uid}, as whom PostgreSQL runs for root, cannot reach ${binaries.folder}, ` +
      `and no copy can be made in ${places.join(" or ")}. Move the project, start Boathook as an ordinary user, ` +
      "or point BOATHOOK_DATABASE_URL at your own PostgreSQL.",
  );
}

function copyOnce(binaries: Binaries, parent: string): string {
  makeFolder(parent, 0o755);
  const { uid, mode } = lstatSync(parent);
  // In a folder that others write, somebody else may have been here first.
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${parent} is not root's alone`);
  const folder = join(parent, `postgresql-${binaries.version}`);
  if (existsSync(folder)) return folder;
  const copy = mkdtempSync(join(parent, "copying-"));
  try {
    cpSync(binaries.folder, join(copy, "native"), { recursive: true, verbatimSymlinks: true });
    openToAll(join(copy, "native"));
    renameSync(join(copy, "native"), folder);
  } catch (cause) {
    if (!existsSync(folder)) throw cause;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  return folder;
}

/** What was installed under a strict umask is closed to others, and so is its copy. */
function openToAll(folder: string): void {
  for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })]) {
    const path = join(folder, name);
    const { mode } = lstatSync(path);
    const isLink = (mode & constants.S_IFMT) === constants.S_IFLNK;
    if (!isLink) chmodSync(path, (mode & 0o755) | 0o444 | ((mode & 0o100) === 0 ? 0 : 0o111));
  }
}
