import pg from "pg";

import { StoreUnavailable } from "../model/errors.ts";
import { waitAtMost } from "../runtime/cleanup.ts";
import type { Clock } from "../runtime/clock.ts";
import {
  connectionConfig,
  serverName,
  type Connection,
  type DatabaseAddress,
  type DatabaseObserver,
  type DedicatedConnection,
} from "./database.ts";
import { faultOf, isNotAdmitted, storeFault } from "./faults.ts";
import { gone } from "./gone.sql.ts";
import { watchSilence, type Silence } from "./silence.ts";
import type { Statement } from "./sql.ts";

/** One server of a database: a bounded pool, and connections outside it. */
export type Server = Connection & {
  /** Begins a transaction on a connection of its own; end it with `commit` or `rollBack`. */
  begin(): Promise<Transaction>;
  /** See `Database.dedicated`. */
  dedicated(onLost: (cause: Error) => void): Promise<DedicatedConnection>;
  close(): Promise<void>;
};

export type Transaction = Connection & {
  commit(): Promise<void>;
  /** `cause` is what it fails of; what the rollback itself fails of closes the connection. */
  rollBack(cause: unknown): Promise<void>;
};

/**
 * The server ends a statement of the pool after this time. The driver closes its connection a moment later: a
 * connection that the network lost would otherwise keep its caller waiting until the operating system notices, which
 * may take a quarter of an hour.
 */
const STATEMENT_MS_MAX = 120_000;
const DRIVER_LATER_MS = 2_000;

/** What runs when the process closes its connections fails after this time: it may wait for a lock of another's. */
const CLOSE_MS_MAX = 3_000;

export type ServerOptions = {
  /** The server's name of the sessions; no other process has the same (`node_end_sessions`). */
  readonly sessionName: string;
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
  /** After this time without an answer, a statement fails and its connection closes. */
  readonly statementMsMax?: number;
  /** With it, a server that answers nothing is noticed within seconds. */
  readonly clock?: Pick<Clock, "after" | "monotonicMs">;
  readonly onIdleError: (cause: Error) => void;
  readonly watch?: DatabaseObserver | undefined;
};

type Pool = {
  readonly pool: pg.Pool;
  /** Of one connection, for `isGone`. */
  readonly questions: pg.Pool;
  readonly config: pg.ClientConfig;
  readonly name: string;
  readonly clock: ServerOptions["clock"] | undefined;
  readonly watch: DatabaseObserver | undefined;
  readonly silence: Silence | null;
  /** When each statement that runs began, the oldest first. */
  readonly running: Set<{ readonly startedMs: number }>;
  isClosed: boolean;
};

/** A pool on `address`; connects when first used. `onIdleError` receives connections lost while idle, until `close`. */
export function openServer(address: DatabaseAddress, options: ServerOptions): Server {
  const { clock } = options;
  const silence = clock === undefined ? null : watchSilence(clock, connectionConfig(address));
  const config: pg.ClientConfig = {
    ...connectionConfig(address),
    ...(silence === null ? {} : { stream: silence.socket }),
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
    query_timeout: statementMsMax + DRIVER_LATER_MS,
  });
  const questions = new pg.Pool({ ...config, max: 1, statement_timeout: options.connectTimeoutMs });
  questions.on("error", () => undefined);
  const name = serverName(address);
  const { watch } = options;
  const opened: Pool = {
    pool,
    questions,
    config,
    name,
    clock,
    watch,
    silence,
    running: new Set(),
    isClosed: false,
  };
  watch?.opened?.(name, () => {
    const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
    const [oldest] = opened.running;
    const oldestMs = oldest === undefined || clock === undefined ? 0 : clock.monotonicMs() - oldest.startedMs;
    return { busy: totalCount - idle, idle, waiting, oldestMs };
  });
  // Connections close a moment after `close` returns: the server may end them first.
  pool.on("error", (cause) => {
    if (!opened.isClosed) options.onIdleError(lost(opened, cause));
  });
  pool.on("connect", () => watch?.done("connect", name));
  return {
    ...connectionOn(opened, pool),
    begin: () => begin(opened),
    dedicated: (onLost) => dedicated(opened, onLost),
    async close() {
      opened.isClosed = true;
      const ended = async () => void (await Promise.all([pool.end(), questions.end()]));
      if (silence === null || clock === undefined) return ended();
      // The server has to answer here too.
      const ending = silence.awaiting(ended);
      if (!(await waitAtMost(clock, CLOSE_MS_MAX, ending))) silence.closeAll();
      await ending.finally(silence.stop);
    },
  };
}

