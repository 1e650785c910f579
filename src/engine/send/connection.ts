/**
 * A keep-alive connection: a TLS socket with undici's HTTP/1.1 client on it. It carries one exchange after the
 * other.
 */
import type { TLSSocket } from "node:tls";

import { Client, type Dispatcher } from "undici";

import type { Cancel } from "../../runtime/clock.ts";
import { CONNECTION_GONE } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { MINUTE_MS } from "../../runtime/durations.ts";
import type { TargetUrl } from "./target-url.ts";

export type Connection = {
  readonly origin: Origin;
  readonly socket: TLSSocket;
  /** The receiver's; the socket forgets it when it closes. */
  readonly address: string | null;
  readonly client: Client;
  /** True once it has been idle: the receiver may have closed it unnoticed. */
  wasIdle: boolean;
  /** Ends {@link watchUnused}, null while nothing watches. */
  unwatch: (() => void) | null;
  /** True once it no longer counts; its socket may take a moment to close. */
  isRetired: boolean;
};

/** The connections of one `https://host[:port]`, and the exchanges that wait for them. */
export type Origin = {
  readonly target: TargetUrl;
  /** The most recently used is last and is taken first. */
  readonly idle: Connection[];
  /** Busy and idle. */
  open: number;
  readonly opening: Set<Opening>;
  readonly waiting: Set<PooledExchange>;
  /** These need a connection that has carried nothing yet. */
  readonly waitingForFresh: Set<PooledExchange>;
  isGrowing: boolean;
  /** The address that the latest opening has tried last. */
  tried: string | null;
};

export type Opening = { cancel: Cancel | null };

export type PooledExchange = Exchange<Connection>;

/** The headers of an answer, bytes. */
const ANSWER_HEADER_BYTES_MAX = 16 * 1024;

/** How long a connection stays idle, milliseconds, unless the receiver announces another time. */
const KEEP_ALIVE_MS = MINUTE_MS;
const KEEP_ALIVE_MS_MAX = 120_000;

const CLIENT_OPTIONS = {
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
  keepAliveTimeout: KEEP_ALIVE_MS,
  keepAliveMaxTimeout: KEEP_ALIVE_MS_MAX,
  // `attempt.ts` keeps the deadline: these two restart with every byte.
  headersTimeout: 0,
  bodyTimeout: 0,
} satisfies Client.Options;

export function createConnection(origin: Origin, socket: TLSSocket): Connection {
  requireHttp1(socket);
  let isHandedOver = false;
  // One client, one socket: a client that asks for another has lost its own and must not open one itself.
  const client = new Client(origin.target.origin, {
    ...CLIENT_OPTIONS,
    connect(_options, callback) {
      const error = isHandedOver ? connectionGone() : null;
      isHandedOver = true;
      // undici does not expect the callback before this returns.
      queueMicrotask(() => (error === null ? callback(null, socket) : callback(error, null)));
    },
  });
  const address = socket.remoteAddress ?? null;
  return { origin, socket, address, client, wasIdle: false, unwatch: null, isRetired: false };
}

/** Where an answer says which version it is of: `HTTP/1.1 200 OK`. */
const VERSION_AT = 5;

/** The parser takes a status line of any version it knows for one of HTTP/1.1; the first answer shows what the receiver speaks. */
function requireHttp1(socket: TLSSocket): void {
  const { read } = socket;
  socket.read = (size) => {
    const chunk = read.call(socket, size) as Buffer | null;
    if (chunk === null) return null;
    socket.read = read;
    const isOther = chunk.length > VERSION_AT && chunk.toString("latin1", 0, VERSION_AT + 1) === "HTTP/2";
    if (!isOther) return chunk;
    socket.destroy(Object.assign(new Error("the answer is of HTTP/2"), { code: "HPE_INVALID_VERSION" }));
    return null;
  };
}

/** Calls `over` when a connection that has carried nothing yet is idle for too long; later undici does that. */
export function watchUnused(connection: Connection, over: () => void): void {
  const { socket } = connection;
  socket.setTimeout(KEEP_ALIVE_MS, over);
  socket.unref();
  connection.unwatch = () => {
    connection.unwatch = null;
    socket.off("timeout", over);
    socket.setTimeout(0);
    socket.ref();
  };
}

/** One object for all: undici has read it by the time `dispatch` returns. */
const dispatchOptions: Dispatcher.DispatchOptions = { path: "", method: "POST" };

/** Sends the exchange over the connection, which must be free. */
export function beginExchange(connection: Connection, exchange: PooledExchange): void {
  connection.unwatch?.();
  exchange.connection = connection;
  dispatchOptions.path = exchange.target.path;
  dispatchOptions.headers = exchange.headers;
  dispatchOptions.body = exchange.body;
  connection.client.dispatch(dispatchOptions, exchange);
}

function connectionGone(): Error {
  return Object.assign(new Error("the connection is gone"), { code: CONNECTION_GONE });
}
