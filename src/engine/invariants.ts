import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";

/** What always holds. The names label a metric, so they stay. */
export const INVARIANTS = [
  /** An endpoint queue that starts an attempt has a delivery. */
  "turn_has_delivery",
  /** The sender reports each attempt once. */
  "attempt_ends_once",
  /** A delivery enters memory once, and leaves it once. */
  "delivery_in_flight_once",
  /** The open requests of a queue or a pool are never negative. */
  "open_count_not_negative",
  /** The reservations of a queue are never negative. */
  "reserved_count_not_negative",
] as const;

export type Invariant = (typeof INVARIANTS)[number];

/**
 * Checks that stay on in production. A broken invariant is a bug of Boathook: it is counted and logged, and
 * the caller goes on in the safest way. Nothing is thrown.
 */
export type Invariants = ReturnType<typeof createInvariants>;

/** It may break thousands of times a second; the count has them all. */
const LOGGED_EVERY_MS = 10_000;

export function createInvariants(clock: Clock, log: Log) {
  const broken = new Map<Invariant, number>();
  const loggedMs = new Map<Invariant, number>();
  return {
    /** How often each was broken since the start; absent if never. */
    broken,
    /** Counts and logs a broken invariant. */
    report(invariant: Invariant, fields: object): void {
      const times = (broken.get(invariant) ?? 0) + 1;
      broken.set(invariant, times);
      const nowMs = clock.monotonicMs();
      if (nowMs - (loggedMs.get(invariant) ?? Number.NEGATIVE_INFINITY) >= LOGGED_EVERY_MS) {
        loggedMs.set(invariant, nowMs);
        log.error(
          { ...fields, invariant, times },
          "an invariant of the engine is broken; please report this",
        );
      }
    },
  };
}
