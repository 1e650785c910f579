import type { Clock } from "../../runtime/clock.ts";
import type { EngineSettings } from "../settings.ts";

/** Lets raising wait, for a bounded time, while the window is almost full. */
export type Backpressure = {
  wait(): Promise<void>;
  /** The window may have room again. */
  capacityFreed(): void;
};

/** The part of the window that must be free for raising to go on without a pause. */
const FREE_SHARE = 0.1;

/** `free` is how many deliveries still fit into the window. */
export function createBackpressure(settings: EngineSettings, clock: Clock, free: () => number): Backpressure {
  const enough = () => free() > settings.memoryDeliveriesMax * FREE_SHARE;
  let waiting: (() => void)[] = [];
  return {
    wait(): Promise<void> {
      if (enough()) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        clock.after(settings.capacityWaitMsMax, resolve);
      });
    },
    capacityFreed(): void {
      if (waiting.length === 0 || !enough()) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
  };
}
