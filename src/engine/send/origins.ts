/**
 * Keep-alive connections to every origin, bounded for one origin and in all. An exchange takes the most
 * recently used idle connection. If there is none it waits, and connections are opened while more exchanges
 * wait than connections are opening: one at first, then as many again as are open. So a burst to one slow
 * receiver grows quickly, and a receiver that hangs holds one.
 *
 *      exchange ─▶ idle connection ─▶ begun
 *          └─ none ─▶ waiting ─▶ a connection becomes idle or opens ─▶ begun
 *                        └─ opening fails ─▶ the exchange that waited longest fails with it
 *
 *      connection: opening ─▶ busy ⇄ idle ─▶ retired: closed by either side, not clean, or the
 *                                            oldest idle one at the bound
 */
import type { Cancel, Clock } from "../../runtime/clock.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import { TransientSet } from "../../runtime/transient.ts";
import { KEEP_ALIVE_MS } from "./answer.ts";
import type { Connect, Connected } from "./connect.ts";
import {
  beginExchange,
  createConnection,
  fail,
  writeRequest,
  type Connection,
  type Exchange,
  type Opening,
  type Origin,
} from "./connection.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import type { TargetUrl } from "./target-url.ts";

export type Origins = ReturnType<typeof createOrigins>;

export type OriginBounds = {
  /** Connections to one origin. */
  readonly connectionsPerOriginMax: number;
  /** Connections in all, no fewer than the exchanges that may be open at once; an idle one takes about 45 KB. */
  readonly connectionsMax: number;
};

type Pool = {
  readonly clock: Clock;
  readonly connect: Connect;
  readonly bounds: OriginBounds;
  readonly origins: Map<string, Origin>;
  /** Of all origins, least recently used first. */
  readonly idle: TransientSet<Connection>;
  /** Begun on a connection that was used. */
  readonly begun: Outbox<Connection>;
  /** Origins that may not open a connection until another closes. */
  readonly starved: Set<Origin>;
  connectionCount: number;
  /** Set while a connection is idle. */
  cancelSweep: Cancel | null;
  isClosed: boolean;
};

/** A connection may stay idle so much longer; a receiver that announces a time allows for more. */
const SWEEP_INTERVAL_MS = SECOND_MS;

export function createOrigins(clock: Clock, connect: Connect, bounds: OriginBounds) {
  const pool: Pool = {
    clock,
    connect,
    bounds,
    origins: new Map(),
    idle: new TransientSet(),
    begun: createOutbox(setImmediate, writeRequest),
    starved: new Set(),
    connectionCount: 0,
    cancelSweep: null,
    isClosed: false,
  };
  return {
    /** Begins the exchange on an idle connection, or lets it wait for one. */
    begin: (exchange: Exchange): void => begin(pool, exchange),
    /** The same, on a connection opened from now on. */
    beginOnFresh: (exchange: Exchange): void => beginOnFresh(pool, exchange),
    /** What a connection for the exchange was opened to, or is being opened to; null: nothing. */
    addressOf: ({ connection, target }: Exchange): string | null =>
      connection === null ? (pool.origins.get(target.origin)?.tried ?? null) : connection.address,
    /** Lets go of an exchange that has ended, whether it waited or was open. */
    release: (exchange: Exchange): void => release(pool, exchange),
    /** Closes everything. */
    close: (): void => close(pool),
    /** Connections open or opening. */
    connectionCount: (): number => pool.connectionCount,
  };
}

function begin(pool: Pool, exchange: Exchange): void {
  const origin = originOf(pool, exchange.target);
  const connection = origin.idle.pop();
  if (connection === undefined) {
    origin.waiting.add(exchange);
    return grow(pool, origin);
  }
  pool.idle.delete(connection);
  beginOnUsed(pool, connection, exchange);
}

function beginOnUsed({ begun }: Pool, connection: Connection, exchange: Exchange): void {
  beginExchange(connection, exchange);
  begun.put(connection);
}

function beginOnFresh(pool: Pool, exchange: Exchange): void {
  const lost = exchange.connection!;
  exchange.connection = null;
  const origin = originOf(pool, exchange.target);
  origin.waitingForFresh.add(exchange);
  retire(pool, lost);
  grow(pool, origin);
}

function release(pool: Pool, exchange: Exchange): void {
  const { connection } = exchange;
  if (connection === null) return withdraw(pool, exchange);
  connection.exchange = null;
  if (!exchange.isClean || connection.socket.destroyed) return retire(pool, connection);
  connection.wasIdle = true;
  const next = first(connection.origin.waiting);
  if (next === undefined) return keepIdle(pool, connection);
  connection.origin.waiting.delete(next);
  beginOnUsed(pool, connection, next);
}

function close(pool: Pool): void {
  pool.isClosed = true;
  pool.cancelSweep?.();
  for (const connection of pool.idle) retire(pool, connection);
  for (const origin of pool.origins.values()) {
    for (const opening of origin.opening) opening.cancel?.();
    pool.connectionCount -= origin.opening.size;
    origin.opening.clear();
  }
}

function originOf({ origins }: Pool, target: TargetUrl): Origin {
  const known = origins.get(target.origin);
  if (known !== undefined) return known;
  const made: Origin = {
    target,
    idle: [],
    open: 0,
    opening: new TransientSet(),
    waiting: new TransientSet(),
    waitingForFresh: new TransientSet(),
    isGrowing: false,
    tried: null,
  };
  origins.set(target.origin, made);
  return made;
}

