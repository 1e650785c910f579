import pg from "pg";

import { StoreUnavailable } from "../model/errors.ts";
import { faultOf, isNotAdmitted, storeFault, type DatabaseFault } from "./faults.ts";
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

/** The database of one process: a bounded pool, transactions, and notices from other processes. */
export type Database = Connection & {
  /**
   * Runs `work` in one transaction on one connection; rolls back when it throws. `StoreUnavailable`
   * may mean that the answer to the commit was lost, and the transaction committed.
   */
  transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T>;
  /**
   * A connection of its own, outside the pool, that lasts until it is closed or lost. `onLost` is
   * called once, and not after `close`.
   */
  dedicated(onLost: (cause: Error) => void): Promise<DedicatedConnection>;
  close(): Promise<void>;
};

export type DedicatedConnection = Connection & {
  /** Calls `onNotice` for each notice on the channel, a plain identifier. */
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
};

/**
 * Receives the result of every operation until the database is closed. `what` is one of a bounded number of names: a
 * statement's, or "connect" for the begin of a session. Must not throw.
 */
export type DatabaseObserver = {
  done(what: string): void;
  failed(what: string, fault: DatabaseFault, cause: unknown): void;
};

/** Where the database is, in the driver's own terms: a URL, or the folder of a Unix socket. */
export type DatabaseAddress =
  | { readonly url: string }
  | {
      readonly socketFolder: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
    };

/**
 * The server ends a statement of the pool after this time. The driver closes its connection a moment later: a
 * connection that the network lost would otherwise keep its caller waiting until the operating system notices, which
 * may take a quarter of an hour.
 */
const STATEMENT_MS_MAX = 120_000;
const DRIVER_TIMEOUT_FACTOR = 1.05;

type DatabaseOptions = {
  /** The server's name of the sessions; no other process has the same (`node_end_sessions.sql`). */
  readonly sessionName: string;
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
  /** After this time without an answer, a statement fails and its connection closes. */
  readonly statementMsMax?: number;
  readonly onIdleError: (cause: Error) => void;
  readonly watch?: DatabaseObserver | undefined;
};

type Pool = {
  readonly pool: pg.Pool;
  readonly config: pg.ClientConfig;
  readonly watch: DatabaseObserver | undefined;
  isClosed: boolean;
};

/** A pool on `address`; connects when first used. `onIdleError` receives connections lost while idle, until `close`. */
export function openDatabase(address: DatabaseAddress, options: DatabaseOptions): Database {
  const config: pg.ClientConfig = {
    ...connectionConfig(address),
    connectionTimeoutMillis: options.connectTimeoutMs,
    application_name: options.sessionName,
    // Generic plans: the arrays' lengths change, the right plan does not, and planning over a
    // month of partitions costs more than running. A batch must never scan or hash a partition.
    options:
      "-c plan_cache_mode=force_generic_plan -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off",
  };
  const statementMsMax = options.statementMsMax ?? STATEMENT_MS_MAX;
  const pool = new pg.Pool({
    ...config,
    max: options.connectionsMax,
    statement_timeout: statementMsMax,
    query_timeout: statementMsMax * DRIVER_TIMEOUT_FACTOR,
  });
  const opened: Pool = { pool, config, watch: options.watch, isClosed: false };
  // Connections close a moment after `close` returns: the server may end them first.
  pool.on("error", (cause) => {
    if (!opened.isClosed) options.onIdleError(cause);
  });
  pool.on("connect", () => options.watch?.done("connect"));
  return {
    ...connectionOn(opened, pool),
    transaction: (work) => transaction(opened, work),
    dedicated: (onLost) => dedicated(opened, onLost),
    close() {
      opened.isClosed = true;
      return pool.end();
    },
  };
}

async function ask<T>(opened: Pool, what: string, work: () => Promise<T>): Promise<T> {
  const { watch } = opened;
  try {
    const result = await work();
    watch?.done(what);
    return result;
  } catch (error) {
    // An operation that fails because this process closes the database is no fault of the database.
    if (!opened.isClosed) watch?.failed(isNotAdmitted(error) ? "connect" : what, faultOf(error), error);
    throw storeFault(error);
  }
}

function connectionOn(opened: Pool, queryable: pg.Pool | pg.ClientBase): Connection {
  return {
    rows: ({ name, text }, parameters) =>
      ask(opened, name, async () => {
        const { rows } = await queryable.query({ name, text, values: [...parameters] });
        return rows as never;
      }),
  };
}

/** Runs a statement without parameters and rows. */
function plain(opened: Pool, client: pg.ClientBase, text: string) {
  return ask(opened, text, () => client.query(text));
}

async function transaction<T>(opened: Pool, work: (tx: Connection) => Promise<T>): Promise<T> {
  const client = await ask(opened, "take a connection", () => opened.pool.connect());
  let broken: Error | undefined;
  // The pool does not listen to a connection in use, and an error without a listener ends the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  try {
    await plain(opened, client, "begin");
    const result = await work(connectionOn(opened, client));
    await plain(opened, client, "commit");
    return result;
  } catch (cause) {
    // On a connection that does not answer, a rollback would only wait as well; closing it rolls back.
    if (cause instanceof StoreUnavailable && cause.commitUnknown) broken = cause;
    else await client.query("rollback").catch(onError);
    throw cause;
  } finally {
    client.removeListener("error", onError);
    client.release(broken);
  }
}

async function dedicated(opened: Pool, onLost: (cause: Error) => void): Promise<DedicatedConnection> {
  const client = new pg.Client(opened.config);
  // A connection that fails to open is not lost: the rejection reports it.
  let isOpen = false;
  const lost = (cause: Error) => {
    if (!isOpen) return;
    isOpen = false;
    onLost(cause);
  };
  client.on("error", lost);
  client.on("end", () => lost(new Error("the database closed the connection")));
  await ask(opened, "connect", () => client.connect());
  isOpen = true;
  return {
    ...connectionOn(opened, client),
    async listen(channel, onNotice) {
      client.on("notification", (notice) => {
        if (notice.channel === channel) onNotice(notice.payload ?? "");
      });
      await plain(opened, client, `listen "${channel}"`);
    },
    async close() {
      isOpen = false;
      await client.end();
    },
  };
}

/** What `pg` and the migrations take for an address. */
export function connectionConfig(address: DatabaseAddress): pg.ClientConfig {
  if ("url" in address) return { connectionString: address.url };
  const { socketFolder, port, user, database } = address;
  return { host: socketFolder, port, user, database };
}
