import type { Target } from "../model/endpoint.ts";
import type { EndpointCount, FailingEndpoint } from "../store/deliveries/settling.ts";
import type { Lane } from "./lane.ts";
import type { Ended } from "./settle.ts";

/** How often an endpoint's last success is written while it goes on succeeding. */
export const LAST_SUCCESS_EVERY_MS = 1_000;

type Tally = { -readonly [Key in keyof EndpointCount]: EndpointCount[Key] } & { run: number; lane: Lane };

/**
 * Folds the results of each endpoint in the order in which they ended, so that results settled together
 * count as if they had been settled one by one. An endpoint that only succeeds, has no failures to
 * forget and was written a moment ago is left out; `untold` remembers its last success.
 */
export function countByEndpoint(batch: readonly Ended[], atMs: number, untold: Set<Lane>): EndpointCount[] {
  const tallies = new Map<string, Tally>();
  for (const { lane, settlement } of batch) {
    let tally = tallies.get(lane.target.id);
    if (tally === undefined) {
      tally = {
        endpointId: lane.target.id,
        delivered: false,
        carried: 0,
        longest: 0,
        streak: 0,
        lastDeliveredAtMs: null,
        run: 0,
        lane,
      };
      tallies.set(lane.target.id, tally);
    }
    if (settlement.deliveredAtMs !== null) {
      tally.delivered = true;
      tally.run = 0;
      tally.lastDeliveredAtMs = settlement.deliveredAtMs;
      lane.lastDeliveredAtMs = settlement.deliveredAtMs;
    } else {
      tally.run += 1;
      if (tally.delivered) tally.longest = Math.max(tally.longest, tally.run);
      else tally.carried = tally.run;
    }
    tally.streak = tally.run;
  }
  const counts: Tally[] = [];
  for (const tally of tallies.values()) {
    const { lane } = tally;
    const onlySuccess = tally.carried === 0 && tally.longest === 0 && lane.target.failureCount === 0;
    if (onlySuccess && atMs - lane.lastWrittenAtMs < LAST_SUCCESS_EVERY_MS) {
      untold.add(lane);
    } else {
      if (tally.delivered) lane.lastWrittenAtMs = atMs;
      untold.delete(lane);
      counts.push(tally);
    }
  }
  return counts.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
}

/** Has the lanes know what the database counts now. */
export function noteFailureCounts(batch: readonly Ended[], failing: readonly FailingEndpoint[]): void {
  for (const { lane } of batch) {
    if (lane.target.failureCount !== 0) lane.target = { ...lane.target, failureCount: 0 };
  }
  if (failing.length === 0) return;
  const counts = new Map(failing.map((endpoint) => [endpoint.id, endpoint.failureCount]));
  for (const { lane } of batch) {
    const failureCount = counts.get(lane.target.id);
    if (failureCount !== undefined && failureCount !== lane.target.failureCount) {
      lane.target = { ...lane.target, failureCount };
    }
  }
}

export function failedTargets(batch: readonly Ended[]): ReadonlySet<Target> {
  const failed = batch.filter(({ settlement }) => settlement.deliveredAtMs === null);
  return new Set(failed.map(({ lane }) => lane.target));
}
