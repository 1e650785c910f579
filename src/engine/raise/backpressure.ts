import type { Clock } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";
import type { EngineSettings } from "../settings.ts";

/** The share of the memory budget that must be free to a cell for raising to go on without a pause. */
export const FREE_SHARE = 0.1;

/** Delays raising in a cell, for a bounded time, while it has almost no capacity (`isEnough`: it has). */
export function createBackpressure(
  { capacityWaitMsMax }: Pick<EngineSettings, "capacityWaitMsMax">,
  clock: Pick<Clock, "after">,
  isEnough: (cell: Cell) => boolean,
) {
  const waiting = new Map<() => void, Cell>();
  return {
    wait(cell: Cell): Promise<void> {
      if (isEnough(cell)) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.set(resolve, cell);
        clock.after(capacityWaitMsMax, () => {
          waiting.delete(resolve);
          resolve();
        });
      });
    },
    /** Cells may have free capacity again. */
    capacityFreed(): void {
      for (const [resolve, cell] of waiting) {
        if (!isEnough(cell)) continue;
        waiting.delete(resolve);
        resolve();
      }
    },
  };
}
