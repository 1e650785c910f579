/**
 * Keep-alive connections to every origin, bounded in number for one origin and in all. An exchange takes
 * the connection that was used last; where none is free it waits, and connections are added while more wait
 * than are being opened: one, then as many again as are open. So a burst to one slow receiver grows quickly
 * and a receiver that hangs holds one.
 *
 *      exchange ─▶ free connection ─▶ begun
 *          └─ none ─▶ waiting ─▶ a connection comes free or opens ─▶ begun
 *                        └─ opening fails ─▶ the one that waited longest fails with it
 *
 *      connection: opening ─▶ busy ⇄ idle ─▶ retired: closed by either side, not clean, or the
 *                                            oldest idle one at the bound
 */
import type { Cancel } from "../../runtime/clock.ts";
import type { Connect, Connected } from "./connect.ts";
import { beginExchange, createConnection, watchUnused, type Connection } from "./connection.ts";
import type { Exchange } from "./exchange.ts";
import type { TargetUrl } from "./target-url.ts";

export type Origin = {
  readonly target: TargetUrl;
  /** The last one used is at the end and is taken first. */
  readonly idle: Connection[];
  /** Busy and idle. */
  open: number;
  readonly opening: Set<Opening>;
  readonly waiting: Set<Exchange>;
  /** These want a connection that has served nobody yet. */
  readonly waitingForFresh: Set<Exchange>;
  isGrowing: boolean;
};

type Opening = { cancel: Cancel | null };

export type Origins = {
  /** Begins the exchange on a free connection, or has it wait for one. */
  begin(exchange: Exchange): void;
  /** The same, on a connection opened from now on. */
  beginOnFresh(exchange: Exchange): void;
  /** Lets go of an exchange that has ended, whether it waited or was open. */
  release(exchange: Exchange): void;
  /** Closes everything. */
  close(): void;
  /** Connections open or being opened. */
  connectionCount(): number;
};

export type OriginBounds = {
  /** Connections to one origin. */
  readonly connectionsPerOriginMax: number;
  /** Connections in all, no fewer than exchanges may be open at a time; an idle one takes about 45 KB. */
  readonly connectionsMax: number;
};

