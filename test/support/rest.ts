/**
 * Whether the test's process is at rest: nothing that was begun is still to end, so that only time, or the test itself,
 * can make anything happen. In flight are
 *
 * - statements, and sessions that begin or end, of every connection to PostgreSQL, the test's own included;
 * - files, as `node:fs/promises` reads and writes them;
 * - immediates, and with them ticks and promises;
 * - requests of `fetch`, and answers, while they are in transit (`requests-in-flight.ts`);
 * - what a test counts itself (`count`): a worker's task, bytes on another socket.
 *
 * Notifications arrive after the commit that sent them was answered. A connection that listens is asked `select 1`: the
 * server sends what has been committed before it answers.
 *
 * A statement that waits for a lock is not in flight: the session that has the lock is, or waits for the test or for
 * time. The server is asked (`pg_locks`) when a statement takes long, and again after whatever it has answered since.
 */
import { EventEmitter } from "node:events";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { setImmediate } from "node:timers/promises";

import pg from "pg";

import { watchRequests } from "./requests-in-flight.ts";

/** A connection to PostgreSQL, and what the driver says of it. */
type Client = pg.Client & {
  readonly connection: EventEmitter;
  /** Absent until the session has begun. */
  readonly readyForQuery?: boolean;
  readonly processID: number | null;
};

/** What was last asked of a connection, until which number of answers that is known to wait for a lock. */
type Session = { readonly client: Client; what: string; isEnding: boolean; waitsUntil: number };

const sessions = new Map<Client, Session>();
/** Connections that ask who waits for locks: no work. */
const observers = new WeakSet<pg.Client>();
const counted = new Set<{ readonly what: string }>();
/** `end`: something in flight may have ended. */
const news = new EventEmitter().setMaxListeners(0);
/** Answers of the server, and after how many of them the connections that listen were asked. */
let answers = 0;
let answersHeard = 0;
const hearing = new WeakSet<pg.Client>();
let resting: Promise<void> | null = null;

watchSessions();
watchFiles();
watchRequests(begin);

/** Resolves when nothing is in flight. */
export function atRest(): Promise<void> {
  // One watches for all: each would take the other's immediates for work.
  resting ??= rest();
  return resting;
}

/** What is in flight, in words: all that ends with an event. */
export function inFlight(): readonly string[] {
  return [...sessions.values().filter(isBusy), ...counted].map(({ what }) => what);
}

/** `work` is in flight until it ends. */
export async function count<T>(what: string, work: Promise<T>): Promise<T> {
  const end = begin(what);
  try {
    return await work;
  } finally {
    end();
  }
}

/** Something is in flight until the returned function is called. */
export function begin(what: string): () => void {
  const one = { what };
  counted.add(one);
  return () => {
    counted.delete(one);
    news.emit("end");
  };
}

/** A round gives the sockets their turn once. What one end of a socket wrote has reached the other by the second. */
const QUIET_ROUNDS = 2;
/** What is in flight for so long may be so for ever: it is named once, to explain a test that hangs. */
const LONG_MS = 10_000;

/** It only costs time to ask too early or too late who waits for a lock. */
const LOCK_CHECK_MS = 5;
const LOCK_CHECK_MS_MAX = 1_000;

async function rest(): Promise<void> {
  const hint = setTimeout(() => console.error("the clock waits for", inFlight()), LONG_MS).unref();
  for (let quiet = 0; quiet < QUIET_ROUNDS;) {
    for (let ms = LOCK_CHECK_MS; inFlight().length > 0; ms = Math.min(2 * ms, LOCK_CHECK_MS_MAX)) {
      if (await newsWithin(ms)) ms = LOCK_CHECK_MS;
      else await noteLocks();
    }
    await setImmediate();
    quiet = inFlight().length === 0 && !hasImmediates() ? quiet + 1 : 0;
    if (quiet === QUIET_ROUNDS && answersHeard !== answers) {
      quiet = 0;
      await hearNotifications();
    }
  }
  clearTimeout(hint);
  resting = null;
}

