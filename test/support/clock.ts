import type { Clock } from "../../src/runtime/clock.ts";

/** The machine's time, for tests that wait for real processes and sockets. */
export const realClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
