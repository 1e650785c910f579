import { STATUS_CODES } from "../runtime/builtins.ts";

export type DeliveryStatus = "pending" | "delivered" | "dead";

/** One delivery as a client reads it (spec 2.2). */
export type DeliveryRecord = {
  readonly id: string;
  readonly eventType: string;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
  /** When it is dead at the latest because its endpoint is inactive; null or absent: it does not wait for that. */
  readonly parkedUntil?: Date | null;
};

/** A delivery in this node's memory, ready for its next attempt. */
export type InFlightDelivery = {
  readonly id: string;
  readonly endpointId: string;
  readonly type: string;
  /** The body, the same on every attempt. */
  readonly body: string;
  readonly attemptCount: number;
  /** The number under which this node took it; a later settlement under another number is refused. */
  readonly node: number;
  /** True when the delivery has a row in the queue, false while its first attempt is this node's. */
  readonly queued: boolean;
};

export type Outcome =
  | { readonly kind: "answered"; readonly statusCode: number }
  | { readonly kind: "failed"; readonly error: AttemptError; readonly statusCode: number | null };

/** What answered an attempt, or did not. */
export type Peer = {
  /** What a connection was opened to; null: none was tried. */
  readonly address: string | null;
  /** Of the answer's body, as far as it was read. */
  readonly answerBytes: number;
};

/** An attempt as it is read: of one that succeeded less is kept. */
export type AttemptRecord = {
  readonly number: number;
  readonly endedAt: Date;
  readonly durationMs: number | null;
  readonly address: string | null;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly answerBytes: number | null;
};

/** What is kept of an attempt that failed, beside what the delivery says of it. */
export type FailedAttempt = Peer & {
  readonly endedAtMs: number;
  readonly durationMs: number;
};

/** An outcome, or none because this service could not try. That counts as no attempt, and is retried shortly. */
export type SendResult = Outcome | { readonly kind: "unsent"; readonly error: AttemptError };

/** `peer`: of an attempt that did not succeed. */
export type SendDone = (result: SendResult, peer?: Peer) => void;

/** A failure of the transport: a stable code, and a sentence for the person who reads it. */
export type AttemptError = { readonly code: string; readonly text: string };

/** The retry ladder and its limits (spec 8: attempts, ladder, disable); `runtime/settings.ts` has the values. */
export type RetryPolicy = {
  /** Attempts in all, the first included. */
  readonly attemptsMax: number;
  /** `waitsMs[n - 1]` is the wait after failed attempt `n`. */
  readonly waitsMs: readonly number[];
  /** Consecutive failures that make an endpoint inactive. */
  readonly disableAfterFailures: number;
  /** How long they must last for it; 0: no time. */
  readonly disableAfterMs: number;
};

/** What an outcome makes of a delivery: its next state, ready to be written. */
export type Settlement = {
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  /** Set when, and only when, `status` is `delivered`. */
  readonly deliveredAtMs: number | null;
  /** Set when, and only when, `status` is `pending`: the earliest time of the next attempt. */
  readonly dueAtMs: number | null;
};

/** Only 2xx is a success: a redirect is a failure (spec 3.1: delivered; 8: redirects). */
export function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === "answered" && outcome.statusCode >= 200 && outcome.statusCode <= 299;
}

/**
 * The next state of a delivery (spec 3.1: delivered, ladder, dead; 8: attempts, ladder): a 2xx delivers, any other outcome waits for the next
 * step of the retry ladder, and the last failure is final.
 */
export function settle(
  attemptsBefore: number,
  outcome: Outcome,
  endedAtMs: number,
  policy: RetryPolicy,
): Settlement {
  const attemptCount = attemptsBefore + 1;
  if (isSuccess(outcome)) {
    return {
      status: "delivered",
      attemptCount,
      lastStatusCode: outcome.statusCode,
      lastError: null,
      deliveredAtMs: endedAtMs,
      dueAtMs: null,
    };
  }
  const failure = {
    attemptCount,
    lastStatusCode: outcome.statusCode,
    lastError: describe(outcome),
    deliveredAtMs: null,
  };
  if (attemptCount >= policy.attemptsMax) return { ...failure, status: "dead", dueAtMs: null };
  const waitMs = policy.waitsMs[Math.min(attemptCount, policy.waitsMs.length) - 1] ?? 0;
  return { ...failure, status: "pending", dueAtMs: endedAtMs + waitMs };
}

/** `last_error` (spec 2.2: last_error, last_status_code; 7: last_error): a short stable code, and a text behind it. */
function describe(outcome: Outcome): string {
  return outcome.kind === "answered"
    ? answeredWith(outcome.statusCode)
    : `${outcome.error.code}: ${outcome.error.text}`;
}

const answers: string[] = [];

/** One text a status: a failing endpoint costs no new strings. */
function answeredWith(statusCode: number): string {
  const isRedirect = statusCode >= 300 && statusCode <= 399;
  return (answers[statusCode] ??=
    `http_${statusCode}: The endpoint answered ${STATUS_CODES[statusCode] ?? "with that status"}.` +
    (isRedirect ? " Redirects are not followed." : ""));
}
