/**
 * One open attempt: a request, and what is known of its answer. The object itself is undici's handler,
 * so an attempt costs one object and no closure. No redirect is followed; `model/delivery.ts` decides what is a success:
 *
 *      waiting ─▶ open ─▶ answer's first byte ─▶ status ─▶ end of the answer ─▶ answered
 *         │        │              │                │   └─ longer than allowed ─▶ answered, or failed
 *         │        │              └─ broken, closed, too large ─▶ failed
 *         │        └─ closed without a byte, on a connection that had been idle: retried once, on a fresh one
 *         └─ the deadline passes, in any state ─▶ failed, with the status if there was one
 */
import type { Dispatcher } from "undici";

import type { AttemptError, Peer, SendDone, SendResult } from "../../model/delivery.ts";
import { attemptError, attemptErrorFrom, isConnectionLoss, LOCAL_FAULTS } from "./errors.ts";
import type { TargetUrl } from "./target-url.ts";

/**
 * The body of an answer is counted and dropped, never kept or inflated (spec 8: response_body), so this
 * bounds work, not memory. An ordinary web page fits.
 */
export const ANSWER_BYTES_MAX = 64 * 1024;

/** 1xx answers before the final one. */
const INTERIM_ANSWERS_MAX = 16;

/** The sender (`attempt.ts`). */
export type ExchangeOwner<C extends UsedBefore> = {
  /** The outcome is known; called once. */
  ended(exchange: Exchange<C>): void;
  /** Its connection closed before any byte of an answer; it needs a fresh one. */
  connectionLost(exchange: Exchange<C>): void;
};

/** `wasIdle`: the connection has been idle, so the receiver may have closed it unnoticed. */
type UsedBefore = { readonly wasIdle: boolean };

/** `C` is the connection type of the pool. */
export class Exchange<C extends UsedBefore> implements Dispatcher.DispatchHandler {
  readonly target: TargetUrl;
  readonly headers: string[];
  readonly body: string | Buffer;
  readonly done: SendDone;
  /** On the monotonic clock. */
  readonly deadlineMs: number;
  /** Null while it waits for a connection. */
  connection: C | null = null;
  /** Null until the exchange has ended. */
  outcome: SendResult | null = null;
  /** Of the answer's body, as far as it was read. */
  answerBytes = 0;
  /** Set where it did not succeed. */
  peer: Peer | undefined;
  /** True when the answer was read to its end, so the connection can be used again. */
  isClean = false;
  /** True once it lost a connection. */
  isRetry = false;
  private readonly owner: ExchangeOwner<C>;
  private statusCode = 0;
  private interimAnswers = 0;
  private isAnswering = false;

  constructor(
    target: TargetUrl,
    headers: string[],
    body: string | Buffer,
    done: SendDone,
    deadlineMs: number,
    owner: ExchangeOwner<C>,
  ) {
    this.target = target;
    this.headers = headers;
    this.body = body;
    this.done = done;
    this.deadlineMs = deadlineMs;
    this.owner = owner;
  }

  /** Ends the exchange unless it has ended; keeps the status if one has come. */
  fail(error: AttemptError): void {
    if (this.outcome !== null) return;
    if (LOCAL_FAULTS.has(error.code)) this.end({ kind: "unsent", error });
    else this.end({ kind: "failed", error, statusCode: this.statusCode === 0 ? null : this.statusCode });
  }

  /** undici calls this right before it writes; an exchange that has ended must not reach the wire. */
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
        this.fail(attemptError("protocol_error", "too many 1xx answers"));
      }
      return;
    }
    this.statusCode = statusCode;
    // A long answer whose length is known counts as complete, unread. The length of a compressed one says
    // nothing.
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

/** One object per status code, shared by all attempts. */
function answered(statusCode: number): SendResult {
  return (answers[statusCode] ??= { kind: "answered", statusCode });
}
