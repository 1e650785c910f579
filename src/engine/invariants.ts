import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";

/** What holds whatever happens outside. The names label a metric, so they stay. */
export const INVARIANTS = [
  /** A lane whose turn it is has a delivery to send. */
  "turn_has_delivery",
  /** A sender reports each attempt once. */
  "attempt_ends_once",
  /** A delivery enters memory once, and leaves it once. */
  "delivery_in_flight_once",
  /** A lane, and a pool of lanes, never counts fewer open requests than none. */
  "open_count_not_negative",
  /** A lane never counts fewer reserved places than none. */
  "reserved_count_not_negative",
] as const;

export type Invariant = (typeof INVARIANTS)[number];

/**
 * Checks that stay on in production. A broken invariant is a bug of ours: it is counted and logged, and the
 * caller goes on in the safest way it has. Nothing is thrown.
 */
export type Invariants = {
  /** Counts the invariant as broken, and logs it with what it is about. */
  report(invariant: Invariant, fields: object): void;
  /** How often each was broken since the start; one that never was is absent. */
  readonly broken: ReadonlyMap<Invariant, number>;
};

/** A broken invariant may break thousands of times a second; its count tells the rest. */
const LOGGED_EVERY_MS = 10_000;

export function createInvariants(clock: Clock, log: Log): Invariants {
  const broken = new Map<Invariant, number>();
  const loggedMs = new Map<Invariant, number>();
  return {
    broken,
    report(invariant, fields) {
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
