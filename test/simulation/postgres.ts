/**
 * A real PostgreSQL behind the simulated network. Each session has a connection of its own to the server, and the server
 * runs one request at a time, in the order of their arrival: so what happens is the same each time, while transactions,
 * locks, notifications and the ends of sessions are the real ones. The world's time stands still while one runs. It
 * stands for several servers where cells live apart from the directory.
 *
 *     arrives ─▶ (its fate: cut, delayed) ─▶ waits ─▶ runs ─▶ answered ─▶ (cut, or sent)
 *                                                      │  ▲
 *                                                      ▼  │ the other's transaction has ended
 *                                          a lock of another session keeps it: others run
 */
import { listen, type SimulatedSocket } from "./network.ts";
import { type Answer, Connection } from "./connection.ts";
import {
  message,
  messagesOf,
  parameterOf,
  query,
  type RealServer,
  refusal,
  startupOf,
  textOf,
} from "./protocol.ts";
import { after, busy, onceAtRest, realDelay, WORLD, worldMs } from "./time.ts";

export const DIRECTORY = "database";
/** Of the cells, where they live apart from the directory. */
export const WORKERS = ["worker-1", "worker-2"] as const;
export const SERVERS = [DIRECTORY, ...WORKERS] as const;
export type ServerName = (typeof SERVERS)[number];

const PORT = 5_432;
export const DATABASE_URL = `postgres://boathook@${DIRECTORY}:${PORT}/boathook`;

/**
 * As where Citus has put each cell, once it is migrated, on a worker: its metadata, of a schema in place of its tables. The
 * worker says that it holds no shards, so tables have their own names there.
 */
const PLACED = `
  set allow_system_table_mods = on;
  create view pg_catalog.pg_dist_schema as
    select pronamespace as schemaid, pronamespace as colocationid from pg_proc where proname = 'guard_shards';
  create view pg_catalog.pg_dist_partition as select colocationid, schemaid as logicalrelid from pg_dist_schema;
  create view pg_catalog.pg_dist_shard as select logicalrelid, logicalrelid::bigint as shardid from pg_dist_partition;
  create view pg_catalog.pg_dist_placement as
    select oid::bigint as shardid, 1 + abs(hashtext(nspname)) % ${WORKERS.length} as groupid from pg_namespace;
  create view pg_catalog.pg_dist_node as
    select number as groupid, 'worker-' || number as nodename, ${PORT} as nodeport, 'primary' as noderole
    from generate_series(1, ${WORKERS.length}) number;
  create view pg_catalog.pg_dist_local_group as select 0 as groupid;
  create function pg_catalog.get_rebalance_progress() returns table (
    table_name regclass, targetname text, targetport integer, source_shard_size bigint, target_shard_size bigint
  ) language sql as 'select null::regclass, null::text, 0, 0::bigint, 0::bigint where false'`;

/** What becomes of a request: of a statement, or of the begin or end of a transaction. */
export type RequestFate = {
  /** The server refuses it with this code instead of running it. */
  readonly refuse?: string;
  /** The connection ends before the request arrives, or after it ran and before its answer leaves. */
  readonly cut?: "before" | "after";
  readonly delayMs: number;
};

export type ServerHooks = {
  /** `isWithin`: in a transaction that has begun. */
  readonly fateOf: (text: string, isWithin: boolean) => RequestFate;
  readonly onRan: (text: string) => void;
};

export type SimulatedServer = {
  /** Ends the sessions of these servers, which take none until then. */
  takeAway(servers: readonly ServerName[], untilMs: number): void;
  /** Until then, nothing that reaches the server begins, but in transactions that have begun. */
  silence(server: ServerName, untilMs: number): void;
  /** All take sessions. */
  heal(): void;
  /** The world has ended. */
  close(): void;
};

type Session = {
  readonly place: ServerName;
  readonly socket: SimulatedSocket;
  readonly real: Connection;
  /** Texts of statements by the names under which the session parsed them. */
  readonly texts: Map<string, string>;
  unread: Buffer;
  batch: Buffer[];
  hasBegun: boolean;
  isListening: boolean;
  hasNotified: boolean;
  isEnded: boolean;
  /** The server ended it: what has arrived does not run. */
  isKilled: boolean;
  /** Requests that have arrived, and have not run. */
  arrived: number;
  /** Set while a lock keeps its request: what to do when it is answered. */
  goesOn: { readonly answer: Promise<Answer>; readonly finish: () => Promise<void> } | null;
};

type Job = { readonly session: Session; readonly run: () => Promise<void> };

/** How long a request may have no answer before the server is asked whether a lock keeps it. */
const LOCKED_AFTER_MS = 25;

type State = {
  readonly server: RealServer;
  readonly hooks: ServerHooks;
  readonly sessions: Set<Session>;
  readonly jobs: Job[];
  /** Asks the server about the others. */
  readonly observer: Connection;
  readonly awayUntilMs: Map<ServerName, number>;
  readonly silentUntilMs: Map<ServerName, number>;
};

