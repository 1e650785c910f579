import type pg from "pg";

import type { Cell } from "./cell.ts";
import type { DatabaseFault } from "./faults.ts";
import type { Statement } from "./sql.ts";

/** One connection's worth of PostgreSQL: all that a store function needs of the driver. */
export type Connection = {
  /**
   * Runs one prepared statement and returns its rows. Throws `StoreUnavailable` while the database cannot be reached or
   * does no such work, and `pg.DatabaseError` when it refuses the statement itself.
   */
  rows<Row extends object, Parameters extends readonly unknown[] = readonly unknown[]>(
    statement: Statement<Row, Parameters>,
    parameters: Readonly<NoInfer<Parameters>>,
  ): Promise<Row[]>;
};

/**
 * The database of one process: each statement goes to the server that is the home of its schema, over a bounded pool
 * for each server.
 */
export type Database = Connection & {
  /**
   * Runs `work` in one transaction on the server of its first statement; rolls back when it throws. Throws at a
   * statement of another server. When the cell moves during the transaction, `work` runs once more, at the new home: it must
   * not keep what it did before. `StoreUnavailable` may mean that the answer to the commit was lost, and the
   * transaction committed.
   */
  transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T>;
  /**
   * A connection of its own to the cell's home, outside the pool, that lasts until it is closed or lost. `onLost` is
   * called once, and not after `close`.
   */
  dedicated(cell: Cell, onLost: (cause: Error) => void): Promise<DedicatedConnection>;
  /** A server itself, whatever lives there. */
  at(address: DatabaseAddress): Connection;
  /** Where the cell lives now; cells of one server have the same address object. */
  homeOf(cell: Cell): DatabaseAddress;
  /** The name of that server, the same on every node. */
  homeName(cell: Cell): string;
  /** The server that takes changes of the cell's tables, not of their rows: the coordinator of Citus, else the home. */
  owner(cell: Cell): Connection &
    Pick<Database, "transaction"> & {
      dedicated(onLost: (cause: Error) => void): Promise<DedicatedConnection>;
    };
  close(): Promise<void>;
};

export type DedicatedConnection = Connection & {
  /** Calls `onNotice` for each notice on the channel, a plain identifier. */
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
};

/**
 * Receives the result of every operation until the database is closed. `what` is one of a bounded number of names: a
 * statement's, or "connect" for a session that begins or is lost; `server` is `serverName`'s. Must not throw.
 */
export type DatabaseObserver = {
  /** Without `tookMs`, nobody waited for it. */
  done(what: string, server?: string, tookMs?: number): void;
  failed(what: string, fault: DatabaseFault, cause: unknown, server?: string): void;
  /** A server is used from now on. */
  opened?(server: string, use: () => PoolUse): void;
};

/** A pool's connections, the callers that wait for one, and how long the oldest statement has had no answer. */
export type PoolUse = Readonly<Record<"busy" | "idle" | "waiting" | "oldestMs", number>>;

/** Where the database is, in the driver's own terms: a URL, or the folder of a Unix socket. */
export type DatabaseAddress =
  | { readonly url: string }
  | {
      readonly socketFolder: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
    };

/** For the log and metrics: without credentials. */
export function serverName(address: DatabaseAddress): string {
  if (!("url" in address)) return "embedded";
  const url = URL.parse(address.url);
  return url === null ? "external" : `${url.host}${url.pathname}`;
}

/** The modes that the driver takes for `verify-full`, with eleven lines of warning. */
const CHECKED_MODES = new Set(["prefer", "require", "verify-ca"]);

/** Names the mode that the driver uses. The rest of the URL does not change: the driver reads it. */
function checkingUrl(text: string): string {
  const parameters = URL.parse(text)?.searchParams;
  if (!CHECKED_MODES.has(parameters?.get("sslmode") ?? "") || parameters?.has("uselibpqcompat") === true)
    return text;
  return text.replace(/([?&]sslmode=)[^&#]*/, "$1verify-full");
}

/** What `pg` and the migrations take for an address. */
export function connectionConfig(address: DatabaseAddress): pg.ClientConfig {
  if ("url" in address) return { connectionString: checkingUrl(address.url) };
  const { socketFolder, port, user, database } = address;
  return { host: socketFolder, port, user, database };
}