export function createOrigins(connect: Connect, bounds: OriginBounds): Origins {
  const origins = new Map<string, Origin>();
  /** Of all origins, the one unused for longest first. */
  const idle = new Set<Connection>();
  /** Origins that may not open a connection until another closes. */
  const starved = new Set<Origin>();
  let connectionCount = 0;
  let isClosed = false;

  function originOf(target: TargetUrl): Origin {
    const known = origins.get(target.origin);
    if (known !== undefined) return known;
    const [opening, waiting, waitingForFresh] = [
      new Set<Opening>(),
      new Set<Exchange>(),
      new Set<Exchange>(),
    ];
    const made = { target, idle: [], open: 0, opening, waiting, waitingForFresh, isGrowing: false };
    origins.set(target.origin, made);
    return made;
  }

  function forgetIfUnused(origin: Origin): void {
    const waiters = origin.waiting.size + origin.waitingForFresh.size;
    if (origin.open + origin.opening.size + waiters > 0) return;
    starved.delete(origin);
    origins.delete(origin.target.origin);
  }

  function grow(origin: Origin): void {
    // An opening may fail before `open` returns; the loop sees that, so that nothing nests.
    if (origin.isGrowing || isClosed) return;
    origin.isGrowing = true;
    while (mayOpenAnother(origin)) {
      if (connectionCount >= bounds.connectionsMax && !retireOldestIdle()) {
        starved.add(origin);
        break;
      }
      open(origin);
    }
    origin.isGrowing = false;
    forgetIfUnused(origin);
  }

  function mayOpenAnother(origin: Origin): boolean {
    const opening = origin.opening.size;
    return (
      origin.waiting.size + origin.waitingForFresh.size > opening &&
      opening < Math.max(1, origin.open) &&
      origin.open + opening < bounds.connectionsPerOriginMax
    );
  }

  function open(origin: Origin): void {
    const opening: Opening = { cancel: null };
    origin.opening.add(opening);
    connectionCount += 1;
    opening.cancel = connect(origin.target, (connected) => {
      origin.opening.delete(opening);
      if (connected.ok) take(origin, connected);
      else miss(origin, connected);
      grow(origin);
    });
  }

  function take(origin: Origin, { socket }: Connected & { ok: true }): void {
    const connection = createConnection(origin, socket);
    origin.open += 1;
    socket.once("close", () => retire(connection));
    const next = takeWaiting(origin);
    if (next !== undefined) return beginExchange(connection, next);
    rest(connection);
    if (!connection.isRetired) watchUnused(connection, () => retire(connection));
  }

  function miss(origin: Origin, { error }: Connected & { ok: false }): void {
    closeOne();
    // Whoever has waited for so long has a deadline of its own; whoever came later deserves another
    // connection.
    if (error.code === "timeout") return;
    takeWaiting(origin)?.fail(error);
  }

  /** For a connection that nobody has used: whoever insists on one goes first. */
  function takeWaiting(origin: Origin): Exchange | undefined {
    const next = first(origin.waitingForFresh) ?? first(origin.waiting);
    if (next !== undefined && !origin.waitingForFresh.delete(next)) origin.waiting.delete(next);
    return next;
  }

  function rest(connection: Connection): void {
    if (starved.size > 0 || isClosed) return retire(connection);
    connection.wasIdle = true;
    connection.origin.idle.push(connection);
    idle.add(connection);
  }

  function retireOldestIdle(): boolean {
    const oldest = first(idle);
    if (oldest !== undefined) retire(oldest);
    return oldest !== undefined;
  }

  function retire(connection: Connection): void {
    if (connection.isRetired) return;
    connection.isRetired = true;
    const { origin } = connection;
    if (idle.delete(connection)) origin.idle.splice(origin.idle.indexOf(connection), 1);
    origin.open -= 1;
    connection.socket.destroy();
    closeOne();
    grow(origin);
  }

  function closeOne(): void {
    connectionCount -= 1;
    const next = first(starved);
    if (next === undefined || isClosed) return;
    starved.delete(next);
    grow(next);
  }

  function leave(exchange: Exchange): void {
    const origin = origins.get(exchange.target.origin);
    if (origin === undefined) return;
    origin.waiting.delete(exchange);
    origin.waitingForFresh.delete(exchange);
    // A connection that nobody waits for any more is not worth finishing; the oldest is the likeliest to
    // hang.
    while (origin.opening.size > origin.waiting.size + origin.waitingForFresh.size) {
      const opening = first(origin.opening)!;
      opening.cancel?.();
      origin.opening.delete(opening);
      closeOne();
    }
    forgetIfUnused(origin);
  }

  return {
    begin(exchange) {
      const origin = originOf(exchange.target);
      const connection = origin.idle.pop();
      if (connection === undefined) {
        origin.waiting.add(exchange);
        return grow(origin);
      }
      idle.delete(connection);
      beginExchange(connection, exchange);
    },
    beginOnFresh(exchange) {
      const lost = exchange.connection!;
      lost.exchange = null;
      exchange.connection = null;
      const origin = originOf(exchange.target);
      origin.waitingForFresh.add(exchange);
      retire(lost);
      grow(origin);
    },
    release(exchange) {
      const { connection } = exchange;
      if (connection === null) return leave(exchange);
      connection.exchange = null;
      if (!exchange.isClean || connection.socket.destroyed) return retire(connection);
      connection.wasIdle = true;
      const next = first(connection.origin.waiting);
      if (next === undefined) return rest(connection);
      connection.origin.waiting.delete(next);
      beginExchange(connection, next);
    },
    close() {
      isClosed = true;
      for (const connection of idle) retire(connection);
      for (const origin of origins.values()) {
        for (const opening of origin.opening) opening.cancel?.();
        connectionCount -= origin.opening.size;
        origin.opening.clear();
      }
    },
    connectionCount: () => connectionCount,
  };
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  return set.size === 0 ? undefined : set.values().next().value;
}
