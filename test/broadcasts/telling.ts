/** Two cells with a crowd in each, and the real engine. It sends nothing: the stored events show who was notified. */
import assert from "node:assert/strict";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { startEngine, type RunningEngine } from "../../src/engine/start.ts";
import {
  BROADCASTER_DEFAULTS,
  createBroadcaster,
  type Broadcaster,
  type BroadcasterPorts,
  type BroadcasterSettings,
} from "../../src/freight/broadcasts/broadcaster.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { addCrowd, toldIn } from "./crowd.ts";

/** Accounts of each cell; a third of them takes `api_change_announced`. */
export const CROWD = 240;

export type Telling = {
  readonly on: TestDatabase;
  readonly engine: RunningEngine;
  /** The broadcaster's clock; no time passes for the engine. */
  readonly clock: ManualClock;
  /** Starts one that tells twenty accounts at a time, and is stopped with the scene. */
  broadcast(ports?: Partial<BroadcasterPorts>, settings?: Partial<BroadcasterSettings>): Broadcaster;
  /** What is to be stopped with the scene. */
  atEnd(stop: () => Promise<void>): void;
  /** How many accounts of each cell were notified, by the `id` in the data. */
  told(): Promise<readonly Readonly<Record<string, number>>[]>;
  /** Rows of a table in all cells. */
  rowsOf(table: string): Promise<number>;
  /** No broadcast is left, without any time that passes. */
  allTold(): Promise<void>;
  /** Lets time pass until none is. */
  allToldInTime(): Promise<void>;
  end(): Promise<void>;
};

export async function openCrowd(): Promise<TestDatabase> {
  const on = await createTestDatabase({ cells: 2 });
  for (const cell of on.cells) await addCrowd(on, cell, CROWD);
  return on;
}

/** Starts with no account notified. */
export async function startTelling(on: TestDatabase): Promise<Telling> {
  const clock = manualClock();
  const engineClock = manualClock();
  const stops: (() => Promise<void>)[] = [];
  const tables = "events, deliveries, queue, event_keys, announcements, announcing, broadcasts";
  await on.queryEach(on.cells, `truncate ${tables.replaceAll(/\w+/g, "cell.$&")}`);
  const engine = await startEngine(DEFAULT_ENGINE_SETTINGS, {
    database: on.database,
    cells: on.cells,
    clock: engineClock,
    random: systemRandom(),
    log: silentLog,
    masterKeys: [Buffer.alloc(32, 7)],
    send: () => assert.fail("nothing is sent here"),
    headerTag: (product) => product,
    pingData: "{}",
    delivers: false,
  });

  const rowsOf = async (table: string): Promise<number> =>
    (await on.queryEach(on.cells, `select from cell.${table}`)).length;
  const isOver = async () => (await rowsOf("broadcasts")) === 0;

  return {
    on,
    engine,
    clock,
    broadcast(ports = {}, settings = {}) {
      const { raiseWithin } = engine;
      const broadcaster = createBroadcaster(
        { database: on.database, raiseWithin, clock, log: silentLog, loops: unwatchedLoops, ...ports },
        on.cells,
        { ...BROADCASTER_DEFAULTS, eventsMax: 20, ...settings },
      );
      stops.push(() => broadcaster.stop());
      broadcaster.start();
      return broadcaster;
    },
    atEnd: (stop) => void stops.push(stop),
    told: async () => Promise.all(on.cells.map((cell) => toldIn(on.database.homeOf(cell), cell))),
    rowsOf,
    async allTold() {
      await clock.rest();
      assert.ok(await isOver(), "every account is notified");
    },
    allToldInTime: () => clock.until(isOver, "every account is notified"),
    async end() {
      for (const stop of stops.splice(0)) await stop();
      await engineClock.drive(engine.stop());
    },
  };
}
