/**
 * A backup of the embedded store, in one file: a manifest, the secrets' files, and PostgreSQL's base backup of its folder.
 * It has its name only once it is whole and on the disk.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

import { readSecretFile } from "../../runtime/secret-file.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { syncFolder } from "../../runtime/sync-folder.ts";
import { isAlive } from "../embedded/cluster.ts";
import type { SocketAddress } from "../embedded/server-lock.ts";
import { streamBaseBackup } from "./base-backup.ts";
import { inspectStore } from "./inspect-store.ts";
import { FORMAT, MANIFEST_NAME, OWN_FOLDER, type BackupManifest } from "./manifest.ts";
import { verifyBackup } from "./restore-backup.ts";
import { checksumEntry, fileEntry, TERMINATOR } from "./tar.ts";

export type BackupOptions = {
  /** Where it goes: an absolute path. */
  readonly file: string;
  /** May a file of that name go? */
  readonly overwrite: boolean;
  readonly dataFolder: string;
  /** Names of files in the data folder that it holds, if they are there. */
  readonly secretFiles: readonly string[];
  readonly made: Pick<BackupManifest, "boathook" | "postgresql" | "platform">;
  readonly atMs: number;
  readonly pid: number;
  readonly signal: AbortSignal;
};

export type Backup = { readonly file: string; readonly bytes: number; readonly manifest: BackupManifest };

/** Writes it while the server at `address` works. Throws `StartupError`, and leaves nothing, where it cannot. */
export async function takeBackup(address: SocketAddress, options: BackupOptions): Promise<Backup> {
  const { file, pid, overwrite } = options;
  const found = await inspectStore(address);
  if (found === null) {
    throw new StartupError(
      "There is no store here to back up: boathook move-store has taken it to another database, or is about to. Back it " +
        "up there, by that server's own tools.",
    );
  }
  const { migrations, others } = found;
  if (others.length > 0) {
    throw new StartupError(
      `Cells live on ${others.join(", ")}, and a backup cannot hold them: start this version, which says how to bring them ` +
        "together.",
    );
  }
  const draft = `${file}.${pid}.partial`;
  try {
    refuseTaken(options);
    clearAbandoned(file, pid);
    const handle = openSync(draft, "wx+", 0o600);
    try {
      const written = await writeArchive(handle, address, options, migrations);
      fsyncSync(handle);
      // As a restore would: what it refuses, it refuses today.
      verifyBackup(handle, options);
      refuseTaken({ file, overwrite });
      renameSync(draft, file);
      syncFolder(dirname(file));
      return { file, ...written };
    } finally {
      closeSync(handle);
      rmSync(draft, { force: true });
    }
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new StartupError(`The backup ${file} cannot be written: ${cause.message}. Nothing is left of it.`, {
      cause,
    });
  }
}

async function writeArchive(
  handle: number,
  address: SocketAddress,
  { dataFolder, secretFiles, made, atMs, signal }: BackupOptions,
  migrations: readonly string[],
): Promise<Omit<Backup, "file">> {
  const secrets = secretFiles.flatMap((name) => {
    const text = readSecretFile(join(dataFolder, name));
    return text === null ? [] : [{ name, bytes: Buffer.from(text) }];
  });
  const manifest: BackupManifest = {
    format: FORMAT,
    ...made,
    taken_at: new Date(atMs).toISOString(),
    migrations,
    secrets: secrets.map(({ name }) => name),
  };
  const hash = createHash("sha256");
  let bytes = 0;
  const write = (chunk: Buffer) => {
    hash.update(chunk);
    bytes += writeAll(handle, chunk);
  };
  write(fileEntry(MANIFEST_NAME, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), atMs));
  for (const one of secrets) write(fileEntry(OWN_FOLDER + one.name, one.bytes, atMs));
  // Our last entry follows PostgreSQL's: what ends its archive is held back.
  let end: Buffer = Buffer.alloc(0);
  const take = (chunk: Buffer) => {
    const all = Buffer.concat([end, chunk]);
    write(all.subarray(0, -TERMINATOR.length));
    end = all.subarray(-TERMINATOR.length);
  };
  await streamBaseBackup(address, take, signal);
  if (!end.equals(TERMINATOR)) throw new Error("PostgreSQL's archive does not end as a tar does");
  bytes += writeAll(handle, checksumEntry(hash, atMs));
  return { bytes, manifest };
}

function writeAll(handle: number, bytes: Buffer): number {
  for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
  return bytes.length;
}

function refuseTaken({ file, overwrite }: Pick<BackupOptions, "file" | "overwrite">): void {
  if (!overwrite && existsSync(file))
    throw new StartupError(`${file} is there already. Name another file, or say --overwrite.`);
}

/** Removes what backups to the same name left that were killed. */
function clearAbandoned(file: string, own: number): void {
  const prefix = `${basename(file)}.`;
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(/^(\d{1,10})\.partial$/.exec(name.slice(prefix.length))?.[1] ?? Number.NaN);
    // In a container the killed process often had our number.
    if (pid === own || (pid > 0 && !isAlive(pid))) rmSync(join(dirname(file), name), { force: true });
  }
}
