import type { Clock } from "../../runtime/clock.ts";
import type { EngineSettings } from "../settings.ts";

/** The share of the memory budget that must be free for raising to go on without a pause. */
const FREE_SHARE = 0.1;

/**
 * Delays raising, for a bounded time, while the memory budget is almost used up. `free`: deliveries that still fit
 * into it.
 */
export function createBackpressure(settings: EngineSettings, clock: Clock, free: () => number) {
  const isEnough = () => free() > settings.memoryDeliveriesMax * FREE_SHARE;
  let waiting: (() => void)[] = [];
  return {
    wait(): Promise<void> {
      if (isEnough()) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        clock.after(settings.capacityWaitMsMax, resolve);
      });
    },
    /** The memory budget may have free capacity again. */
    capacityFreed(): void {
      if (waiting.length === 0 || !isEnough()) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
  };
}