/** What a connection was lost of while nothing was asked of it. */
function lost({ watch, name }: Pool, cause: Error): Error {
  const fault = faultOf(cause);
  watch?.failed("connect", fault, cause, name);
  return storeFault(cause, fault) as Error;
}

async function ask<T>(opened: Pool, what: string, work: () => Promise<T>, statement?: Statement): Promise<T> {
  const { silence, watch, questions, name, clock } = opened;
  const one = { startedMs: clock?.monotonicMs() ?? 0 };
  opened.running.add(one);
  try {
    const result = await (silence === null ? work() : silence.awaiting(work));
    watch?.done(what, name, clock && clock.monotonicMs() - one.startedMs);
    return result;
  } catch (error) {
    const isMoved =
      statement !== undefined && !opened.isClosed && (await isGone(questions, error, statement));
    const fault = isMoved ? "moved" : faultOf(error);
    // An operation that fails because this process closes the database is no fault of the database.
    if (!opened.isClosed) watch?.failed(isNotAdmitted(error) ? "connect" : what, fault, error, name);
    throw storeFault(error, fault);
  } finally {
    opened.running.delete(one);
  }
}

function connectionOn(opened: Pool, queryable: pg.Pool | pg.ClientBase): Connection {
  return {
    rows(statement, parameters) {
      const { name, text } = statement;
      const work = async () => {
        const { rows } = await queryable.query({ name, text, values: [...parameters] });
        return rows as never;
      };
      return ask(opened, name, work, statement);
    },
  };
}

/** One statement after the other: several cells share a connection, and the driver takes the next only after an answer. */
function oneAtATime({ rows }: Connection): Connection {
  let last: Promise<unknown> = Promise.resolve();
  return {
    rows(statement, parameters) {
      const asked = last.then(() => rows(statement, parameters));
      last = asked.catch(() => undefined);
      return asked;
    },
  };
}

/** Runs a statement without parameters and rows. */
function plain(opened: Pool, client: pg.ClientBase, text: string) {
  return ask(opened, text, () => client.query(text));
}

async function begin(opened: Pool): Promise<Transaction> {
  const client = await ask(opened, "take a connection", () => opened.pool.connect());
  let broken: Error | undefined;
  // The pool does not listen to a connection in use, and an error without a listener ends the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  const release = () => {
    client.removeListener("error", onError);
    client.release(broken);
  };
  const rollBack = async (cause: unknown) => {
    // On a connection that does not answer, a rollback would only wait as well; closing it rolls back.
    if (cause instanceof StoreUnavailable && cause.commitUnknown) broken = cause;
    else await client.query("rollback").catch(onError);
    release();
  };
  try {
    await plain(opened, client, "begin");
  } catch (cause) {
    await rollBack(cause);
    throw cause;
  }
  return {
    ...connectionOn(opened, client),
    async commit() {
      await plain(opened, client, "commit");
      release();
    },
    rollBack,
  };
}

async function dedicated(opened: Pool, onLost: (cause: Error) => void): Promise<DedicatedConnection> {
  const client = new pg.Client(opened.config);
  // A connection that fails to open is not lost: the rejection reports it.
  let isOpen = false;
  const end = (cause: Error) => {
    if (!isOpen) return;
    isOpen = false;
    onLost(lost(opened, cause));
  };
  client.on("error", end);
  client.on("end", () => end(new Error("the database closed the connection")));
  await ask(opened, "connect", () => client.connect());
  isOpen = true;
  return {
    ...oneAtATime(connectionOn(opened, client)),
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

/** No such table, schema or function. */
const MISSING: ReadonlySet<string | undefined> = new Set(["42P01", "3F000", "42883"]);

/** Whether a cell or store has moved: a wrong statement finds no table either. `pool` is for this question alone: statements that fail may hold all connections of another. */
async function isGone(pool: pg.Pool, error: unknown, { schema, text }: Statement): Promise<boolean> {
  if (schema === undefined || !(error instanceof pg.DatabaseError) || !MISSING.has(error.code)) return false;
  const used = text.match(new RegExp(`"${schema}"\\.[a-z0-9_]+`, "g")) ?? [];
  const asking: Connection = {
    rows: async (statement, parameters) =>
      (await pool.query({ text: statement.text, values: [...parameters] })).rows,
  };
  try {
    return (await gone(asking, { number: 0, schema, directory: "" }, { schema, used })).gone;
  } catch {
    // Nobody knows: it is repeated, and fails again if it is wrong.
    return true;
  }
}