/** The same server, with a database that nobody has migrated. */
export async function withoutTables(server: RealServer): Promise<RealServer> {
  const connection = new Connection(server);
  await busy(connection.ask(startupOf(server, "the simulated world")));
  await busy(connection.ask(query("create database empty")));
  connection.close();
  return { ...server, database: "empty" };
}

/** Listens for sessions until the world ends. `isSplit`: cells live on workers. */
export async function servePostgres(
  server: RealServer,
  hooks: ServerHooks,
  isSplit: boolean,
): Promise<SimulatedServer> {
  const observer = new Connection(server);
  await busy(observer.ask(startupOf(server, "the simulated world")));
  if (isSplit) {
    const { bytes } = await busy(observer.ask(query(PLACED)));
    if ([...messagesOf(bytes)].some(({ type }) => type === "E"))
      throw new Error(`refused: ${bytes.toString()}`);
  }
  const sessions = new Set<Session>();
  const awayUntilMs: State["awayUntilMs"] = new Map();
  const silentUntilMs: State["silentUntilMs"] = new Map();
  const state: State = { server, hooks, sessions, jobs: [], observer, awayUntilMs, silentUntilMs };
  for (const place of SERVERS)
    listen(`${place}:${PORT}`, { owner: WORLD, onConnection: (socket) => accept(state, place, socket) });
  return {
    takeAway(servers, untilMs) {
      for (const place of servers) prolong(awayUntilMs, place, untilMs);
      for (const session of sessions) {
        if (!servers.includes(session.place)) continue;
        session.isKilled = true;
        session.socket.destroy();
      }
    },
    silence: (place, untilMs) => prolong(silentUntilMs, place, untilMs),
    heal() {
      awayUntilMs.clear();
      silentUntilMs.clear();
    },
    close() {
      for (const { real } of sessions) real.close();
      observer.close();
    },
  };
}

function prolong(until: Map<ServerName, number>, place: ServerName, untilMs: number): void {
  until.set(place, Math.max(untilMs, until.get(place) ?? 0));
}

function accept(state: State, place: ServerName, socket: SimulatedSocket): void {
  if (worldMs() < (state.awayUntilMs.get(place) ?? 0)) return void socket.destroy();
  const session: Session = {
    place,
    socket,
    real: new Connection(state.server),
    texts: new Map(),
    unread: Buffer.alloc(0),
    batch: [],
    hasBegun: false,
    isListening: false,
    hasNotified: false,
    isEnded: false,
    isKilled: false,
    arrived: 0,
    goesOn: null,
  };
  state.sessions.add(session);
  socket.on("data", (chunk: Buffer) => {
    session.unread = Buffer.concat([session.unread, chunk]);
    read(state, session);
  });
  socket.on("error", () => undefined);
  socket.once("close", () => end(state, session));
}

/** Takes what has arrived apart: a request ends with Sync, or is a plain query. */
function read(state: State, session: Session): void {
  while (session.unread.length >= 5) {
    const head = session.hasBegun ? 1 : 0;
    const length = session.unread.readInt32BE(head) + head;
    if (session.unread.length < length) return;
    const one = session.unread.subarray(0, length);
    session.unread = session.unread.subarray(length);
    if (!session.hasBegun) {
      session.hasBegun = true;
      const startup = startupOf(
        state.server,
        parameterOf(one, "application_name"),
        parameterOf(one, "options"),
      );
      admit(state, session, startup, "connect", { delayMs: 0 });
      continue;
    }
    const type = String.fromCharCode(one[0]!);
    if (type === "X") return void session.socket.destroy();
    session.batch.push(one);
    if (type !== "S" && type !== "Q") continue;
    const text = textOf(session.batch, session.texts);
    const bytes = Buffer.concat(session.batch);
    session.batch = [];
    admit(state, session, bytes, text, state.hooks.fateOf(text, isWithin(session)));
  }
}

function admit(state: State, session: Session, bytes: Buffer, text: string, fate: RequestFate): void {
  if (fate.cut === "before") return void session.socket.destroy();
  session.arrived += 1;
  const run = async () => {
    const wasEnded = session.isEnded;
    session.arrived -= 1;
    if (!session.isKilled) await runRequest(state, session, bytes, text, fate);
    if (wasEnded && session.arrived === 0) letGo(state, session);
  };
  const job: Job = { session, run };
  const arrive = () => {
    state.jobs.push(job);
    next(state);
  };
  const silentMs = isWithin(session) ? 0 : (state.silentUntilMs.get(session.place) ?? 0) - worldMs();
  after(Math.max(fate.delayMs, silentMs), arrive, WORLD);
}

/** In a transaction that has begun, or failed. */
function isWithin({ real }: Session): boolean {
  return real.state === "T" || real.state === "E";
}

