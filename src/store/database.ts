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
 * Hears how everything came out that a database was asked for, until it is closed. `what` is one of a bounded number of
 * names: a statement's, or "connect" where a session began or was to begin. Must not throw.
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
 * The server ends a statement of the pool after this time. The driver gives its connection up a moment later: one that
 * is gone without a word would otherwise keep whoever waits until the operating system notices, which may take a
 * quarter of an hour.
 */
const STATEMENT_MS_MAX = 120_000;
const DRIVER_TIMEOUT_FACTOR = 1.05;

/** A pool on `address`; connects when first used. `onIdleError` hears of connections lost while idle, until `close`. */
export function openDatabase(
  address: DatabaseAddress,
  options: {
    /** What the server calls the sessions; no other process has the same (`node_end_sessions.sql`). */
    readonly sessionName: string;
    readonly connectionsMax: number;
    readonly connectTimeoutMs: number;
    /** A statement that has no answer for so long is given up, and its connection with it. */
    readonly statementMsMax?: number;
    readonly onIdleError: (cause: Error) => void;
    readonly watch?: DatabaseObserver | undefined;
  },
): Database {
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
  let isClosed = false;
  // Those that are being closed are on their way for a moment longer than `close` takes: the server may end them first.
  pool.on("error", (cause) => {
    if (!isClosed) options.onIdleError(cause);
  });
  pool.on("connect", () => options.watch?.done("connect"));

  async function ask<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      options.watch?.done(what);
      return result;
    } catch (error) {
      // What fails because we are leaving is no fault of the database's.
      if (!isClosed) options.watch?.failed(isNotAdmitted(error) ? "connect" : what, faultOf(error), error);
      throw storeFault(error);
    }
  }
  const connectionOn = (queryable: pg.Pool | pg.ClientBase): Connection => ({
    rows: (statement, parameters) => ask(statement.name, () => run(queryable, statement, parameters)),
  });
  /** Runs what takes no parameters and gives no rows. */
  const plain = (client: pg.ClientBase, text: string) => ask(text, () => client.query(text));

  return {
    ...connectionOn(pool),
    async transaction(work) {
      const client = await ask("take a connection", () => pool.connect());
      let broken: Error | undefined;
      // The pool does not listen while we have it, and an error that nobody hears ends the process.
      const onError = (error: Error) => {
        broken = error;
      };
      client.on("error", onError);
      try {
        await plain(client, "begin");
        const result = await work(connectionOn(client));
        await plain(client, "commit");
        return result;
      } catch (cause) {
        // On a connection that does not answer, a rollback would only wait as well; closing it rolls back.
        if (cause instanceof StoreUnavailable && cause.commitUnknown) broken = cause;
        else {
          await client.query("rollback").catch((error: Error) => {
            broken = error;
          });
        }
        throw cause;
      } finally {
        client.removeListener("error", onError);
        client.release(broken);
      }
    },
    async dedicated(onLost) {
      const client = new pg.Client(config);
      // One that could not be opened is not lost: the caller is told by the rejection.
      let isOpen = false;
      const lost = (cause: Error) => {
        if (!isOpen) return;
        isOpen = false;
        onLost(cause);
      };
      client.on("error", lost);
      client.on("end", () => lost(new Error("the database closed the connection")));
      await ask("connect", () => client.connect());
      isOpen = true;
      return {
        ...connectionOn(client),
        async listen(channel, onNotice) {
          client.on("notification", (notice) => {
            if (notice.channel === channel) onNotice(notice.payload ?? "");
          });
          await plain(client, `listen "${channel}"`);
        },
        async close() {
          isOpen = false;
          await client.end();
        },
      };
    },
    close() {
      isClosed = true;
      return pool.end();
    },
  };
}

/** What `pg` and the migrations take for an address. */
export function connectionConfig(address: DatabaseAddress): pg.ClientConfig {
  if ("url" in address) return { connectionString: address.url };
  const { socketFolder, port, user, database } = address;
  return { host: socketFolder, port, user, database };
}

async function run<Row extends object>(
  queryable: pg.Pool | pg.ClientBase,
  statement: Statement<Row>,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const result = await queryable.query<Row & pg.QueryResultRow>({
    name: statement.name,
    text: statement.text,
    values: [...parameters],
  });
  return result.rows;
}
