/** The store of a command: opened as `serve` would. */
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import { CommandError } from "../../cli/command.ts";
import type { OpenedStore, OpenOptions } from "../../cli/context.ts";
import { createCleanupStack } from "../../runtime/cleanup.ts";
import { jsonLog, type Log } from "../../runtime/log.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import type { Clock } from "../../runtime/clock.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { systemRandom } from "../../runtime/system-random.ts";
import type { DatabaseAddress } from "../../store/database.ts";
import { hasCluster, requireRestored } from "../../store/embedded/cluster.ts";
import { startEmbedded } from "../../store/embedded/embedded.ts";
import { openServiceStore } from "../store.ts";
import { readSettings } from "./settings.ts";

export type ClosableStore = OpenedStore & { close(): Promise<void> };

/** Finds the embedded PostgreSQL running, or starts it until `close`. */
export async function openCommandStore(
  at: ProcessContext,
  { mayCreate = false }: OpenOptions,
): Promise<ClosableStore> {
  const settings = readSettings(at);
  if (settings.databaseUrl === null) requireDataFolder(at, resolve(settings.dataFolder), mayCreate !== false);
  // Somebody who asks for a list need not read that a database starts and stops.
  const log = jsonLog(settings.logLevel === "info" ? "warn" : settings.logLevel);
  const clock = startSystemClock(log);
  const opened = createCleanupStack();
  opened.push(async () => clock.stop());
  try {
    const store = await openServiceStore(settings, clock, log, {
      mayCreate: mayCreate === true || settings.databaseUrl === null,
    });
    opened.push(() => store.close());
    const { database, cells, productCells } = store;
    const ports = { database, cells, productCells, clock, random: systemRandom(), log };
    const { migrated, refreshHomes } = store;
    return { ...ports, settings, migrated: migrated.ran, refreshHomes, close: opened.closeAll };
  } catch (cause) {
    await opened.closeAll();
    throw cause;
  }
}

/** The server of the directory, without a store opened on it. Starts the embedded PostgreSQL until `close`, unless it runs. */
export async function openCommandServer(at: ProcessContext): Promise<{
  readonly address: DatabaseAddress;
  readonly clock: Clock;
  readonly log: Log;
  close(): Promise<unknown>;
}> {
  const { databaseUrl, dataFolder, logLevel } = readSettings(at);
  const log = jsonLog(logLevel === "info" ? "warn" : logLevel);
  if (databaseUrl !== null) {
    const clock = startSystemClock(log);
    return { address: { url: databaseUrl }, clock, log, close: async () => clock.stop() };
  }
  return openEmbedded(at, resolve(dataFolder), log);
}

/** The embedded PostgreSQL, running until `close`. Throws if there is no store. */
export async function openEmbedded(at: ProcessContext, folder: string, log: Log) {
  requireRestored(folder);
  requireDataFolder(at, folder, false);
  const clock = startSystemClock(log);
  const { address, major, stop } = await startEmbedded({ dataFolder: folder, clock, log });
  return { address, major, clock, log, close: () => stop().finally(() => clock.stop()) };
}

/** Throws if this user may not look whether there is a store. */
function requireReadable(folder: string): void {
  try {
    readdirSync(folder);
    statSync(join(folder, "postgres", "PG_VERSION"));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM") return;
    throw new CommandError(
      `${folder} cannot be read by this user (${code}). Run the command as the service's user, or as root: ` +
        "`sudo -u boathook …`.",
      1,
    );
  }
}

/** Throws if there is no store: no running service would know what a command creates there. */
function requireDataFolder(at: ProcessContext, folder: string, mayCreate: boolean): void {
  if (hasCluster(folder)) return;
  requireReadable(folder);
  if (mayCreate) return at.err(`There is no Boathook in ${folder} yet: creating its database there.\n`);
  throw new CommandError(
    `There is no Boathook in ${folder}. Set BOATHOOK_DATA_DIR to the data folder that you mean ` +
      "(or BOATHOOK_DATABASE_URL to its database), or start one there with `boathook serve`.",
    1,
  );
}
