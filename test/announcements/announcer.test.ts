/** Announcing to a crowd in two cells, on the real store and engine. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import {
  ANNOUNCER_INTERVAL_MS,
  createAnnouncer,
  type AnnouncerPorts,
} from "../../src/freight/announcements/announcer.ts";
import type { ChangelogEntry } from "../../src/freight/announcements/entry.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import type { Interval } from "../../src/runtime/interval.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { CROWD, openCrowd, startTelling, type Telling } from "../broadcasts/telling.ts";
import type { TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { entryOn, PUBLICATION } from "./entries.ts";
import { unwatchedLoops } from "../support/loops.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The clock of the tests begins at noon of 2026-11-02. */
const TODAY = "2026-11-02";
const ALL = { [`${TODAY}-entry`]: CROWD / 3 };

describe("announcing", () => {
  let on: TestDatabase;
  let scene: Telling;
  let wakeBroadcaster: AnnouncerPorts["wakeBroadcaster"];

  before(async () => {
    on = await openCrowd();
  });
  beforeEach(async () => {
    scene = await startTelling(on);
    wakeBroadcaster = scene.broadcast().wake;
  });
  afterEach(() => scene.end());
  after(() => on.drop());

  const announce = (changelog: readonly ChangelogEntry[], ports: Partial<AnnouncerPorts> = {}): Interval => {
    const { clock } = scene;
    const own = { database: on.database, cells: on.cells, wakeBroadcaster, clock, random: systemRandom() };
    const all = { ...own, log: silentLog, loops: unwatchedLoops, ...ports };
    const announcer = createAnnouncer(all, changelog, PUBLICATION);
    scene.atEnd(() => announcer.stop());
    announcer.start();
    return announcer;
  };

  /** `count` entries are announced, counted per cell, and all accounts have been notified. */
  const announced = async (count: number) => {
    await scene.allTold();
    assert.equal(await scene.rowsOf("announcements"), count);
  };

  /** Until every cell knows since when it announces: a look is over. */
  const hasLooked = async () => {
    await scene.clock.rest();
    assert.equal(await scene.rowsOf("announcing"), 2);
  };

  // spec 6.2: api_change_announced; 6.3: api_change_announced; 6.5: once, notice_days, carriers
  test("every subscribed account receives it once, as the catalogue says, from two nodes at once and another after them", async () => {
    const entry = entryOn(TODAY, { carriers: ["HRNL"], effective_at: "2026-12-02" });
    announce([entry]);
    announce([entry]);
    await announced(2);
    announce([entry]);
    await scene.clock.advance(ANNOUNCER_INTERVAL_MS);
    await scene.allTold();
    assert.deepEqual(await scene.told(), [ALL, ALL]);
    const sql = "select product, type, data from cell.events group by 1, 2, 3";
    const { rows } = await on.queryIn(on.cells[0]!, sql);
    assert.equal(rows.length, 1, "the same for all");
    const { product, type, data } = rows[0] as { product: string; type: string; data: string };
    assert.deepEqual(createEventDataCheck(products)(product, type, JSON.parse(data)), { ok: true });
    assert.equal(JSON.parse(data).notice_days, 30);
  });

  // spec 6.5: once; 6.3: api_change_announced
  test("an entry waits for its day in UTC, and what was announced before the first start is never announced", async () => {
    announce([entryOn("2026-06-01"), entryOn("2026-11-01"), entryOn("2026-11-03")]);
    await hasLooked();
    scene.clock.jump(DAY_MS / 2 - ANNOUNCER_INTERVAL_MS - 1);
    await scene.clock.advance(ANNOUNCER_INTERVAL_MS);
    assert.deepEqual(await scene.told(), [{}, {}]);
    await scene.clock.advance(ANNOUNCER_INTERVAL_MS);
    await announced(2);
    const told = { "2026-11-03-entry": CROWD / 3 };
    assert.deepEqual(await scene.told(), [told, told]);
  });

  test("what was to be announced while nobody ran is announced at the next start", async () => {
    const first = announce([]);
    await hasLooked();
    await first.stop();
    scene.clock.jump(10 * DAY_MS);
    announce([entryOn("2026-11-05"), entryOn("2026-11-09")]);
    await announced(4);
    const both = { "2026-11-05-entry": CROWD / 3, "2026-11-09-entry": CROWD / 3 };
    assert.deepEqual(await scene.told(), [both, both]);
  });

  test("a clock that jumps back and forth announces nothing twice, even without the accounts' keys", async () => {
    announce([entryOn(TODAY)]);
    await announced(2);
    for (const cell of on.cells) await on.queryIn(cell, "truncate cell.event_keys");
    for (const days of [-400, 399, 500, -499]) {
      scene.clock.jump(days * DAY_MS);
      announce([entryOn(TODAY)]);
      await scene.clock.advance(ANNOUNCER_INTERVAL_MS);
    }
    await scene.allTold();
    assert.deepEqual(await scene.told(), [ALL, ALL]);
  });

  test("a transaction that fails leaves neither the record nor the broadcast, and the next check retries", async () => {
    let transactions = 0;
    announce([entryOn(TODAY)], {
      database: {
        ...on.database,
        transaction: (work) =>
          on.database.transaction(async (tx) => {
            const result = await work(tx);
            transactions += 1;
            if (transactions <= 2) throw new Error("the transaction fails after all was written");
            return result;
          }),
      },
    });
    await scene.clock.rest();
    assert.equal(transactions, 2, "both cells have failed");
    assert.equal(await scene.rowsOf("announcements"), 0);
    assert.equal(await scene.rowsOf("broadcasts"), 0);
    await scene.clock.advance(ANNOUNCER_INTERVAL_MS);
    await announced(2);
    assert.deepEqual(await scene.told(), [ALL, ALL]);
  });
});
