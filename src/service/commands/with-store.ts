/** What commands that work on the store have in common: open it as `serve` would, and close it behind them. */
import { resolve } from "node:path";

import { jsonLog, type Log } from "../../runtime/log.ts";
import type { Random } from "../../runtime/random.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import { startSystemClock, type SystemClock } from "../../runtime/system-clock.ts";
import { systemRandom } from "../../runtime/system-random.ts";
import { openServiceStore } from "../store.ts";
import type { Cell } from "../../store/cell.ts";
import { hasCluster } from "../../store/embedded/cluster.ts";
import type { Store } from "../../store/open.ts";
import { CommandError } from "../../cli/command.ts";
import { readSettings } from "./settings.ts";

export type StoreContext = {
  readonly settings: Settings;
  readonly store: Store;
  readonly cells: readonly [Cell, ...Cell[]];
  readonly clock: SystemClock;
  readonly random: Random;
  readonly log: Log;
};

/** A data folder without a store becomes one only where `mayMake` says so, and is told of: else it is the wrong folder. */
export type StoreOptions = { readonly mayCreate?: boolean };

/** The embedded PostgreSQL is found running, or started for as long as `work` takes. */
export async function withStore<T>(
  at: ProcessContext,
  work: (opened: StoreContext) => Promise<T>,
  { mayCreate = false }: StoreOptions = {},
): Promise<T> {
  const settings = readSettings(at);
  if (settings.databaseUrl === null) requireDataFolder(at, resolve(settings.dataFolder), mayCreate);
  // That a database was started and stopped is no news to somebody who asked for a list.
  const log = jsonLog(settings.logLevel === "info" ? "warn" : settings.logLevel);
  const clock = startSystemClock(log);
  try {
    const store = await openServiceStore(settings, clock, log);
    try {
      const cells = store.cells;
      return await work({ settings, store, cells, clock, random: systemRandom(), log });
    } finally {
      await store.close();
    }
  } finally {
    clock.stop();
  }
}

/** Throws `CommandRefused` where there is no store: what a command made there no running service would know of. */
function requireDataFolder(at: ProcessContext, folder: string, mayMake: boolean): void {
  if (hasCluster(folder)) return;
  if (mayMake) return at.err(`There is no Boathook in ${folder} yet: its database is made there now.\n`);
  throw new CommandError(
    `There is no Boathook in ${folder}. Set BOATHOOK_DATA_DIR to the data folder of the one that you mean ` +
      "(or BOATHOOK_DATABASE_URL to its database), or start one there with `boathook serve`.",
    1,
  );
}