function dropIfUnused({ origins, starved }: Pool, origin: Origin): void {
  if (origin.open + origin.opening.size + waitingCount(origin) > 0) return;
  starved.delete(origin);
  origins.delete(origin.target.origin);
}

function waitingCount({ waiting, waitingForFresh }: Origin): number {
  return waiting.size + waitingForFresh.size;
}

function grow(pool: Pool, origin: Origin): void {
  // An opening may fail before `open` returns; the loop sees that, so nothing nests.
  if (origin.isGrowing || pool.isClosed) return;
  origin.isGrowing = true;
  while (mayOpenAnother(pool, origin)) {
    if (pool.connectionCount >= pool.bounds.connectionsMax && !retireOldestIdle(pool)) {
      pool.starved.add(origin);
      break;
    }
    open(pool, origin);
  }
  origin.isGrowing = false;
  dropIfUnused(pool, origin);
}

function mayOpenAnother({ bounds }: Pool, origin: Origin): boolean {
  const opening = origin.opening.size;
  return (
    waitingCount(origin) > opening &&
    opening < Math.max(1, origin.open) &&
    origin.open + opening < bounds.connectionsPerOriginMax
  );
}

function open(pool: Pool, origin: Origin): void {
  const opening: Opening = { cancel: null };
  origin.opening.add(opening);
  pool.connectionCount += 1;
  origin.tried = null;
  opening.cancel = pool.connect(
    origin.target,
    (connected) => {
      origin.opening.delete(opening);
      if (connected.ok) onConnected(pool, origin, connected);
      else onConnectFailed(pool, origin, connected);
      grow(pool, origin);
    },
    (address) => (origin.tried = address),
  );
}

function onConnected(pool: Pool, origin: Origin, connected: Connected & { ok: true }): void {
  const connection = createConnection(origin, connected, (lost) => retire(pool, lost));
  origin.open += 1;
  const next = takeWaiting(origin);
  if (next === undefined) return keepIdle(pool, connection);
  beginExchange(connection, next);
  writeRequest(connection);
}

function onConnectFailed(pool: Pool, origin: Origin, { error }: Connected & { ok: false }): void {
  onClosed(pool);
  // Exchanges that waited this long have a deadline of their own; later ones deserve another connection.
  if (error.code === "timeout") return;
  const next = takeWaiting(origin);
  if (next !== undefined) fail(next, error);
}

/** For a connection that has carried nothing yet: exchanges that need a fresh one go first. */
function takeWaiting(origin: Origin): Exchange | undefined {
  const next = first(origin.waitingForFresh) ?? first(origin.waiting);
  if (next !== undefined && !origin.waitingForFresh.delete(next)) origin.waiting.delete(next);
  return next;
}

function keepIdle(pool: Pool, connection: Connection): void {
  if (pool.starved.size > 0 || pool.isClosed) return retire(pool, connection);
  connection.wasIdle = true;
  connection.idleUntilMs = pool.clock.monotonicMs() + (connection.answer.keepAliveMs || KEEP_ALIVE_MS);
  connection.origin.idle.push(connection);
  pool.idle.add(connection);
  pool.cancelSweep ??= pool.clock.after(SWEEP_INTERVAL_MS, () => sweep(pool));
}

/** Closes what has been idle for too long. */
function sweep(pool: Pool): void {
  const nowMs = pool.clock.monotonicMs();
  for (const connection of pool.idle) if (connection.idleUntilMs <= nowMs) retire(pool, connection);
  pool.cancelSweep = pool.idle.size === 0 ? null : pool.clock.after(SWEEP_INTERVAL_MS, () => sweep(pool));
}

function retireOldestIdle(pool: Pool): boolean {
  const oldest = first(pool.idle);
  if (oldest !== undefined) retire(pool, oldest);
  return oldest !== undefined;
}

function retire(pool: Pool, connection: Connection): void {
  if (connection.isRetired) return;
  connection.isRetired = true;
  const { origin } = connection;
  if (pool.idle.delete(connection)) origin.idle.splice(origin.idle.indexOf(connection), 1);
  origin.open -= 1;
  connection.socket.destroy();
  onClosed(pool);
  grow(pool, origin);
}

function onClosed(pool: Pool): void {
  pool.connectionCount -= 1;
  const next = first(pool.starved);
  if (next === undefined || pool.isClosed) return;
  pool.starved.delete(next);
  grow(pool, next);
}

/** Takes an exchange that has ended out of the waiting ones. */
function withdraw(pool: Pool, exchange: Exchange): void {
  const origin = pool.origins.get(exchange.target.origin);
  if (origin === undefined) return;
  origin.waiting.delete(exchange);
  origin.waitingForFresh.delete(exchange);
  // Cancel openings that no exchange waits for, oldest first: that one most likely hangs.
  while (origin.opening.size > waitingCount(origin)) {
    const opening = first(origin.opening)!;
    opening.cancel?.();
    origin.opening.delete(opening);
    onClosed(pool);
  }
  dropIfUnused(pool, origin);
}

function first<T>(set: Pick<ReadonlySet<T>, "size" | "values">): T | undefined {
  return set.size === 0 ? undefined : set.values().next().value;
}
