/** Announcing to a crowd in two cells, on the real store and engine. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { startEngine, type RunningEngine } from "../../src/engine/start.ts";
import {
  ANNOUNCER_DEFAULTS,
  createAnnouncer,
  type Announcer,
  type AnnouncerPorts,
} from "../../src/producers/announcements/announcer.ts";
import type { ChangelogEntry } from "../../src/producers/announcements/entry.ts";
import { eventDataCheck } from "../../src/products/check.ts";
import { products } from "../../src/products/index.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { until } from "../faults/until.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { addCrowd, entryOn, PUBLICATION, toldIn } from "./crowd.ts";

const CROWD = 1_200;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The clock of the tests begins at noon of 2026-11-02. */
const TODAY = "2026-11-02";
const ALL = { [`${TODAY}-entry`]: CROWD / 3 };

describe("announcing", () => {
  let on: TestDatabase;
  /** The announcers' own: days pass in it, and none for the engine. */
  let clock: ManualClock;
  let engineClock: ManualClock;
  let engine: RunningEngine;
  const running: Announcer[] = [];

  before(async () => {
    on = await createTestDatabase({ cells: 2 });
    for (const cell of on.cells) await addCrowd(on.address, cell, CROWD);
  });
  beforeEach(async () => {
    clock = manualClock();
    engineClock = manualClock();
    for (const { schema } of on.cells) {
      const tables = ["events", "deliveries", "queue", "event_keys", "announcements", "announcing"];
      await query(on.address, `truncate ${tables.map((table) => `${schema}.${table}`).join(", ")}`);
    }
    engine = await startEngine(DEFAULT_ENGINE_SETTINGS, {
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
  });
  after(() => on.drop());

  /** Stops everybody who announces, and the engine that they share. */
  const end = async () => {
    for (const announcer of running.splice(0)) await announcer.stop();
    const stopping = engine.stop();
    let isOver = false;
    void stopping.finally(() => (isOver = true));
    await until(async () => {
      await engineClock.advance(10);
      return isOver;
    }, "the engine stops");
  };

  const announce = (changelog: readonly ChangelogEntry[], ports: Partial<AnnouncerPorts> = {}): Announcer => {
    const own: AnnouncerPorts = {
      database: on.database,
      raiseWithin: (cell, change) => engine.raiseWithin(cell, change),
      clock,
      log: silentLog,
      ...ports,
    };
    const announcer = createAnnouncer(own, on.cells, changelog, PUBLICATION, {
      ...ANNOUNCER_DEFAULTS,
      batchMax: 100,
    });
    running.push(announcer);
    announcer.start();
    return announcer;
  };

  const told = async () => Promise.all(on.cells.map((cell) => toldIn(on.address, cell)));

  const finished = async (): Promise<number> => {
    const counts = on.cells.map(({ schema }) =>
      query(on.address, `select from ${schema}.announcements where finished_at is not null`),
    );
    return (await Promise.all(counts)).reduce((sum, { rowCount }) => sum + rowCount!, 0);
  };

  const hasFinished = (count: number) => until(async () => (await finished()) === count, "it is finished");

  /** Until every cell knows since when it announces: a look is over. */
  const hasLooked = () =>
    until(async () => {
      const counts = on.cells.map(({ schema }) => query(on.address, `select from ${schema}.announcing`));
      return (await Promise.all(counts)).every(({ rowCount }) => rowCount === 1);
    }, "a look is over");

  test("every account with an active endpoint that takes it is told once, and nobody else costs an event", async () => {
    announce([entryOn(TODAY)]);
    await hasFinished(2);
    assert.deepEqual(await told(), [ALL, ALL]);
    await end();
  });

  test("what is said is what the catalogue says, and the same to all", async () => {
    announce([entryOn(TODAY, { carriers: ["HRNL"], effective_at: "2026-12-02" })]);
    await hasFinished(2);
    const { rows } = await query(
      on.address,
      "select product, type, data from boathook_cell_0.events group by 1, 2, 3",
    );
    assert.equal(rows.length, 1);
    const { product, type, data } = rows[0] as { product: string; type: string; data: string };
    assert.deepEqual(eventDataCheck(products)(product, type, JSON.parse(data)), { ok: true });
    assert.equal(JSON.parse(data).notice_days, 30);
    await end();
  });

  test("two nodes at once, and another after them, tell nobody twice", async () => {
    announce([entryOn(TODAY)]);
    announce([entryOn(TODAY)]);
    for (let looks = 0; (await finished()) < 2; looks += 1) {
      assert.ok(looks < 1_000);
      await clock.advance(ANNOUNCER_DEFAULTS.lookMs);
    }
    announce([entryOn(TODAY)]);
    await clock.advance(ANNOUNCER_DEFAULTS.lookMs);
    assert.deepEqual(await told(), [ALL, ALL]);
    await end();
  });

  test("an entry waits for its day in UTC, and what was announced before the first start is never announced", async () => {
    announce([entryOn("2026-06-01"), entryOn("2026-11-01"), entryOn("2026-11-03")]);
    await hasLooked();
    clock.jump(DAY_MS / 2 - ANNOUNCER_DEFAULTS.lookMs - 1);
    await clock.advance(ANNOUNCER_DEFAULTS.lookMs);
    assert.deepEqual(await told(), [{}, {}]);
    await clock.advance(ANNOUNCER_DEFAULTS.lookMs);
    await hasFinished(2);
    assert.deepEqual(await told(), [{ "2026-11-03-entry": CROWD / 3 }, { "2026-11-03-entry": CROWD / 3 }]);
    await end();
  });

  test("what was to be announced while nobody ran is announced at the next start", async () => {
    const first = announce([]);
    await hasLooked();
    await first.stop();
    clock.jump(10 * DAY_MS);
    announce([entryOn("2026-11-05"), entryOn("2026-11-09")]);
    await hasFinished(4);
    const both = { "2026-11-05-entry": CROWD / 3, "2026-11-09-entry": CROWD / 3 };
    assert.deepEqual(await told(), [both, both]);
    await end();
  });

  test("a clock that jumps back and forth announces nothing twice", async () => {
    announce([entryOn(TODAY)]);
    await hasFinished(2);
    for (const days of [-400, 399, 500, -499]) {
      clock.jump(days * DAY_MS);
      announce([entryOn(TODAY)]);
      await clock.advance(ANNOUNCER_DEFAULTS.lookMs);
    }
    assert.deepEqual(await told(), [ALL, ALL]);
    await end();
  });

  test("a batch that fails leaves nothing behind, and the next look goes on there", async () => {
    let batches = 0;
    announce([entryOn(TODAY)], {
      raiseWithin: (cell, change) =>
        engine.raiseWithin(cell, async (tx) => {
          const events = await change(tx);
          batches += 1;
          if (batches % 3 === 0) throw new Error("the batch fails after all was written");
          return events;
        }),
    });
    for (let looks = 0; (await finished()) < 2; looks += 1) {
      assert.ok(looks < 1_000);
      await clock.advance(ANNOUNCER_DEFAULTS.lookMs);
    }
    assert.ok(batches > 12, `${batches} batches`);
    assert.deepEqual(await told(), [ALL, ALL]);
    await end();
  });

  test("who stops in the middle leaves the rest to the next, even without the accounts' keys", async () => {
    let batches = 0;
    const first = announce([entryOn(TODAY)], {
      raiseWithin: async (cell, change) => {
        batches += 1;
        if (batches === 3) void first.stop();
        return engine.raiseWithin(cell, change);
      },
    });
    await until(() => batches === 3, "three batches");
    await first.stop();
    assert.deepEqual(await told(), [{ [`${TODAY}-entry`]: 300 }, {}]);
    // Keys are pruned with the history; progress is not.
    await query(on.address, "truncate boathook_cell_0.event_keys");
    announce([entryOn(TODAY)]);
    await hasFinished(2);
    assert.deepEqual(await told(), [ALL, ALL]);
    await end();
  });
});