function hasImmediates(): boolean {
  return process.getActiveResourcesInfo().includes("Immediate");
}

function isBusy({ client, isEnding, waitsUntil }: Session): boolean {
  return isEnding || (client.readyForQuery !== true && waitsUntil !== answers);
}

/** Whether something ended within that time. */
function newsWithin(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      news.off("end", end);
      resolve(false);
    }, ms);
    news.once("end", end);
  });
}

/** Asks each server which of the statements in flight wait for locks. */
async function noteLocks(): Promise<void> {
  const busy = [...sessions.values().filter(isBusy)];
  for (const some of Map.groupBy(busy, ({ client }) => `${client.host}:${client.port}`).values()) {
    const seen = answers;
    const waiting = await waitingForLocks(some[0]!.client).catch((): readonly unknown[] => []);
    for (const one of some) if (waiting.includes(one.client.processID)) one.waitsUntil = seen;
  }
}

/** The processes of the server that wait for locks. */
async function waitingForLocks({
  host,
  port,
  user,
  database,
  password,
}: Client): Promise<readonly unknown[]> {
  const observer = new pg.Client({ host, port, user, database, password });
  observers.add(observer);
  observer.on("error", () => undefined);
  try {
    await observer.connect();
    const { rows } = await observer.query<{ pid: number }>("select pid from pg_locks where not granted");
    return rows.map(({ pid }) => pid);
  } finally {
    await observer.end();
  }
}

async function hearNotifications(): Promise<void> {
  const listening = [...sessions.keys()].filter(
    (client) => client.listenerCount("notification") > 0 && client.readyForQuery === true,
  );
  answersHeard = answers;
  // It frees no lock: sessions that wait for one still do.
  for (const client of listening) hearing.add(client);
  await Promise.allSettled(listening.map((client) => client.query("select 1")));
}

type Driver = Record<
  "connect" | "query" | "end",
  (this: Client, ...parameters: readonly unknown[]) => unknown
>;

function watchSessions(): void {
  const driver = pg.Client.prototype as unknown as Driver;
  const { connect, query, end } = driver;
  driver.connect = function (...parameters) {
    if (!observers.has(this)) watchSession(this);
    return connect.call(this, ...parameters);
  };
  driver.query = function (...parameters) {
    const [asked] = parameters as [string | { readonly name?: string; readonly text?: string }];
    const session = sessions.get(this);
    if (session !== undefined)
      session.what = typeof asked === "string" ? asked : (asked.name ?? asked.text ?? "a statement");
    return query.call(this, ...parameters);
  };
  driver.end = function (...parameters) {
    const session = sessions.get(this);
    if (session !== undefined) Object.assign(session, { isEnding: true, what: "the end of a session" });
    return end.call(this, ...parameters);
  };
}

function watchSession(client: Client): void {
  const { connection } = client;
  sessions.set(client, { client, what: "the begin of a session", isEnding: false, waitsUntil: -1 });
  // The driver begins the next statement that waits, if one does, when it has handled the answer itself.
  const noteEnd = () => process.nextTick(() => news.emit("end"));
  const remove = () => {
    sessions.delete(client);
    noteEnd();
  };
  connection.on("readyForQuery", () => {
    if (!hearing.delete(client)) answers += 1;
    noteEnd();
  });
  connection.on("errorMessage", () => client.readyForQuery === undefined && remove());
  connection.on("error", remove);
  connection.once("end", remove);
}

function watchFiles(): void {
  const operations = files as unknown as Record<string, unknown>;
  for (const [name, operation] of Object.entries(operations)) {
    if (typeof operation !== "function") continue;
    operations[name] = (...parameters: unknown[]) => {
      const done: unknown = operation(...parameters);
      return done instanceof Promise ? count(name, done) : done;
    };
  }
  // What has been imported by name is replaced as well.
  syncBuiltinESMExports();
}
