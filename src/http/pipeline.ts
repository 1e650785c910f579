/**
 * Handles the requests of one connection one at a time. Clients may send many without awaiting answers (pipelining);
 * Node would parse all that arrived, and start each, before it turned to another connection: a few such clients held up
 * everybody for seconds.
 *
 *     data ─▶ a slice ─▶ parsed ─▶ a request ─▶ handled ─▶ answered ─▶ the next, in a later turn of the event loop
 *      ▲ └─▶ the rest stays in the socket        └─▶ waits while another is handled ─┘
 *      └───────────────────── when none waits ─────────────────────────────────────────┘
 *
 * A client that sends no more (FIN) still gets the answers to all that it sent; then the connection ends.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What is parsed at once, but for bodies: some forty requests at most, more than one needs. */
const SLICE_BYTES_MAX = 1024;

/** The same while a body in chunks goes on, whose end only the parser finds. */
const CHUNKS_BYTES_MAX = 16 * 1024;

type Connection = {
  /** Parsed, while another is handled. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
  isHandling: boolean;
  /** The socket is paused until none waits. */
  isHeld: boolean;
  /** At least so many of the next bytes are the latest request's body, and hold no other: they need no slices. */
  bodyBytesLeft: number;
  /** Whether the latest request's body, in chunks, goes on. */
  isInChunks: () => boolean;
};

/** Calls `createServer` with a listener for requests, and paces the server's connections. */
export function paced(handle: RequestListener, createServer: (handle: RequestListener) => Server): Server {
  const connections = new WeakMap<Socket, Connection>();
  const server = createServer((request, response) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) {
      connection.bodyBytesLeft = Number(request.headers["content-length"] ?? 0);
      connection.isInChunks = () => !request.complete && request.headers["transfer-encoding"] !== undefined;
    }
    if (connection?.isHandling === true) connection.waiting.push([request, response]);
    else start(connection, handle, request, response);
  });
  // Node reads this, and ends a connection at once without it; its types and documents do not name it.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server.on("connection", (socket) => {
    const connection = {
      waiting: [],
      isHandling: false,
      isHeld: false,
      bodyBytesLeft: 0,
      isInChunks: () => false,
    };
    connections.set(socket, connection);
    slice(socket, connection);
  });
}

function start(
  connection: Connection | undefined,
  handle: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (connection !== undefined) {
    connection.isHandling = true;
    response.once("close", () => {
      connection.isHandling = false;
      const next = connection.waiting.shift();
      if (request.socket.destroyed) return;
      if (next !== undefined) {
        // Taken already: what is parsed until then waits behind it.
        connection.isHandling = true;
        setImmediate(start, connection, handle, ...next);
      } else proceed(request.socket, connection);
    });
  }
  handle(request, response);
  if (connection?.waiting.length === 0) proceed(request.socket, connection);
}

/** Puts itself between the socket and Node's parser. */
function slice(socket: Socket, connection: Connection): void {
  const [parse, ...others] = socket.listeners("data") as ((data: Buffer) => void)[];
  if (parse === undefined || others.length > 0) return;
  socket.removeListener("data", parse);
  socket.on("data", (data: Buffer) => {
    const sliceMax = connection.isInChunks() ? CHUNKS_BYTES_MAX : SLICE_BYTES_MAX;
    const bytesMax = Math.max(sliceMax, connection.bodyBytesLeft);
    const rest = connection.waiting.length > 0 ? data : data.subarray(bytesMax);
    if (rest.length > 0) {
      connection.isHeld = true;
      socket.pause();
      socket.unshift(rest);
    }
    if (rest === data) return;
    const parsed = data.subarray(0, bytesMax);
    parse(parsed);
    // Its header may have been among them: then more is left.
    connection.bodyBytesLeft -= Math.min(connection.bodyBytesLeft, parsed.length);
    if (connection.isHeld && connection.waiting.length === 0) setImmediate(proceed, socket, connection);
  });
  // Node reads no further either while the client does not take its answers.
  socket.on("drain", () => proceed(socket, connection));
}

function proceed(socket: Socket, connection: Connection): void {
  if (!connection.isHeld || connection.waiting.length > 0 || socket.writableNeedDrain) return;
  connection.isHeld = false;
  socket.resume();
}
