import type { AdapterContext, Receive, Report } from "./adapter.ts";
import { BUSY, FAILED, HANDLED, METHOD_NOT_ALLOWED, plain, type Answer } from "./answer.ts";
import { systemClock, type Clock } from "./clock.ts";
import type { Delivery } from "./delivery.ts";
import { expressHandler, type ExpressHandler } from "./express.ts";
import { fastifyPlugin, type FastifyPlugin } from "./fastify.ts";
import { fetchHandler, type FetchHandler } from "./fetch.ts";
import type { HeadersInput } from "./headers.ts";
import { nodeHandler, type NodeHandler } from "./node.ts";
import { memorySeen, type SeenStore } from "./seen.ts";
import {
  BODY_BYTES_MAX,
  bytesOf,
  secretsOf,
  verify,
  type Rejection,
  type Secret,
  type VerifiedDelivery,
} from "./verify.ts";

/**
 * Receives each delivery once: verifies it, deduplicates it, and answers 2xx only after `onDelivery` has
 * resolved, so a crash costs a retry and never a delivery.
 *
 *     request → verify → claim the id → onDelivery → complete → 204
 *                │          ├ done: 204             └ failed, or too slow: release → 500, sent again
 *                │          └ busy: waits if it runs here; 409 if it runs in another process
 *                └ 400, 401, 405, 413
 */
export type ReceiverOptions = {
  readonly secret: Secret;
  /** Does the work, or puts it in your own queue, within ten seconds (spec 8). */
  readonly onDelivery: (delivery: Delivery, context: DeliveryContext) => void | Promise<void>;
  /** Default: {@link memorySeen}. Several processes need a shared store. */
  readonly seen?: SeenStore;
  /** Default {@link BODY_BYTES_MAX}. */
  readonly bodyBytesMax?: number;
  /** `onDelivery` counts as failed when it takes longer. Default {@link HANDLING_MS_MAX}. */
  readonly handlingMsMax?: number;
  /** Called for each rejected request: for the log, and for `diagnose` during development. */
  readonly onRejection?: (rejection: Rejection, request: RefusedRequest) => void;
  /** Called for each failure, `onDelivery` included. Default: `console.error`. */
  readonly onError?: (error: unknown, delivery: Delivery | null) => void;
  readonly clock?: Clock;
};

export type DeliveryContext = { readonly product: string; readonly rawBody: Uint8Array };

export type RefusedRequest = { readonly headers: HeadersInput; readonly rawBody: Uint8Array };

export type Receiver = {
  /** For a framework without an adapter here. Never rejects. */
  readonly receive: Receive;
  readonly node: NodeHandler;
  readonly express: ExpressHandler;
  readonly fastify: FastifyPlugin;
  readonly fetch: FetchHandler;
};

/** Three times the sender's time-out; by then it has given up the attempt. */
export const HANDLING_MS_MAX = 30_000;

/** Throws a `TypeError` without a secret, so a server without one does not start. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { secret, onRejection, bodyBytesMax = BODY_BYTES_MAX } = options;
  secretsOf(secret);
  const report = createReport(options.onError);
  const handleOnce = createHandler(options, report);

  const receive: Receive = async (method, headers, rawBody) => {
    if (method !== "POST") return METHOD_NOT_ALLOWED;
    try {
      const body = bytesOf(rawBody);
      const verified = verify(body, headers, secret, { bodyBytesMax });
      if (verified.ok) return await handleOnce(verified, body);
      onRejection?.(verified, { headers, rawBody: body });
      return plain(verified.status, verified.message);
    } catch (error) {
      report(error, null);
      return FAILED;
    }
  };

  const context: AdapterContext = { receive, bodyBytesMax, report };
  return {
    receive,
    node: nodeHandler(context),
    express: expressHandler(context),
    fastify: fastifyPlugin(context),
    fetch: fetchHandler(context),
  };
}

function createReport(onError: ReceiverOptions["onError"]): Report {
  if (onError === undefined) return (error) => console.error("a webhook delivery failed:", error);
  return (error, delivery) => {
    try {
      onError(error, delivery);
    } catch (hookError) {
      console.error("onError threw:", hookError, "while it reported:", error);
    }
  };
}

/** Handles each id once at a time; a second request with the id gets the same answer. */
function createHandler(
  options: ReceiverOptions,
  report: Report,
): (verified: VerifiedDelivery, body: Uint8Array) => Promise<Answer> {
  const { onDelivery, handlingMsMax = HANDLING_MS_MAX, clock = systemClock } = options;
  const seen = options.seen ?? memorySeen({ clock });
  const running = new Map<string, Promise<Answer>>();

  /** A failure of the store changes no answer: only work that failed is sent again. */
  const note = async (end: "complete" | "release", delivery: Delivery): Promise<void> => {
    try {
      await seen[end](delivery.id);
    } catch (error) {
      report(error, delivery);
    }
  };

  const attempt = async (verified: VerifiedDelivery, rawBody: Uint8Array): Promise<Answer> => {
    const { delivery, product } = verified;
    const claim = await seen.claim(delivery.id, handlingMsMax);
    if (claim === "done") return HANDLED;
    if (claim === "busy") return BUSY;
    const work = outcomeOf(async () => onDelivery(delivery, { product, rawBody }));
    const outcome = await within(work, handlingMsMax, clock);
    if (outcome === "handled") {
      await note("complete", delivery);
      return HANDLED;
    }
    const isLate = outcome === "late";
    report(isLate ? new Error(`onDelivery took longer than ${handlingMsMax} ms`) : outcome.failure, delivery);
    await note("release", delivery);
    if (isLate) {
      void work.then((end) =>
        end === "handled" ? note("complete", delivery) : report(end.failure, delivery),
      );
    }
    return FAILED;
  };

  return (verified, body) => {
    const { id } = verified.delivery;
    const started = running.get(id);
    if (started !== undefined) return started;
    const answer = attempt(verified, body).finally(() => running.delete(id));
    running.set(id, answer);
    return answer;
  };
}

type WorkOutcome = "handled" | { readonly failure: unknown };

async function outcomeOf(work: () => Promise<void>): Promise<WorkOutcome> {
  try {
    await work();
    return "handled";
  } catch (failure) {
    return { failure };
  }
}

function within(work: Promise<WorkOutcome>, msMax: number, clock: Clock): Promise<WorkOutcome | "late"> {
  return new Promise((resolve) => {
    const cancel = clock.after(msMax, () => resolve("late"));
    void work.then((outcome) => {
      cancel();
      resolve(outcome);
    });
  });
}
