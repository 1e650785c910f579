/** Connections between parts of the simulated world: bytes arrive after a while, in order, until one is cut. */
import net from "node:net";
import { syncBuiltinESMExports } from "node:module";
import { Duplex } from "node:stream";
import tls from "node:tls";

import { after, asOwner, ownerNow, stirred, type Owner, worldMs } from "./time.ts";

export type Listening = { readonly owner: Owner; readonly onConnection: (socket: SimulatedSocket) => void };

const listening = new Map<string, Listening>();
const open = new Set<SimulatedSocket>();

/** How long bytes take, by connection: whatever happens beside it at one moment draws from another chance. */
let latencyOf: (owner: Owner) => (moreMsMax: number) => number = () => () => 1;

/** How much longer at most what is sent to a place takes. */
let moreMsMaxOf: (place: string) => number = () => 0;

/** Receivers: nodes that are cut off from all else reach them. */
export const RECEIVERS: Owner = { name: "receivers", number: -1, state: "running", waiting: [] };

/** Until when nothing leaves or reaches them. */
const apart = new Map<Owner, number>();

let sender: Owner | null = null;
/** Whose bytes have arrived last. */
export const lastSender = (): Owner | null => sender;

/** What is sent to the owner or by it arrives once `forMs` are over, as TCP has it that sends again. */
export function part(owner: Owner, forMs: number): void {
  apart.set(owner, worldMs() + forMs);
}

/** A new world has no connections. */
export function resetNetwork(latency: typeof latencyOf, moreMsMax: typeof moreMsMaxOf): void {
  apart.clear();
  listening.clear();
  open.clear();
  latencyOf = latency;
  moreMsMaxOf = moreMsMax;
}

export function listen(place: string, at: Listening): () => void {
  listening.set(place, at);
  return () => {
    if (listening.get(place) === at) listening.delete(place);
  };
}

/** One end of a connection, in place of `net.Socket`. */
export class SimulatedSocket extends Duplex {
  readonly owner: Owner = ownerNow();
  readonly #latencyMs = latencyOf(this.owner);
  #moreMsMax = 0;
  connecting = false;
  /** Who the other end is, also where nobody listens. */
  towards: Owner | undefined;
  peer: SimulatedSocket | null = null;
  remoteAddress = "192.0.2.1";
  readonly remotePort = 1;
  /** When the last bytes sent arrive at the other end. */
  #arrivesMs = 0;
  /** Bytes still take their way, but arrive nowhere. */
  isCut = false;

  constructor() {
    super({ allowHalfOpen: false });
  }

  connect(...where: readonly unknown[]): this {
    const place = placeOf(where);
    this.connecting = true;
    this.#moreMsMax = moreMsMaxOf(place);
    const there = listening.get(place)?.owner ?? this.towards;
    after(this.#latencyMs(0) + waitMs(this.owner, there), () => this.#reach(place), this.owner);
    return this;
  }

  #reach(place: string): void {
    if (this.destroyed) return;
    const there = listening.get(place);
    this.connecting = false;
    if (there === undefined || there.owner.state === "dead") {
      const refused = new Error(`connect ECONNREFUSED ${place}`);
      return void this.destroy(Object.assign(refused, { code: "ECONNREFUSED", syscall: "connect" }));
    }
    asOwner(there.owner, () => {
      const other = new SimulatedSocket();
      join(this, other);
      there.onConnection(other);
    });
    this.emit("connect");
    this.emit("ready");
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    const bytes = Buffer.from(chunk);
    this.#send((peer) => void peer.push(bytes));
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#send((peer) => void peer.push(null));
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    open.delete(this);
    this.#send((peer) => void peer.destroy());
    done(error);
  }

  /** The process at this end is gone: the other end sees the connection close, and nothing arrives here. */
  abandon(): void {
    open.delete(this);
    this.#send((peer) => void peer.destroy());
    this.peer = null;
    // Node's parser, which only a close would free, keeps the connection, and so the node.
    const state = this as { parser?: { close(): void } | null };
    state.parser?.close();
    state.parser = null;
  }

  #send(arrive: (peer: SimulatedSocket) => void): void {
    stirred();
    if (this.connecting) return void this.once("connect", () => this.#send(arrive));
    const { peer } = this;
    if (peer === null || this.isCut) return;
    this.#arrivesMs = Math.max(
      this.#arrivesMs,
      worldMs() + this.#latencyMs(this.#moreMsMax) + waitMs(this.owner, peer.owner),
    );
    const arrived = () => {
      sender = this.owner;
      if (!peer.destroyed) arrive(peer);
    };
    after(this.#arrivesMs - worldMs(), arrived, peer.owner);
  }

