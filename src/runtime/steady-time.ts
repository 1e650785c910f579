/**
 * The time of day: it runs with the monotonic clock and leans towards the wall clock, so that due times stored yesterday
 * still hold, and setting the wall clock does not move them in bulk.
 *
 *     running --check, wall differs by a little-->  leaning: the difference is made up by the next check
 *     running --check, wall differs by a lot----->  leaning: 10 % faster or slower until it has caught up
 *     running --check, machine had been asleep--->  running: leaps ahead by the time that really passed
 */
export type SteadyTime = {
  /** Whole milliseconds since the epoch; never goes back. */
  nowMs(): number;
  /** Compares the time with the wall clock. Call it about every `checkIntervalMs`. */
  check(): void;
};

/** All in milliseconds. */
export type TimeSources = {
  /** Since the epoch; can be set. */
  wallMs(): number;
  /** Since some fixed moment; stands still while the machine is suspended. */
  monotonicMs(): number;
  /** Since the machine started, suspended or not; to the second or better. */
  uptimeMs(): number;
};

/** In milliseconds; a jump back is negative. */
export type TimeEvents = {
  jumped(jumpMs: number): void;
  suspended(suspendedMs: number): void;
};

/** How fast the time leans at most, as a share of real time. */
export const LEAN_RATE_MAX = 0.1;

/** A larger difference means that the wall clock was set. */
export const DRIFT_MS_MAX = 500;

/** The shortest suspension that stands out from a count of whole seconds. */
const SUSPENSION_MS_MIN = 3000;

/** How far the wall clock may deviate from the suspension's length and still count. */
const SUSPENSION_TOLERANCE_MS = 1500;

export function steadyTime(sources: TimeSources, checkIntervalMs: number, events: TimeEvents): SteadyTime {
  // The time is `baseMs` at `baseMonotonicMs` and from there on runs at 1 + `rate`; leaning ends
  // after one interval, so that a late check does not overshoot.
  let baseMs = sources.wallMs();
  let baseMonotonicMs = sources.monotonicMs();
  let baseUptimeMs = sources.uptimeMs();
  let rate = 0;
  /** The difference left at the last check. */
  let behindMs = 0;

  function exactMs(monotonicMs: number): number {
    const passedMs = monotonicMs - baseMonotonicMs;
    return baseMs + passedMs + rate * Math.min(passedMs, checkIntervalMs);
  }

  function check(): void {
    const monotonicMs = sources.monotonicMs();
    const uptimeMs = sources.uptimeMs();
    let nowMs = exactMs(monotonicMs);
    const expectedMs = behindMs - (nowMs - baseMs - (monotonicMs - baseMonotonicMs));
    let differenceMs = sources.wallMs() - nowMs;

    const suspendedMs = uptimeMs - baseUptimeMs - (monotonicMs - baseMonotonicMs);
    if (suspendedMs >= SUSPENSION_MS_MIN) {
      // The wall clock knows the length to the millisecond, the uptime perhaps to the second only.
      const wallMovedMs = differenceMs - expectedMs;
      const agrees = Math.abs(wallMovedMs - suspendedMs) <= SUSPENSION_TOLERANCE_MS;
      const leapMs = agrees ? wallMovedMs : suspendedMs;
      nowMs += leapMs;
      differenceMs -= leapMs;
      events.suspended(Math.round(leapMs));
    }

    const jumpMs = differenceMs - expectedMs;
    if (Math.abs(jumpMs) > DRIFT_MS_MAX) events.jumped(Math.round(jumpMs));

    baseMs = nowMs;
    baseMonotonicMs = monotonicMs;
    baseUptimeMs = uptimeMs;
    behindMs = differenceMs;
    rate = Math.max(-LEAN_RATE_MAX, Math.min(LEAN_RATE_MAX, differenceMs / checkIntervalMs));
  }

  return { nowMs: () => Math.floor(exactMs(sources.monotonicMs())), check };
}
