import pg from "pg";

import { StartupError } from "../../runtime/startup-error.ts";
import { connectionConfig } from "../database.ts";
import type { SocketAddress } from "../embedded/server-lock.ts";

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
export async function streamBaseBackup(
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
