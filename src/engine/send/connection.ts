/**
 * A keep-alive connection, and the exchanges it carries: one after the other, never two at once. A request is one write.
 *
 *      waiting ─▶ begun ─▶ written ─▶ answer's first byte ─▶ status ─▶ end of the answer ─▶ answered
 *         │         │         │              │                │   └─ longer than allowed ─▶ answered, or failed
 *         │         │         │              └─ broken, closed, too large ─▶ failed
 *         │         └─────────┴─ lost without a byte, after it had been idle: retried once, on a fresh one
 *         └─ the deadline passes, in any state ─▶ failed, with the status if there was one
 *
 * A connection that was used is written to once the event loop has come round: what lay unread in its socket, an end or
 * an answer that nobody asked for, shows before, and is not taken for the answer to this request.
 */
import type { TLSSocket } from "node:tls";

import type { AttemptError, Peer, SendDone, SendResult } from "../../model/delivery.ts";
import type { Cancel } from "../../runtime/clock.ts";
import type { TransientSet } from "../../runtime/transient.ts";
import { closeAnswer, createAnswer, readAnswer, type Answer } from "./answer.ts";
import type { Connected } from "./connect.ts";
import { attemptErrorFrom, isConnectionLoss, LOCAL_FAULTS } from "./errors.ts";
import type { TargetUrl } from "./target-url.ts";

export type Connection = {
  readonly origin: Origin;
  readonly socket: TLSSocket;
  /** The receiver's; the socket forgets it when it closes. */
  readonly address: string | null;
  /** To the request that was written last. */
  answer: Answer;
  /** Null while it is idle. */
  exchange: Exchange | null;
  isWritten: boolean;
  /** On the monotonic clock, while it is idle. */
  idleUntilMs: number;
  /** True once it has been idle: the receiver may have closed it unnoticed. */
  wasIdle: boolean;
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
  readonly opening: TransientSet<Opening>;
  readonly waiting: TransientSet<Exchange>;
  /** These need a connection that has carried nothing yet. */
  readonly waitingForFresh: TransientSet<Exchange>;
  isGrowing: boolean;
  /** The address that the latest opening has tried last. */
  tried: string | null;
};

export type Opening = { cancel: Cancel | null };

/** One open attempt. */
export type Exchange = {
  readonly target: TargetUrl;
  /** All that goes before the body. */
  readonly head: string;
  readonly body: string | Buffer;
  readonly done: SendDone;
  /** On the monotonic clock. */
  readonly deadlineMs: number;
  readonly owner: ExchangeOwner;
  /** Null while it waits for a connection. */
  connection: Connection | null;
  /** Null until the exchange has ended. */
  outcome: SendResult | null;
  /** Set where it did not succeed. */
  peer: Peer | undefined;
  /** True when the answer was read to its end and the receiver allows another request, so the connection can be used again. */
  isClean: boolean;
  /** True once it lost a connection. */
  isRetry: boolean;
};

/** The sender (`attempt.ts`). */
export type ExchangeOwner = {
  /** The outcome is known; called once. */
  ended(exchange: Exchange): void;
  /** Its connection closed before any byte of an answer; it needs a fresh one. */
  connectionLost(exchange: Exchange): void;
};

/** `retire`: nothing is to come of the connection any more. */
export function createConnection(
  origin: Origin,
  { socket, reader }: Connected & { ok: true },
  retire: (connection: Connection) => void,
): Connection {
  const connection: Connection = {
    origin,
    socket,
    address: socket.remoteAddress ?? null,
    answer: createAnswer(),
    exchange: null,
    isWritten: false,
    idleUntilMs: 0,
    wasIdle: false,
    isRetired: false,
  };
  const over = (error: Error | null): void => {
    lose(connection, error);
    if (connection.exchange === null) retire(connection);
  };
  reader.read = (bytes, length) => {
    // Bytes that no request asked for: no later answer here can be trusted.
    if (connection.exchange === null || !connection.isWritten) over(null);
    else receive(connection, connection.exchange, bytes, length);
  };
  socket.once("end", () => over(null));
  socket.once("error", over);
  socket.once("close", () => over(null));
  return connection;
}

/** Gives a free connection to the exchange; {@link writeRequest} comes next. */
export function beginExchange(connection: Connection, exchange: Exchange): void {
  exchange.connection = connection;
  connection.exchange = exchange;
  connection.isWritten = false;
  connection.answer = createAnswer();
}

/** Writes the request of the exchange that was begun, unless that has ended. */
export function writeRequest(connection: Connection): void {
  const { exchange, socket } = connection;
  if (exchange === null || exchange.outcome !== null || connection.isWritten) return;
  // The receiver answered the last request without reading it, and this one would wait behind it.
  if (socket.writableLength > 0) return lose(connection, null);
  connection.isWritten = true;
  const { head, body } = exchange;
  const request = Buffer.allocUnsafe(head.length + Buffer.byteLength(body));
  request.write(head, 0, "latin1");
  if (typeof body === "string") request.write(body, head.length);
  else body.copy(request, head.length);
  socket.write(request);
}

/** Ends the exchange unless it has ended; keeps the status if one has come. */
export function fail(exchange: Exchange, error: AttemptError): void {
  if (exchange.outcome !== null) return;
  const statusCode = exchange.connection?.answer.statusCode || null;
  const isOurs = LOCAL_FAULTS.has(error.code);
  end(exchange, isOurs ? { kind: "unsent", error } : { kind: "failed", error, statusCode });
}

function receive(connection: Connection, exchange: Exchange, bytes: Buffer, length: number): void {
  // Bytes behind the answer: no later answer here can be trusted.
  if (exchange.outcome !== null) return void (exchange.isClean = false);
  const { answer } = connection;
  const read = readAnswer(answer, bytes, length);
  if (answer.end === null) return;
  exchange.isClean = read === length && answer.keepAliveMs > 0;
  endAsAnswered(exchange, answer);
}

/** The connection is of no use any more. */
function lose(connection: Connection, error: Error | null): void {
  const { exchange, answer } = connection;
  if (exchange === null || exchange.outcome !== null) return;
  const isLoss = error === null || isConnectionLoss(error);
  if (isLoss && connection.wasIdle && !answer.hasBegun && !exchange.isRetry) {
    connection.exchange = null;
    exchange.isRetry = true;
    return exchange.owner.connectionLost(exchange);
  }
  // A receiver that leaves the end of a request unread resets the connection behind its answer.
  if (isLoss) closeAnswer(answer);
  if (error === null || answer.end === "complete") endAsAnswered(exchange, answer);
  else fail(exchange, attemptErrorFrom(error));
}

function endAsAnswered(exchange: Exchange, { end: how, statusCode }: Answer): void {
  if (how === "complete") end(exchange, answered(statusCode));
  else fail(exchange, how!);
}

function end(exchange: Exchange, outcome: SendResult): void {
  exchange.outcome = outcome;
  exchange.owner.ended(exchange);
}

const answers: SendResult[] = [];

/** One object per status code, shared by all attempts. */
function answered(statusCode: number): SendResult {
  return (answers[statusCode] ??= { kind: "answered", statusCode });
}
