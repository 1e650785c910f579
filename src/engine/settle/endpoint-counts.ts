import type { Target } from "../../model/endpoint.ts";
import type { EndpointCount, FailingEndpoint } from "../../store/deliveries/settling.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";
import type { FailedAttempt, InFlightDelivery, Settlement } from "../../model/delivery.ts";

/** An attempt that ended, and what becomes of its delivery. */
export type EndedAttempt = {
  readonly queue: EndpointQueue;
  readonly delivery: InFlightDelivery;
  readonly settlement: Settlement;
  /** Null: it succeeded. */
  readonly failed: FailedAttempt | null;
};

/** How often an endpoint's last success is written while it goes on succeeding. */
export const LAST_SUCCESS_EVERY_MS = 1_000;

type Tally = { -readonly [Key in keyof EndpointCount]: EndpointCount[Key] } & {
  run: number;
  queue: EndpointQueue;
};

/**
 * Folds the results of each endpoint in the order in which they ended, so that results settled together
 * count as if settled one by one (spec 3.2: disabled, ping). An endpoint that only succeeds, has no
 * failures to reset and was written a moment ago is not counted: it is among `onlySucceeded`.
 */
export function countByEndpoint(batch: readonly EndedAttempt[], atMs: number) {
  const tallies = new Map<string, Tally>();
  for (const { queue, settlement } of batch) {
    let tally = tallies.get(queue.target.id);
    if (tally === undefined) {
      tally = {
        endpointId: queue.target.id,
        delivered: false,
        leadingFailures: 0,
        longestRun: 0,
        trailingFailures: 0,
        lastDeliveredAtMs: null,
        run: 0,
        queue,
      };
      tallies.set(queue.target.id, tally);
    }
    if (settlement.deliveredAtMs !== null) {
      tally.delivered = true;
      tally.run = 0;
      tally.lastDeliveredAtMs = settlement.deliveredAtMs;
      queue.lastDeliveredAtMs = settlement.deliveredAtMs;
    } else {
      tally.run += 1;
      if (tally.delivered) tally.longestRun = Math.max(tally.longestRun, tally.run);
      else tally.leadingFailures = tally.run;
    }
    tally.trailingFailures = tally.run;
  }
  const counts: Tally[] = [];
  const onlySucceeded: EndpointQueue[] = [];
  for (const tally of tallies.values()) {
    const { queue } = tally;
    const onlySuccess =
      tally.leadingFailures === 0 && tally.longestRun === 0 && queue.target.failureCount === 0;
    if (onlySuccess && atMs - queue.lastWrittenAtMs < LAST_SUCCESS_EVERY_MS) {
      onlySucceeded.push(queue);
    } else {
      if (tally.delivered) queue.lastWrittenAtMs = atMs;
      counts.push(tally);
    }
  }
  return { counts: counts.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1)), onlySucceeded };
}

/** Copies the failure counts that the database has now into the endpoint queues. */
export function applyFailureCounts(
  batch: readonly EndedAttempt[],
  failing: readonly FailingEndpoint[],
): void {
  for (const { queue } of batch) {
    if (queue.target.failureCount !== 0) queue.target = { ...queue.target, failureCount: 0 };
  }
  if (failing.length === 0) return;
  const counts = new Map(failing.map((endpoint) => [endpoint.id, endpoint.failureCount]));
  for (const { queue } of batch) {
    const failureCount = counts.get(queue.target.id);
    if (failureCount !== undefined && failureCount !== queue.target.failureCount) {
      queue.target = { ...queue.target, failureCount };
    }
  }
}

export function failedTargets(batch: readonly EndedAttempt[]): ReadonlySet<Target> {
  const failed = batch.filter(({ settlement }) => settlement.deliveredAtMs === null);
  return new Set(failed.map(({ queue }) => queue.target));
}
