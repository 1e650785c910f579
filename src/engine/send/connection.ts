/** A connection that carries one exchange after the other: a TLS socket with undici's HTTP/1.1 on it. */
import type { TLSSocket } from "node:tls";

import { Client, type Dispatcher } from "undici";

import { CONNECTION_GONE } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { Origin } from "./origins.ts";
import { MINUTE_MS } from "../../runtime/durations.ts";

export type Connection = {
  readonly origin: Origin;
  readonly socket: TLSSocket;
  readonly client: Client;
  /** True once it has been kept for later: the receiver may have closed it unseen. */
  wasIdle: boolean;
  exchange: Exchange | null;
  /** Ends {@link watchUnused}, null where nothing watches. */
  unwatch: (() => void) | null;
  /** True once it counts no longer; its socket may take a moment to close. */
  isRetired: boolean;
};

/** The header section of an answer, bytes. */
export const ANSWER_HEADER_BYTES_MAX = 16 * 1024;

/**
 * How long a connection is kept for the next exchange, milliseconds, unless the receiver announces another
 * time.
 */
const KEEP_ALIVE_MS = MINUTE_MS;
const KEEP_ALIVE_MS_MAX = 120_000;

const CLIENT_OPTIONS = {
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
  keepAliveTimeout: KEEP_ALIVE_MS,
  keepAliveMaxTimeout: KEEP_ALIVE_MS_MAX,
  // The deadline of the attempt is kept elsewhere: these two fall asleep while bytes drip.
  headersTimeout: 0,
  bodyTimeout: 0,
} satisfies Client.Options;

export function createConnection(origin: Origin, socket: TLSSocket): Connection {
  let isHandedOver = false;
  // One client, one socket: a client that asks for another has lost its own, and opening one is not its
  // business.
  const client = new Client(origin.target.origin, {
    ...CLIENT_OPTIONS,
    connect(_options, callback) {
      const error = isHandedOver ? connectionGone() : null;
      isHandedOver = true;
      // undici does not expect its answer before this returns.
      queueMicrotask(() => (error === null ? callback(null, socket) : callback(error, null)));
    },
  });
  return { origin, socket, client, wasIdle: false, exchange: null, unwatch: null, isRetired: false };
}

/**
 * Calls `over` when a connection that has carried nothing yet has waited for too long. From the first
 * exchange on undici sees to that.
 */
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

/** undici has read it all by the time `dispatch` returns. */
const dispatchOptions: Dispatcher.DispatchOptions = { path: "", method: "POST" };

/** Puts the exchange on the connection, which must be free. */
export function beginExchange(connection: Connection, exchange: Exchange): void {
  connection.unwatch?.();
  connection.exchange = exchange;
  exchange.connection = connection;
  dispatchOptions.path = exchange.target.path;
  dispatchOptions.headers = exchange.headers;
  dispatchOptions.body = exchange.body;
  connection.client.dispatch(dispatchOptions, exchange);
}

function connectionGone(): Error {
  return Object.assign(new Error("the connection is gone"), { code: CONNECTION_GONE });
}
