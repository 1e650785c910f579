/** A clock for tests of servers that do not answer: it moves while statements are in flight, by the hand of the test. */
import { EventEmitter, once } from "node:events";

import type { Clock } from "../../src/runtime/clock.ts";

export type HandClock = Clock & {
  /** Waits until so many timers are set, and lets time pass until the next of them. */
  fireNext(timersMin?: number): Promise<void>;
};

export function handClock(): HandClock {
  const timers = new Set<{ readonly dueMs: number; readonly action: () => void }>();
  const set = new EventEmitter();
  let ms = 0;
  return {
    nowMs: () => ms,
    monotonicMs: () => ms,
    after(delayMs, action) {
      const timer = { dueMs: ms + delayMs, action };
      timers.add(timer);
      set.emit("timer");
      return () => timers.delete(timer);
    },
    async fireNext(timersMin = 1) {
      while (timers.size < timersMin) await once(set, "timer");
      const next = [...timers].reduce((one, other) => (other.dueMs < one.dueMs ? other : one));
      timers.delete(next);
      ms = Math.max(ms, next.dueMs);
      next.action();
    },
  };
}
