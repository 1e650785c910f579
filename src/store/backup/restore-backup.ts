/**
 * A backup becomes a data folder again.
 *
 *     verify (writes nothing) ─▶ marker ─▶ files ─▶ on the disk ─▶ no marker: restored
 *                                  └─ killed: nothing starts on the folder, and a restore begins again
 *
 * Nothing of the archive names a place outside, is a link, or keeps its mode.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  rmdirSync,
} from "node:fs";
import { statSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Host } from "../../runtime/host.ts";
import { makeFolder } from "../../runtime/make-folder.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { syncFolder } from "../../runtime/sync-folder.ts";
import { UNFINISHED_RESTORE } from "../embedded/cluster.ts";
import { changeOwner } from "../embedded/user.ts";
import {
  MANIFEST_BYTES_MAX,
  MANIFEST_NAME,
  OWN_FOLDER,
  readManifest,
  requireRestorable,
  type BackupManifest,
  type Restorable,
} from "./manifest.ts";
import { damaged, notOurs, readArchive, type Entry, type EntrySink } from "./tar.ts";

export type RestoreOptions = {
  readonly file: string;
  /** Where it goes: an absolute path of a folder that is empty or not there. Null: it is only verified. */
  readonly dataFolder: string | null;
  /** Names of files with secrets that a backup may hold. */
  readonly secretFiles: readonly string[];
  readonly here: Restorable;
  readonly host: Pick<Host, "uid">;
};

const DATABASE = "postgres";
/** Without these it is no base backup. */
const NEEDED = ["PG_VERSION", "backup_label", "global/pg_control"];
/** A data folder may be the root of a file system of its own. */
const OF_FILE_SYSTEMS = "lost+found";
const SECRET_BYTES_MAX = 4_096;
const NOTHING: EntrySink = { take: () => undefined, end: () => undefined };

/** Throws `StartupError` where it cannot, and leaves nothing. Blocks: this process does nothing else. */
export function restoreBackup(options: RestoreOptions): BackupManifest {
  const { file, dataFolder } = options;
  try {
    const handle = openSync(file, "r");
    try {
      if (!statSync(file).isFile()) throw notOurs();
      const manifest = verifyBackup(handle, options);
      requireRestorable(manifest, options.here);
      if (dataFolder !== null) extract(handle, dataFolder, options);
      return manifest;
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new StartupError(
      `The backup ${file} cannot be restored: ${cause.message}. Nothing is left of it.`,
      {
        cause,
      },
    );
  }
}

/** Reads all of it. Throws `StartupError` unless it can be restored, somewhere. */
export function verifyBackup(handle: number, options: Pick<RestoreOptions, "secretFiles">): BackupManifest {
  const seen = new Set<string>();
  const manifest = walk(handle, options, ({ name }) => {
    seen.add(name);
    return NOTHING;
  });
  const missing = NEEDED.filter((name) => !seen.has(join(DATABASE, name)));
  if (missing.length > 0) throw damaged(`it lacks ${missing.join(", ")}`);
  return manifest;
}

/** Gives `onEntry` each entry by its name in the data folder; a folder comes before what is in it. */
function walk(
  handle: number,
  { secretFiles }: Pick<RestoreOptions, "secretFiles">,
  onEntry: (entry: Entry) => EntrySink,
): BackupManifest {
  let manifest: BackupManifest | null = null;
  const folders = new Set([".", DATABASE]);
  const taken = new Set<string>();
  const placeOf = ({ name, kind, bytes }: Entry): string => {
    if (!name.startsWith(OWN_FOLDER)) return join(DATABASE, name);
    const secret = name.slice(OWN_FOLDER.length);
    const isSecret =
      kind === "file" &&
      bytes <= SECRET_BYTES_MAX &&
      secretFiles.includes(secret) &&
      manifest!.secrets.includes(secret);
    if (isSecret) return secret;
    throw damaged(`it has an entry ${JSON.stringify(name)}, which no backup has`);
  };
  readArchive(handle, (entry) => {
    if (manifest === null) {
      if (entry.name !== MANIFEST_NAME || entry.kind !== "file" || entry.bytes > MANIFEST_BYTES_MAX)
        throw notOurs();
      return collect((bytes) => (manifest = readManifest(bytes)));
    }
    const name = placeOf(entry);
    if (taken.has(name) || folders.has(name)) throw damaged(`it has ${JSON.stringify(name)} twice`);
    if (!folders.has(dirname(name))) throw damaged(`the folder of ${JSON.stringify(name)} is missing`);
    (entry.kind === "folder" ? folders : taken).add(name);
    return onEntry({ ...entry, name });
  });
  if (manifest === null) throw notOurs();
  return manifest;
}

function collect(done: (bytes: Buffer) => void): EntrySink {
  const chunks: Buffer[] = [];
  return { take: (bytes) => void chunks.push(Buffer.from(bytes)), end: () => done(Buffer.concat(chunks)) };
}

function extract(handle: number, dataFolder: string, options: RestoreOptions): void {
  const { uid } = options.host;
  const isMade = !existsSync(dataFolder);
  // As where the embedded PostgreSQL makes it (embedded/embedded.ts).
  if (isMade) makeFolder(dataFolder, uid === 0 ? 0o711 : 0o700);
  const marker = join(dataFolder, UNFINISHED_RESTORE);
  const ours = [DATABASE, ...options.secretFiles].map((name) => join(dataFolder, name));
  const clear = () => {
    for (const path of [...ours, marker]) rmSync(path, { recursive: true, force: true });
  };
  if (existsSync(marker)) clear();
  requireEmpty(dataFolder);
  try {
    writeFileSync(marker, "boathook restore was ended before it was done. Run it again.\n", { flag: "wx" });
    syncFolder(dataFolder);
    const made = [join(dataFolder, DATABASE)];
    mkdirSync(made[0]!, { mode: 0o700 });
    walk(handle, options, ({ name, kind }) => {
      const path = join(dataFolder, name);
      // The socket's lock is of the machine that it was made on.
      if (name.startsWith(join(DATABASE, ".s.PGSQL."))) return NOTHING;
      if (kind === "file") return writeFile(path);
      mkdirSync(path, { mode: 0o700 });
      made.push(path);
      return NOTHING;
    });
    for (const folder of made.toReversed()) syncFolder(folder);
    const owner = statSync(dataFolder);
    if (uid === 0 && owner.uid !== 0) {
      for (const path of ours.filter((one) => existsSync(one))) changeOwner(owner, path);
    }
    syncFolder(dataFolder);
    rmSync(marker);
    syncFolder(dataFolder);
  } catch (cause) {
    clear();
    if (isMade) rmdirSync(dataFolder);
    throw cause;
  }
}

/** Of the compile cache (bin/boathook.js): nothing that a restore would lose. */
const COMPILED = "compiled";

function requireEmpty(dataFolder: string): void {
  const there = readdirSync(dataFolder).filter((name) => name !== OF_FILE_SYSTEMS && name !== COMPILED);
  if (there.length === 0) return;
  throw new StartupError(
    `The data folder ${dataFolder} is not empty (${there.slice(0, 3).join(", ")}): move it away first, or choose ` +
      "another by BOATHOOK_DATA_DIR.",
  );
}

function writeFile(path: string): EntrySink {
  const handle = openSync(path, "wx", 0o600);
  return {
    take(bytes) {
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
    },
    end() {
      fsyncSync(handle);
      closeSync(handle);
    },
  };
}
