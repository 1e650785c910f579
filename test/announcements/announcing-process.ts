/**
 * One node that announces, as a process of its own, for the tests that kill it: the engine, the announcer and the broadcaster
 * of a real service on a database that is there already. What it takes is in its first argument.
 */
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { startEngine } from "../../src/engine/start.ts";
import { createAnnouncer } from "../../src/freight/announcements/announcer.ts";
import { BROADCASTER_DEFAULTS, createBroadcaster } from "../../src/freight/broadcasts/broadcaster.ts";
import type { ChangelogEntry } from "../../src/freight/announcements/entry.ts";
import { jsonLog } from "../../src/runtime/log.ts";
import { startSystemClock } from "../../src/runtime/system-clock.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { cellsNamed, SCHEMA_PREFIX } from "../../src/store/cell.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { PUBLICATION } from "./entries.ts";

export type AnnouncingOptions = {
  readonly address: DatabaseAddress;
  readonly entries: readonly ChangelogEntry[];
  /** Events that are raised in one transaction. */
  readonly eventsMax: number;
};

const { address, entries, eventsMax } = JSON.parse(process.argv[2]!) as AnnouncingOptions;
const log = jsonLog("info");
const clock = startSystemClock(log);
const random = systemRandom();
const cells = cellsNamed(SCHEMA_PREFIX, 2);
const database = openDatabase(address, {
  sessionName: "boathook announcing",
  connectionsMax: 4,
  connectTimeoutMs: 10_000,
  onIdleError: () => undefined,
});
const { raiseWithin } = await startEngine(
  { ...DEFAULT_ENGINE_SETTINGS, leaseMs: 1_500, heartbeatIntervalMs: 300 },
  {
    database,
    cells,
    clock,
    random,
    log,
    masterKeys: [Buffer.alloc(32, 7)],
    send() {
      throw new Error("nothing is sent here");
    },
    headerTag: (product) => product,
    pingData: "{}",
    delivers: false,
  },
);
const loops = createLoopMonitor(clock, log);
const broadcaster = createBroadcaster({ database, raiseWithin, clock, log, loops }, cells, {
  ...BROADCASTER_DEFAULTS,
  intervalMs: 200,
  eventsMax,
});
broadcaster.start();
const ports = { database, wakeBroadcaster: broadcaster.wake, clock, random, log, loops };
createAnnouncer({ ...ports, cells }, entries, PUBLICATION, 200).start();
