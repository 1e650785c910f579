/**
 * What an answer becomes is lived through by the reducers of polling themselves, at each moment that it says something
 * happened: what is planned is known from the beginning, what happened from its time on.
 */
import type { RaisedEvent } from "../../model/event.ts";
import type { ClaimedShipment } from "../polling/store/polls.ts";
import type { Raised } from "./report.ts";

/** The moments of one answer; the earliest are left out of longer ones. */
const MOMENTS_MAX = 1_000;

/** In their order, now the last. `hasPlans`: a moment before all of them, when what is planned was known. */
export function momentsOf(
  happenedMs: readonly number[],
  nowMs: number,
  hasPlans: boolean,
): readonly number[] {
  const moments = [...new Set(happenedMs)].toSorted((one, other) => one - other);
  // What holds at the first poll is never raised.
  const first = moments[0] === undefined || !hasPlans ? [] : [moments[0] - 1];
  return [...first, ...moments.slice(-MOMENTS_MAX), nowMs];
}

/** Gathers what would have been raised, a key once, as the engine does. */
export function createRaised() {
  const raised: Raised[] = [];
  const keys = new Set<string>();
  return {
    raised: raised as readonly Raised[],
    add(events: readonly RaisedEvent[], atMs: number): void {
      for (const { type, data, dedupKey } of events) {
        if (dedupKey !== undefined && keys.has(dedupKey)) continue;
        if (dedupKey !== undefined) keys.add(dedupKey);
        raised.push({ at: new Date(atMs).toISOString(), type, data: JSON.parse(data) as unknown });
      }
    },
  };
}

const ID = "00000000-0000-7000-8000-000000000000";

/** A shipment that nobody stores, as a poll would claim it: tracked from the beginning. */
export function claimedAs<About extends Partial<ClaimedShipment>>(about: About): ClaimedShipment & About {
  const nothing = { carrierHint: null, nextPollAt: null, failure: null, refreshedAt: null, armedAt: null };
  const first = { id: ID, accountId: ID, createdAt: new Date(0), endedAt: null, answerDigest: null };
  return { ...nothing, ...first, lease: 0n, failures: 0, ...about } as unknown as ClaimedShipment & About;
}
