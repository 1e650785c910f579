import type { Clock } from "../../src/runtime/clock.ts";

/** The time as it passes, for tests whose other side is a real socket. */
export const realClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.max(0, delayMs) + 1);
    return () => clearTimeout(timer);
  },
};
