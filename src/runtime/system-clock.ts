import { uptime } from "node:os";
import { performance } from "node:perf_hooks";

import type { Cancel, Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { type SteadyTime, steadyTime, type TimeSources } from "./steady-time.ts";

/** How often the steady clock is compared with the wall clock. */
const CHECK_INTERVAL_MS = 5000;

/** Node's timers fire at once when the delay is longer. */
const TIMER_DELAY_MS_MAX = 2_147_483_647;

/** A clock that runs until it is stopped. */
export type SystemClock = Clock & { stop(): void };

/**
 * The real clock, steadied (`steady-time.ts`): setting the wall clock a day ahead or back neither fires every timer at
 * once nor holds them for a day. Timers of `after` keep the process alive; the check does not.
 */
export function startSystemClock(log: Log): SystemClock {
  const time = steadyTime(realSources, CHECK_INTERVAL_MS, {
    jumped: (jumpMs) =>
      log.warn({ jumpMs }, "the wall clock jumped; the clock follows slowly, at a tenth of real time"),
    suspended: (suspendedMs) =>
      log.info({ suspendedMs }, "the machine was suspended; the clock leaps ahead by that time"),
  });
  const check = setInterval(time.check, CHECK_INTERVAL_MS).unref();
  return { ...clockOn(time), stop: () => clearInterval(check) };
}

const realSources: TimeSources = {
  wallMs: Date.now,
  monotonicMs: () => performance.now(),
  uptimeMs: () => uptime() * 1000,
};

function clockOn(time: SteadyTime): Clock {
  return { nowMs: time.nowMs, monotonicMs: () => performance.now(), after };
}

/** Node's timers may fire a millisecond early, and know no delay beyond 24 days. This one is never early. */
function after(delayMs: number, action: () => void): Cancel {
  const dueMs = performance.now() + delayMs;
  let timer = setTimeout(fire, Math.min(delayMs, TIMER_DELAY_MS_MAX));
  function fire(): void {
    const leftMs = dueMs - performance.now();
    if (leftMs <= 0) action();
    else timer = setTimeout(fire, Math.min(Math.ceil(leftMs), TIMER_DELAY_MS_MAX));
  }
  return () => clearTimeout(timer);
}
