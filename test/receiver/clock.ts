/** A clock that the test moves. */
import type { Clock } from "../../packages/receiver/src/clock.ts";

export type MovedClock = Clock & { advance(ms: number): void };

export function movedClock(): MovedClock {
  let nowMs = 1_000;
  const timers = new Set<{ readonly atMs: number; readonly action: () => void }>();
  return {
    monotonicMs: () => nowMs,
    after(delayMs, action) {
      const timer = { atMs: nowMs + delayMs, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      nowMs += ms;
      for (const timer of timers) {
        if (timer.atMs <= nowMs && timers.delete(timer)) timer.action();
      }
    },
  };
}
