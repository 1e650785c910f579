import type { Clock } from "../../runtime/clock.ts";
import type { EngineSettings } from "../settings.ts";

/** Delays raising, for a bounded time, while the memory budget is almost used up. */
export type Backpressure = {
  wait(): Promise<void>;
  /** The memory budget may have free capacity again. */
  capacityFreed(): void;
};

/** The share of the memory budget that must be free for raising to go on without a pause. */
const FREE_SHARE = 0.1;

/** `free`: deliveries that still fit into the memory budget. */
export function createBackpressure(settings: EngineSettings, clock: Clock, free: () => number): Backpressure {
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
    capacityFreed(): void {
      if (waiting.length === 0 || !isEnough()) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
  };
}