/** Runs the next job that no lock keeps, once all else is at rest. */
function next(state: State): void {
  onceAtRest(async () => {
    const at = state.jobs.findIndex(({ session }) => session.goesOn === null);
    if (at !== -1) await state.jobs.splice(at, 1)[0]!.run();
  });
}

async function runRequest(
  state: State,
  session: Session,
  bytes: Buffer,
  text: string,
  fate: RequestFate,
): Promise<void> {
  const { real } = session;
  if (fate.refuse !== undefined) {
    // A transaction that was refused a statement takes no more.
    if (real.state === "T") await real.ask(query("select 1 / 0"));
    const refused = Buffer.concat([refusal(fate.refuse), message("Z", Buffer.from(real.state))]);
    return void (session.isEnded || session.socket.write(refused));
  }
  if (/^listen /i.test(text)) session.isListening = true;
  if (text.includes("pg_notify")) session.hasNotified = true;
  const answer = real.ask(bytes);
  const finish = async () => finishRequest(state, session, text, fate, await answer);
  if (await isAnsweredBeforeALock(state, session, answer)) return finish();
  session.goesOn = { answer, finish };
}

async function finishRequest(
  state: State,
  session: Session,
  text: string,
  fate: RequestFate,
  answer: Answer,
): Promise<void> {
  state.hooks.onRan(text);
  if (fate.cut === "after" || answer.isLost) session.socket.destroy();
  else if (!session.isEnded) {
    session.socket.write(answer.bytes);
    passNotified(state, session);
  }
  if (session.hasNotified && session.real.state === "I") await passNotifications(state, session);
  if (text.includes("pg_terminate_backend")) await noticeEnded(state);
  if (session.real.state === "I") await goOn(state);
}

/** Requests that a lock has kept go on, now that a transaction has ended. */
async function goOn(state: State): Promise<void> {
  for (const session of state.sessions) {
    const { goesOn } = session;
    if (goesOn === null || (await isLocked(state, session))) continue;
    // Another lock may keep it now.
    if (!(await isAnsweredBeforeALock(state, session, goesOn.answer))) continue;
    session.goesOn = null;
    next(state);
    await goesOn.finish();
  }
}

/** Sessions that listen are asked something: the server sends what has been notified before it answers. */
async function passNotifications(state: State, from: Session): Promise<void> {
  from.hasNotified = false;
  for (const session of state.sessions) {
    const { isListening, isEnded, goesOn, real } = session;
    if (!isListening || isEnded || goesOn !== null || real.state !== "I") continue;
    await real.ask(query(""));
    passNotified(state, session);
  }
}

/** Sends on what a session was notified of, but not by a request that a lock kept: that may have run now, beside all else. */
function passNotified(state: State, { isEnded, socket, real }: Session): void {
  const isKept = (pid: number) =>
    [...state.sessions].some((one) => one.goesOn !== null && one.real.pid === pid);
  const due = real.notifications.filter(({ pid }) => !isKept(pid));
  if (due.length === 0) return;
  real.notifications = real.notifications.filter((one) => !due.includes(one));
  if (!isEnded) socket.write(Buffer.concat(due.map(({ whole }) => whole)));
}

/** Of state.sessions that a statement has ended, the connections close now. */
async function noticeEnded(state: State): Promise<void> {
  const alive = new Set(await observed(state, "select pid from pg_stat_activity"));
  for (const { real, socket } of state.sessions)
    if (real.pid !== 0 && !alive.has(String(real.pid))) socket.destroy();
}

async function isAnsweredBeforeALock(
  state: State,
  session: Session,
  answer: Promise<Answer>,
): Promise<boolean> {
  for (;;) {
    if ((await Promise.race([answer, realDelay(LOCKED_AFTER_MS)])) !== undefined) return true;
    if (await isLocked(state, session)) return false;
  }
}

async function isLocked(state: State, { real }: Session): Promise<boolean> {
  return (await observed(state, `select cardinality(pg_blocking_pids(${real.pid}))`))[0] !== "0";
}

/** The first column of what the state.observer is answered. */
async function observed(state: State, text: string): Promise<readonly string[]> {
  const { bytes } = await state.observer.ask(query(text));
  return [...messagesOf(bytes)].flatMap(({ type, body }) =>
    type === "D" ? [body.subarray(6).toString()] : [],
  );
}

/** A server notices that its client has gone once it has run what had arrived, as real ones do. */
function end(state: State, session: Session): void {
  if (session.isEnded) return;
  session.isEnded = true;
  if (session.arrived === 0 || session.isKilled) letGo(state, session);
}

/** The server has rolled back, and let go of what the session held, before anything else runs. */
function letGo(state: State, session: Session): void {
  const run = async () => {
    session.goesOn = null;
    if (session.real.pid === 0) session.real.close();
    else await observed(state, `select pg_terminate_backend(${session.real.pid})`);
    await session.real.closed;
    state.sessions.delete(session);
    await goOn(state);
  };
  state.jobs.unshift({ session: { ...session, goesOn: null }, run });
  next(state);
}
