import type { InFlightDelivery } from "../../model/delivery.ts";
import type { Log } from "../../runtime/log.ts";
import type { EndedAttempt } from "./endpoint-counts.ts";

/**
 * Results that the database refuses. Each keeps its place in memory, so the memory budget bounds them; its
 * delivery is not sent again, because the attempt could not be counted.
 *
 *      refused ─▶ set aside ─▶ retried ─▶ written
 *                     ▲───────────┘ refused again
 */
export type RefusedResults = ReturnType<typeof createRefusedResults>;

/** Each may cost a statement of its own. The number doubles while all of them are written. */
const RETRIED_FIRST = 20;
const RETRIED_MAX = 1_000;

export function createRefusedResults(log: Log) {
  /** By delivery id, least recently tried first. */
  const refused = new Map<string, EndedAttempt>();
  const retried = new Set<string>();
  let retriedMax = RETRIED_FIRST;

  return {
    setAside(one: EndedAttempt, cause: unknown): void {
      const { id, endpointId } = one.delivery;
      const isKnown = refused.delete(id);
      refused.set(id, one);
      retried.delete(id);
      retriedMax = RETRIED_FIRST;
      if (isKnown) return;
      log.error(
        { err: cause, delivery: id, endpoint: endpointId },
        "the database refuses the result of an attempt; every sweep retries it",
      );
    },
    /** A bounded number, least recently tried first; none while the previous ones are still being tried. */
    retry(): readonly EndedAttempt[] {
      if (retried.size > 0) return [];
      const oldest = refused.values().take(retriedMax).toArray();
      for (const { delivery } of oldest) retried.add(delivery.id);
      return oldest;
    },
    /** Drops the batch's results. Returns true when all retried results are written: retry more at once. */
    written(batch: readonly EndedAttempt[]): boolean {
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
    /** Drops the results that are not being tried, and returns their deliveries. */
    abandon(): readonly InFlightDelivery[] {
      const idle = [...refused.values()].filter(({ delivery }) => !retried.has(delivery.id));
      for (const { delivery } of idle) refused.delete(delivery.id);
      return idle.map(({ delivery }) => delivery);
    },
    count: (): number => refused.size,
  };
}
