/**
 * One attempt on its way: a request and what is known of its answer. It is undici's handler itself, one
 * object an attempt and no closure, and it decides what an answer counts for:
 *
 *      waiting ─▶ open ─▶ answer's first byte ─▶ status ─▶ end of the answer ─▶ answered
 *         │        │              │                │   └─ longer than it may be ─▶ answered, or failed
 *         │        │              └─ broken, closed, too large ─▶ failed
 *         │        └─ closed without a byte, on a connection that had been kept: once more, on a fresh one
 *         └─ the deadline passes, from anywhere ─▶ failed, with the status if there was one
 */
import type { Dispatcher } from "undici";

import type { AttemptError, SendResult } from "../../model/delivery.ts";
import type { Connection } from "./connection.ts";
import { attemptError, attemptErrorFrom, isConnectionLoss, LOCAL_FAULTS } from "./errors.ts";
import type { TargetUrl } from "./target-url.ts";

/**
 * An answer's body is counted and dropped, never kept and never inflated, so this bounds work and not
 * memory. An ordinary page of a server that answers every path with one still fits.
 */
export const ANSWER_BYTES_MAX = 64 * 1024;

/** Answers of 1xx before the final one. */
export const INTERIM_ANSWERS_MAX = 16;

/** Who carries exchanges out (`attempt.ts`). */
export type ExchangeOwner = {
  /** The outcome is there; called once. */
  ended(exchange: Exchange): void;
  /** The connection it was on went away under it; it wants a fresh one. */
  connectionLost(exchange: Exchange): void;
};

export class Exchange implements Dispatcher.DispatchHandler {
  readonly target: TargetUrl;
  readonly headers: string[];
  readonly body: string | Buffer;
  readonly done: (result: SendResult) => void;
  /** On the monotonic clock. */
  readonly deadlineMs: number;
  /** Null while it waits for a connection. */
  connection: Connection | null = null;
  /** Null until it has ended. */
  outcome: SendResult | null = null;
  /** True when the connection has nothing of this exchange left on it. */
  isClean = false;
  /** True once it has been taken back from a connection that went away. */
  isRetry = false;
  private readonly owner: ExchangeOwner;
  private statusCode = 0;
  private interimAnswers = 0;
  private answerBytes = 0;
  private isAnswering = false;

  constructor(
    target: TargetUrl,
    headers: string[],
    body: string | Buffer,
    done: (result: SendResult) => void,
    deadlineMs: number,
    owner: ExchangeOwner,
  ) {
    this.target = target;
    this.headers = headers;
    this.body = body;
    this.done = done;
    this.deadlineMs = deadlineMs;
    this.owner = owner;
  }

  /** Ends it without an answer; the status is kept if one had come. Nothing happens if it has ended. */
  fail(error: AttemptError): void {
    if (this.outcome !== null) return;
    if (LOCAL_FAULTS.has(error.code)) this.end({ kind: "unsent", error });
    else this.end({ kind: "failed", error, statusCode: this.statusCode === 0 ? null : this.statusCode });
  }

  /** undici calls this right before it writes; what has ended by now must not reach the wire. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.outcome !== null) controller.abort(new Error("the attempt had ended before it was sent"));
  }

  onResponseStarted(): void {
    this.isAnswering = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.outcome !== null) return;
    if (statusCode < 200) {
      this.interimAnswers += 1;
      if (this.interimAnswers > INTERIM_ANSWERS_MAX) {
        this.fail(attemptError("protocol_error", "too many answers of 1xx"));
      }
      return;
    }
    this.statusCode = statusCode;
    // It says where it ends, so it is an answer, only not one worth reading. What a compressed one holds
    // nobody knows.
    const length = headers["content-length"];
    if (
      length !== undefined &&
      Number(length) > ANSWER_BYTES_MAX &&
      headers["content-encoding"] === undefined
    ) {
      this.end(answered(statusCode));
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.answerBytes += chunk.length;
    if (this.answerBytes > ANSWER_BYTES_MAX) this.fail(attemptError("answer_too_large"));
  }

  onResponseEnd(): void {
    if (this.outcome !== null) return;
    this.isClean = true;
    this.end(answered(this.statusCode));
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.outcome !== null) return;
    const mayRetry = !this.isRetry && !this.isAnswering && this.connection?.wasIdle === true;
    if (mayRetry && isConnectionLoss(error)) {
      this.isRetry = true;
      this.owner.connectionLost(this);
    } else {
      this.fail(attemptErrorFrom(error));
    }
  }

  private end(outcome: SendResult): void {
    this.outcome = outcome;
    this.owner.ended(this);
  }
}

const answers: SendResult[] = [];

/** One object a status code. */
function answered(statusCode: number): SendResult {
  return (answers[statusCode] ??= { kind: "answered", statusCode });
}
