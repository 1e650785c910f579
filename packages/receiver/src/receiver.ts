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
  type RawBody,
  type Rejection,
  type Secret,
  type VerifiedDelivery,
} from "./verify.ts";

/**
 * Takes deliveries in, each once: verified, deduplicated, and answered with 2xx only after `onDelivery`
 * has resolved, so that a crash in between costs a retry and never a delivery.
 *
 *     request → verify → claim the id → onDelivery → complete → 204
 *                │          ├ done: 204             └ failed, or too slow: release → 500, it is sent again
 *                │          └ busy: waits for the one that runs here; 409 when it runs elsewhere
 *                └ 400, 401, 405, 413
 */
export type ReceiverOptions = {
  readonly secret: Secret;
  /** Do the work, or put it in a queue of your own, within the sender's ten seconds. */
  readonly onDelivery: (delivery: Delivery, context: DeliveryContext) => void | Promise<void>;
  /** Default: {@link memorySeen}. Several processes need a store that they share. */
  readonly seen?: SeenStore;
  /** Default {@link BODY_BYTES_MAX}. */
  readonly bodyBytesMax?: number;
  /** `onDelivery` counts as failed when it takes longer. Default {@link HANDLING_MS_MAX}. */
  readonly handlingMsMax?: number;
  /** Told of each request refused: for the log, and for `diagnose` while developing. */
  readonly onRejection?: (rejection: Rejection, request: RefusedRequest) => void;
  /** Told of all that fails, `onDelivery` included. Default: `console.error`. */
  readonly onError?: (error: unknown, delivery: Delivery | null) => void;
  readonly clock?: Clock;
};

export type DeliveryContext = { readonly product: string; readonly rawBody: Uint8Array };

export type RefusedRequest = { readonly headers: HeadersInput; readonly rawBody: Uint8Array };

export type Receiver = {
  /** For a framework that has no adapter here. Never rejects. */
  readonly receive: (method: string, headers: HeadersInput, rawBody: RawBody) => Promise<Answer>;
  readonly node: NodeHandler;
  readonly express: ExpressHandler;
  readonly fastify: FastifyPlugin;
  readonly fetch: FetchHandler;
};

/** Three times the sender's own patience; by then it has long given this attempt up. */
export const HANDLING_MS_MAX = 30_000;

/** Throws a `TypeError` when the secret is missing, so that a server without one does not start. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { secret, onRejection, bodyBytesMax = BODY_BYTES_MAX } = options;
  secretsOf(secret);
  const report = createReport(options.onError);
  const handleOnce = createHandler(options, report);

  const receive: Receiver["receive"] = async (method, headers, rawBody) => {
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

  const intake: AdapterContext = { receive, bodyBytesMax, report };
  return {
    receive,
    node: nodeHandler(intake),
    express: expressHandler(intake),
    fastify: fastifyPlugin(intake),
    fetch: fetchHandler(intake),
  };
}

/** What the adapters share. */
export type AdapterContext = {
  readonly receive: Receiver["receive"];
  readonly bodyBytesMax: number;
  readonly report: Report;
};

type Report = (error: unknown, delivery: Delivery | null) => void;

function createReport(onError: ReceiverOptions["onError"]): Report {
  if (onError === undefined) return (error) => console.error("a webhook delivery failed:", error);
  return (error, delivery) => {
    try {
      onError(error, delivery);
    } catch (hookError) {
      console.error("onError threw:", hookError, "while it was told of:", error);
    }
  };
}

/** Handles each id once at a time; whoever brings it meanwhile gets the same answer. */
function createHandler(
  options: ReceiverOptions,
  report: Report,
): (verified: VerifiedDelivery, body: Uint8Array) => Promise<Answer> {
  const { onDelivery, handlingMsMax = HANDLING_MS_MAX, clock = systemClock } = options;
  const seen = options.seen ?? memorySeen({ clock });
  const running = new Map<string, Promise<Answer>>();

  /** A store that fails here changes no answer: work that is done is not asked for again, work that failed is. */
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
