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

import pg from "pg";

import { readSecretFile } from "../../runtime/secret-file.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { syncFolder } from "../../runtime/sync-folder.ts";
import { SCHEMA_PREFIX } from "../cell.ts";
import { connectionConfig, type DatabaseAddress } from "../database.ts";
import { isAlive } from "../embedded/cluster.ts";
import type { SocketAddress } from "../embedded/server-lock.ts";
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

type StoreContent = {
  /** Every migration that some schema notes, `<table>/<name>`. */
  readonly migrations: readonly string[];
  /** The names of other servers, which hold some of the cells. */
  readonly others: readonly string[];
};

/** What a server holds of a store of any version; null: none, or one that `boathook move-store` took away. */
async function inspectStore(address: DatabaseAddress): Promise<StoreContent | null> {
  const client = new pg.Client({ ...connectionConfig(address), application_name: "boathook inspect" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `select nspname as schema, relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where nspname ~ '^boathook(_|$)' and relname ~ '^(cells|migrations(_[a-z]+)?)$' and relkind = 'r'`,
    );
    if (!tables.some(({ schema }) => schema === SCHEMA_PREFIX)) return null;
    const [migrations, others] = [new Set<string>(), new Set<string>()];
    for (const { schema, name } of tables) {
      // Older versions lack columns, `server` among them.
      const { rows } = await client.query<{ row: { readonly name: string; readonly server?: string } }>(
        `select to_jsonb(one) as row from "${schema}"."${name}" as one`,
      );
      for (const { row } of rows) {
        if (name !== "cells") migrations.add(`${name}/${row.name}`);
        else if ((row.server ?? "") !== "") others.add(row.server!);
      }
    }
    return { migrations: [...migrations].toSorted(), others: [...others].toSorted() };
  } finally {
    await client.end();
  }
}

const CONNECT_WAIT_MS_MAX = 5_000;

/** The server keeps the log that the backup needs until the connection ends. */
const KEEP_LOG = "CREATE_REPLICATION_SLOT boathook_backup TEMPORARY PHYSICAL (RESERVE_WAL)";
const BASE_BACKUP = "BASE_BACKUP (LABEL 'boathook', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'no')";

/** What a message of the copy begins with. */
const NEW_ARCHIVE = "n".charCodeAt(0);
const ARCHIVE_DATA = "d".charCodeAt(0);

/**
 * PostgreSQL's base backup of itself, a tar, by the replication protocol: its folder, read while it works, and the log that
 * makes it consistent. It checks each page's checksum. `take` is called with each piece before the next is read.
 */
async function streamBaseBackup(
  address: SocketAddress,
  take: (bytes: Buffer) => void,
  signal: AbortSignal,
): Promise<void> {
  const config = { ...connectionConfig(address), replication: "true", application_name: "boathook backup" };
  const client = new pg.Client({ ...config, connectionTimeoutMillis: CONNECT_WAIT_MS_MAX });
  const failures: Error[] = [];
  const fail = (cause: Error) => {
    failures.push(cause);
    // Nothing else ends a copy.
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  };
  client.on("error", () => undefined);
  let archives = 0;
  const receive = (message: Buffer) => {
    if (message[0] === ARCHIVE_DATA) take(message.subarray(1));
    if (message[0] === NEW_ARCHIVE && (archives += 1) > 1)
      throw new StartupError("This PostgreSQL has tablespaces of its own. Back it up with its own tools.");
  };
  const handleCopyData = ({ chunk }: { readonly chunk: Buffer }) => {
    if (failures.length > 0) return;
    try {
      receive(chunk);
    } catch (cause) {
      fail(cause as Error);
    }
  };
  const abort = () => fail(new StartupError("Interrupted: no backup was written."));
  try {
    await client.connect();
    await client.query(KEEP_LOG);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const done = (cause: Error | null) => (cause === null ? resolve() : reject(cause));
    client.query(Object.assign(new pg.Query(BASE_BACKUP, done as never), { handleCopyData }));
    await promise;
  } catch (cause) {
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    throw new StartupError(`PostgreSQL does not give a backup: ${(cause as Error).message}.`, { cause });
  } finally {
    signal.removeEventListener("abort", abort);
    await client.end().catch(() => undefined);
  }
}
