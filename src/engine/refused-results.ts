import type { HeldDelivery } from "../model/delivery.ts";
import type { Log } from "../runtime/log.ts";
import type { Ended } from "./settle.ts";

/**
 * Results that the database refuses. Each keeps its place in memory, so the window bounds how many there are;
 * its delivery is not sent again, since the attempt could not be counted.
 *
 *      refused ─▶ set aside ─▶ retried ─▶ written
 *                     ▲───────────┘ refused again
 */
export type RefusedResults = {
  setAside(one: Ended, cause: unknown): void;
  /** Those tried longest ago, a bounded number; none while the last ones are still being tried. */
  retry(): readonly Ended[];
  /** Forgets those of the batch that had been refused. */
  written(batch: readonly Ended[]): void;
  /** Forgets those that are not being tried, and returns their deliveries. */
  abandon(): readonly HeldDelivery[];
  count(): number;
};

/** Each may cost a statement of its own. */
const RETRIED_MAX = 20;

export function createRefusedResults(log: Log): RefusedResults {
  /** By the delivery's id, those tried longest ago first. */
  const refused = new Map<string, Ended>();
  const retried = new Set<string>();

  return {
    setAside(one, cause) {
      const { id, endpointId } = one.delivery;
      const isKnown = refused.delete(id);
      refused.set(id, one);
      retried.delete(id);
      if (isKnown) return;
      log.error(
        { err: cause, delivery: id, endpoint: endpointId },
        "the database refuses the result of an attempt; it is tried again with each sweep",
      );
    },
    retry() {
      if (retried.size > 0) return [];
      const oldest = refused.values().take(RETRIED_MAX).toArray();
      for (const { delivery } of oldest) retried.add(delivery.id);
      return oldest;
    },
    written(batch) {
      if (refused.size === 0) return;
      for (const { delivery } of batch) {
        refused.delete(delivery.id);
        retried.delete(delivery.id);
      }
    },
    abandon() {
      const idle = [...refused.values()].filter(({ delivery }) => !retried.has(delivery.id));
      for (const { delivery } of idle) refused.delete(delivery.id);
      return idle.map(({ delivery }) => delivery);
    },
    count: () => refused.size,
  };
}
