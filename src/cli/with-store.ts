/** What commands that work on the store have in common: open it as `serve` would, and close it behind them. */
import { jsonLog, type Log } from "../runtime/log.ts";
import type { Random } from "../runtime/random.ts";
import type { Settings } from "../runtime/settings.ts";
import type { Surroundings } from "../runtime/surroundings.ts";
import { startSystemClock, type SystemClock } from "../runtime/system-clock.ts";
import { systemRandom } from "../runtime/system-random.ts";
import { openServiceStore } from "../service/store.ts";
import type { Cell } from "../store/cell.ts";
import type { Store } from "../store/open.ts";
import { settingsIn } from "./settings.ts";

export type Opened = {
  readonly settings: Settings;
  readonly store: Store;
  readonly cells: readonly [Cell, ...Cell[]];
  readonly clock: SystemClock;
  readonly random: Random;
  readonly log: Log;
};

/** The embedded PostgreSQL is found running, or started for as long as `work` takes. */
export async function withStore<T>(at: Surroundings, work: (opened: Opened) => Promise<T>): Promise<T> {
  const settings = settingsIn(at);
  // That a database was started and stopped is no news to somebody who asked for a list.
  const log = jsonLog(settings.logLevel === "info" ? "warn" : settings.logLevel);
  const clock = startSystemClock(log);
  try {
    const store = await openServiceStore(settings, clock, log);
    try {
      const cells = store.cells as readonly [Cell, ...Cell[]];
      return await work({ settings, store, cells, clock, random: systemRandom(), log });
    } finally {
      await store.close();
    }
  } finally {
    clock.stop();
  }
}
