/** What three readers make of the same bytes of an answer: ours, undici's client and the one of `node:http`. */
import { Agent, request, type ClientRequest, type IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

import { Client, type buildConnector } from "undici";

import { closeAnswer, createAnswer, readAnswer } from "../../src/engine/send/answer.ts";

/** How an answer arrives: as pieces, and perhaps a close behind them. */
export type Arrival = { readonly pieces: readonly Buffer[]; readonly isClosed: boolean };

/** What became of it: `open` waits for more. */
export type Reading = Complete | { readonly kind: "open" | "refused" };

type Complete = {
  readonly kind: "complete";
  readonly status: number;
  readonly bodyBytes: number;
  /** Whether the connection carries another request. */
  readonly isKept: boolean;
};

export function readByUs({ pieces, isClosed }: Arrival): Reading {
  const answer = createAnswer();
  let extra = 0;
  for (const piece of pieces) {
    const isOver = answer.end !== null;
    extra += piece.length - (isOver ? 0 : readAnswer(answer, piece, piece.length));
    if (isOver) extra += piece.length;
  }
  if (isClosed) closeAnswer(answer);
  const { end, statusCode, bodyBytes, keepAliveMs } = answer;
  if (end === null) return { kind: "open" };
  if (end !== "complete") return { kind: "refused" };
  return {
    kind: "complete",
    status: statusCode,
    bodyBytes,
    isKept: keepAliveMs > 0 && extra === 0 && !isClosed,
  };
}

/** A socket without a network: it shows what is pushed, and drops what is written. */
function openSocket(): Duplex {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const same = (): Duplex => socket;
  return Object.assign(socket, { setKeepAlive: same, setTimeout: same, ref: same, unref: same });
}

/** Pushes the pieces as the network would, one in a turn of the event loop. */
async function arrive(socket: Duplex, { pieces, isClosed }: Arrival): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    if (piece.length > 0) socket.push(piece);
    await nextTurn();
  }
  if (isClosed && !socket.destroyed) socket.push(null);
  await nextTurn();
  await nextTurn();
}

export async function readByUndici(arrival: Arrival): Promise<Reading> {
  const socket = openSocket();
  let reading: Reading = { kind: "open" };
  let status = 0;
  let bodyBytes = 0;
  let isOver = false;
  const client = new Client("http://a.test", {
    keepAliveTimeout: 60_000,
    keepAliveMaxTimeout: 120_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: ((_options: unknown, done: buildConnector.Callback) => {
      if (isOver) return queueMicrotask(() => done(new Error("one socket is enough"), null));
      isOver = true;
      queueMicrotask(() => done(null, socket as never));
    }) as unknown as buildConnector.connector,
  });
  client.dispatch(
    { path: "/", method: "POST", headers: [], body: "{}" },
    {
      onRequestStart() {},
      onResponseStart: (_controller, code) => void (status = code),
      onResponseData: (_controller, chunk) => void (bodyBytes += chunk.length),
      onResponseEnd: () => void (reading = { kind: "complete", status, bodyBytes, isKept: false }),
      onResponseError: () => void (reading = { kind: "refused" }),
    },
  );
  await nextTurn();
  await arrive(socket, arrival);
  const seen: Reading =
    (reading as Reading).kind === "complete"
      ? { kind: "complete", status, bodyBytes, isKept: !socket.destroyed }
      : reading;
  await client.destroy();
  socket.destroy();
  return seen;
}

export async function readByNode(arrival: Arrival): Promise<Reading> {
  const socket = openSocket();
  const agent = new Agent({ keepAlive: true });
  let reading: Reading = { kind: "open" };
  let asked: ClientRequest | null = null;
  const refused = (): void => {
    if (reading.kind === "open") reading = { kind: "refused" };
  };
  agent.createConnection = () => socket;
  asked = request({ method: "POST", host: "a.test", agent }, (answer: IncomingMessage) => {
    let bodyBytes = 0;
    answer.on("data", (chunk: Buffer) => (bodyBytes += chunk.length));
    answer.on("error", refused);
    answer.on("end", () => {
      if (answer.complete)
        reading = { kind: "complete", status: answer.statusCode!, bodyBytes, isKept: false };
      else refused();
    });
  });
  asked.on("error", refused);
  asked.on("upgrade", refused);
  asked.end("{}");
  await nextTurn();
  await arrive(socket, arrival);
  const isFree = Object.values(agent.freeSockets).some((list) => list?.includes(socket as never));
  const seen: Reading =
    (reading as Reading).kind === "complete"
      ? { ...(reading as Reading as Complete), isKept: isFree && !socket.destroyed }
      : reading;
  agent.destroy();
  socket.destroy();
  return seen;
}