  /** Calls `done` once something has gone to the other end and come back. */
  shakeHands(done: () => void): void {
    const back = () => void (this.destroyed || done());
    this.#send((peer) => void after(peer.#latencyMs(0), back, this.owner));
  }

  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;
  setTimeout = (): this => this;
  ref = (): this => this;
  unref = (): this => this;
  address = () => ({ address: "192.0.2.1", family: "IPv4", port: 1 });
}

/** How long the two stay apart. */
function waitMs(...owners: readonly (Owner | undefined)[]): number {
  if (owners.includes(RECEIVERS)) return 0;
  const untilMs = owners.map((owner) => (owner === undefined ? 0 : (apart.get(owner) ?? 0)));
  return Math.max(0, Math.max(...untilMs) - worldMs());
}

function join(one: SimulatedSocket, other: SimulatedSocket): void {
  one.peer = other;
  other.peer = one;
  open.add(one).add(other);
}

/** A connection to `place`, in the name of the caller. */
export function connectTo(place: string): SimulatedSocket {
  return new SimulatedSocket().connect(place);
}

/** As `tls.connect`, to receivers: one more way there and back, and what is sent stays readable. */
function connectSecurely({
  host,
  port,
  onread,
}: tls.ConnectionOptions & net.TcpNetConnectOpts): SimulatedSocket {
  const socket = new SimulatedSocket();
  socket.towards = RECEIVERS;
  Object.assign(socket, { remoteAddress: host, authorized: true, isSessionReused: () => false });
  socket.once("connect", () => socket.shakeHands(() => socket.emit("secureConnect")));
  socket.on("data", (chunk: Buffer) => {
    const { buffer, callback } = onread as {
      readonly buffer: Buffer;
      callback(length: number, all: Buffer): boolean;
    };
    for (let at = 0; at < chunk.length && !socket.destroyed; at += buffer.length)
      callback(chunk.copy(buffer, 0, at, at + buffer.length), buffer);
  });
  return socket.connect({ host, port });
}

/** Ends all that belongs to a process that is gone. */
export function abandonSockets(owner: Owner): void {
  for (const socket of open) if (socket.owner === owner) socket.abandon();
  for (const [place, at] of listening) if (at.owner === owner) listening.delete(place);
}

function placeOf([first, second]: readonly unknown[]): string {
  if (typeof first === "object" && first !== null) {
    const { host, port, path } = first as {
      readonly host?: string;
      readonly port?: number;
      readonly path?: string;
    };
    return path ?? `${host}:${port}`;
  }
  return typeof second === "string" ? `${second}:${String(first)}` : String(first);
}

/** A server of Node's listens in the simulated network: at the port that it names. */
function listenSimulated(
  this: net.Server,
  options: number | { readonly port: number },
  ...rest: readonly unknown[]
): net.Server {
  const port = typeof options === "number" ? options : options.port;
  const done = rest.find((one) => typeof one === "function") as (() => void) | undefined;
  const place = `127.0.0.1:${port}`;
  const owner = ownerNow();
  const close = listen(place, { owner, onConnection: (socket) => void this.emit("connection", socket) });
  // Its `Date` would be the time of the machine, and the same world another one.
  this.prependListener("request", (_request: unknown, response: { sendDate: boolean }) => {
    response.sendDate = false;
  });
  const state = this as net.Server & { address: () => unknown; close: (done?: () => void) => net.Server };
  // Node measures how long a request takes to arrive by the clock of the machine, and keeps the server for ever to do so.
  Object.assign(this, { headersTimeout: 0, requestTimeout: 0 });
  for (const one of this.listeners("listening"))
    if (one.name === "setupConnectionsTracking") this.off("listening", one);
  state.address = () => ({ address: "127.0.0.1", family: "IPv4", port });
  Object.defineProperty(this, "listening", { value: true, configurable: true });
  state.close = (closed) => {
    close();
    process.nextTick(() => {
      this.emit("close");
      closed?.();
    });
    return this;
  };
  if (done !== undefined) this.once("listening", done);
  process.nextTick(() => this.emit("listening"));
  return this;
}

// Made when they are first used: with a socket of the real kind.
void process.stdout;
void process.stderr;
/** For what is not simulated. */
export const RealSocket = net.Socket;

net.connect = ((...where: readonly unknown[]) => new SimulatedSocket().connect(...where)) as never;
net.createConnection = net.connect;
net.Socket = SimulatedSocket as unknown as typeof net.Socket;
tls.connect = connectSecurely as never;
net.Server.prototype.listen = listenSimulated as unknown as typeof net.Server.prototype.listen;
syncBuiltinESMExports();
