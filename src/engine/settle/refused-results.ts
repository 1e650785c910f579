import type { InFlightDelivery } from "../../model/delivery.ts";
import type { Log } from "../../runtime/log.ts";
import type { EndedAttempt } from "./settle.ts";

/**
 * Results that the database refuses. Each keeps its place in memory, so the window bounds how many there are;
 * its delivery is not sent again, since the attempt could not be counted.
 *
 *      refused ─▶ set aside ─▶ retried ─▶ written
 *                     ▲───────────┘ refused again
 */
export type RefusedResults = {
  setAside(one: EndedAttempt, cause: unknown): void;
  /** Those tried longest ago, a bounded number; none while the last ones are still being tried. */
  retry(): readonly EndedAttempt[];
  /** Forgets those of the batch that had been refused. True: all that were tried are written, so try more at once. */
  written(batch: readonly EndedAttempt[]): boolean;
  /** Forgets those that are not being tried, and returns their deliveries. */
  abandon(): readonly InFlightDelivery[];
  count(): number;
};

/** Each may cost a statement of its own; while all of them are written, twice as many are tried. */
const RETRIED_FIRST = 20;
const RETRIED_MAX = 1_000;

export function createRefusedResults(log: Log): RefusedResults {
  /** By the delivery's id, those tried longest ago first. */
  const refused = new Map<string, EndedAttempt>();
  const retried = new Set<string>();
  let retriedMax = RETRIED_FIRST;

  return {
    setAside(one, cause) {
      const { id, endpointId } = one.delivery;
      const isKnown = refused.delete(id);
      refused.set(id, one);
      retried.delete(id);
      retriedMax = RETRIED_FIRST;
      if (isKnown) return;
      log.error(
        { err: cause, delivery: id, endpoint: endpointId },
        "the database refuses the result of an attempt; it is tried again with each sweep",
      );
    },
    retry() {
      if (retried.size > 0) return [];
      const oldest = refused.values().take(retriedMax).toArray();
      for (const { delivery } of oldest) retried.add(delivery.id);
      return oldest;
    },
    written(batch) {
      if (refused.size === 0) return false;
      const before = retried.size;
      for (const { delivery } of batch) {
        refused.delete(delivery.id);
        retried.delete(delivery.id);
      }
      if (before === 0 || retried.size > 0) return false;
      retriedMax = Math.min(RETRIED_MAX, 2 * retriedMax);
      return true;
    },
    abandon() {
      const idle = [...refused.values()].filter(({ delivery }) => !retried.has(delivery.id));
      for (const { delivery } of idle) refused.delete(delivery.id);
      return idle.map(({ delivery }) => delivery);
    },
    count: () => refused.size,
  };
}
