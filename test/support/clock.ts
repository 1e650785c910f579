import { setImmediate } from "node:timers/promises";

import type { Clock } from "../../src/runtime/clock.ts";

/** A clock that a test moves by hand. */
export type ManualClock = Clock & {
  /**
   * Moves time on by `ms`, firing what falls due in order, each at its own time, and letting the
   * promises of each settle before the next. Timers set during the advance also fire if they fall due.
   */
  advance(ms: number): Promise<void>;
  /** Moves the wall clock alone by `ms`, back if negative, as an operator would who sets it. */
  jump(ms: number): void;
  /** Timers that wait. */
  pending(): number;
};

type Timer = { readonly dueMs: number; readonly action: () => void };

/** 2026-11-02T12:00:00Z: a time of day without meaning, in the middle of everything. */
export const START_MS = Date.UTC(2026, 10, 2, 12);

/** A clock that stands at `startMs` until it is advanced. */
export function manualClock(startMs: number = START_MS): ManualClock {
  // In the order of their due times, and of their making where those are the same.
  const timers: Timer[] = [];
  let monotonicMs = 0;
  let offsetMs = startMs;

  return {
    nowMs: () => offsetMs + monotonicMs,
    monotonicMs: () => monotonicMs,
    after(delayMs, action) {
      const timer = { dueMs: monotonicMs + Math.max(0, delayMs), action };
      const place = timers.findIndex((other) => other.dueMs > timer.dueMs);
      timers.splice(place === -1 ? timers.length : place, 0, timer);
      return () => {
        const index = timers.indexOf(timer);
        if (index !== -1) timers.splice(index, 1);
      };
    },
    async advance(ms) {
      const untilMs = monotonicMs + ms;
      await settled();
      for (let next = timers[0]; next !== undefined && next.dueMs <= untilMs; next = timers[0]) {
        timers.shift();
        monotonicMs = Math.max(monotonicMs, next.dueMs);
        next.action();
        await settled();
      }
      monotonicMs = Math.max(monotonicMs, untilMs);
    },
    jump(ms) {
      offsetMs += ms;
    },
    pending: () => timers.length,
  };
}

/** Lets everything run that needs no time and no I/O: promises, ticks and immediates. */
async function settled(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
