/** Receivers on loopback: a plain one that counts, and hostile ones that do what no receiver should. */
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions, type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";

export type Receiver = {
  readonly port: number;
  /** TCP connections accepted so far. */
  connections(): number;
  /** Bytes of requests read so far, over all connections. */
  bytesRead(): number;
  close(): Promise<void>;
};

export type RequestCount = {
  /** Of this connection, from 1. */
  readonly onConnection: number;
  /** Of all connections, from 1. */
  readonly inAll: number;
};

/** Answers one request, given as text, by writing to the socket whatever it likes. */
export type Behaviour = (socket: Socket, count: RequestCount, request: string) => void;

export const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** A TLS receiver that calls `behave` once a whole request has come. */
export function startReceiver(options: TlsOptions, behave: Behaviour): Promise<Receiver> {
  let requests = 0;
  return listen((track) =>
    createTlsServer(options, (socket: TLSSocket) => {
      track.opened(socket);
      let onConnection = 0;
      let text = "";
      socket.on("data", (chunk: Buffer) => {
        track.read(chunk.length);
        text += chunk.toString("latin1");
        for (let length = requestLength(text); length !== null; length = requestLength(text)) {
          const request = text.slice(0, length);
          text = text.slice(length);
          behave(socket, { onConnection: ++onConnection, inAll: ++requests }, request);
        }
      });
    }),
  );
}

/** A TCP receiver below TLS: `behave` gets the connection as it was accepted. */
export function startTcpReceiver(behave: (socket: Socket) => void): Promise<Receiver> {
  return listen((track) =>
    createTcpServer((socket) => {
      track.opened(socket);
      socket.on("data", (chunk) => track.read(chunk.length));
      behave(socket);
    }),
  );
}

type ConnectionTracker = { opened(socket: Socket): void; read(bytes: number): void };

async function listen(create: (track: ConnectionTracker) => Server): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let bytesRead = 0;
  let isClosed = false;
  const server = create({
    opened(socket) {
      // A handshake may end after the last socket is closed below.
      if (isClosed) socket.destroy();
      connections += 1;
      sockets.add(socket);
      // Otherwise an answer waits for the acknowledgement of the session tickets, 40 ms.
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    },
    read: (bytes) => (bytesRead += bytes),
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    bytesRead: () => bytesRead,
    close() {
      isClosed = true;
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function requestLength(text: string): number | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const length = headEnd + 4 + Number(/content-length: (\d+)/iu.exec(text)?.[1] ?? 0);
  return text.length < length ? null : length;
}

/** Writes `chunk` again and again, as fast as it is taken. */
function flood(socket: Socket, chunk: string | Buffer): void {
  const pour = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", pour);
  pour();
}

/** Writes `chunk` every few milliseconds for as long as the connection stands. */
function drip(socket: Socket, chunk: string): void {
  const timer = setInterval(() => socket.write(chunk), 10);
  socket.on("close", () => clearInterval(timer));
}

const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** What hostile receivers do to their senders, by name. */
export const HOSTILE = {
  silent: () => {},
  endlessAnswer(socket) {
    socket.write(CHUNKED);
    flood(socket, `4000\r\n${"x".repeat(0x4000)}\r\n`);
  },
  endlessUnframedAnswer(socket) {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    flood(socket, "x".repeat(0x4000));
  },
  drippingHeaders(socket) {
    socket.write("HTTP/1.1 200 OK\r\n");
    drip(socket, "x-a: b\r\n");
  },
  drippingBody(socket) {
    socket.write(CHUNKED);
    drip(socket, "1\r\nx\r\n");
  },
  drippingInterimAnswers: (socket) => drip(socket, "HTTP/1.1 102 Processing\r\n\r\n"),
  interimFlood: (socket) => flood(socket, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"),
  hugeHeader: (socket) => socket.write(`HTTP/1.1 200 OK\r\nx-huge: ${"x".repeat(1 << 20)}\r\n\r\n`),
  endlessHeaders(socket) {
    socket.write("HTTP/1.1 200 OK\r\n");
    flood(socket, "x-more: and more\r\n".repeat(64));
  },
  gzipBomb(socket) {
    // A hundred members of one megabyte each are one gzip file.
    const bomb = Buffer.concat(Array<Buffer>(100).fill(gzipSync(Buffer.alloc(1 << 20))));
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
    socket.write(bomb);
  },
  closesAtOnce: (socket) => socket.end(),
  closesInHeaders: (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-le"),
  closesInBody: (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"),
  closesInChunk: (socket) => socket.end(`${CHUNKED}ff\r\nhalf`),
  resets: (socket) => socket.destroy(),
  garbage: (socket) => socket.write("\x00\xffSSH-2.0-OpenSSH_9.9\r\n\r\n"),
  otherVersion: (socket) => socket.write("HTTP/2.0 200 OK\r\ncontent-length: 2\r\n\r\nok"),
  twoLengths: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok"),
  upgrade: (socket) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
} satisfies Record<string, Behaviour>;
