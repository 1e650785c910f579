/** Current rates after loads, removals and new days, and their events (spec 6.2: lane_rate_updated). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { removeLaneRate } from "../../src/products/rates/lanes/load.ts";
import type { Database } from "../../src/store/database.ts";

import { failingAt } from "./failing-database.ts";
import { DAY_MS, describeScene, type RaisedEvent } from "./scene.ts";
import { laneRateHistory } from "../../src/products/rates/store/reading/lane-rates.sql.ts";

/** The clock of the tests begins at noon of 2026-11-02. */
const TODAY = "2026-11-02";

/** A different UN/LOCODE for each number. */
function place(index: number): string {
  const letters = [index / 676, index / 26, index].map((n) =>
    String.fromCodePoint(65 + (Math.floor(n) % 26)),
  );
  return `CN${letters.join("")}`;
}

describeScene("rates of a lane", (scene) => {
  const changes = (events: readonly RaisedEvent[]) =>
    events.map(({ data }) => [data.reason, data.old_total, data.new_total, data.change_percent]);
  const days = async (on: string) => {
    const [lane] = await scene.lanesOn(on);
    const rate = lane?.rate;
    return rate === null || rate === undefined ? null : [rate.total, rate.valid_from, rate.valid_to];
  };

  test("the first rate of a lane is no change, and loading it again changes nothing", async () => {
    const surcharges = "BAF=350|THC=1:included";
    const rate = { from: "2026-11-01", to: "2026-11-30", total: "2000.00", surcharges };
    assert.deepEqual(await scene.load(rate), { loaded: 1, replaced: 0, unchanged: 0, changes: 0 });
    assert.deepEqual(await scene.load(rate), { loaded: 0, replaced: 0, unchanged: 1, changes: 0 });
    assert.deepEqual(await scene.raised(), []);
    assert.deepEqual(await days(TODAY), ["2350.00", "2026-11-01", "2026-11-30"]);
  });

  test("a rate with the same first day replaces the old one, and the event has both prices", async () => {
    await scene.load({ from: "2026-11-01", total: "2320", carrier: "HRNL", surcharges: "BAF=100" });
    const second = { from: "2026-11-01", to: "2026-11-30", total: "2070", carrier: "HRNL" };
    const loaded = await scene.load({ ...second, surcharges: "BAF=180" });
    assert.deepEqual(loaded, { loaded: 1, replaced: 1, unchanged: 0, changes: 1 });
    const [{ type, data }] = (await scene.raised()) as [RaisedEvent];
    assert.equal(type, "lane_rate_updated");
    const { old_total, new_total, change, change_percent, valid_to, lane_id } = data;
    assert.equal(lane_id, (await scene.lanesOn(TODAY))[0]!.id);
    assert.deepEqual(
      [old_total, new_total, change, change_percent],
      ["2420.00", "2250.00", "-170.00", "-7.02"],
    );
    assert.equal(valid_to, "2026-11-30");
  });

  test("a later rate ends the one before it the day before, and is raised on its day", async () => {
    await scene.load({ from: "2026-11-01", to: "2026-12-31", total: "2000" });
    await scene.load({ from: "2026-11-04", to: "2026-11-05", total: "2100" });
    assert.deepEqual(await days("2026-11-03"), ["2000.00", "2026-11-01", "2026-11-03"]);
    assert.deepEqual(await days("2026-11-04"), ["2100.00", "2026-11-04", "2026-11-05"]);
    assert.equal(await days("2026-11-06"), null, "the one before it does not come back");
    await scene.tick();
    assert.deepEqual(await scene.raised(), []);
    scene.clock.jump(1.5 * DAY_MS - 1);
    await scene.tick();
    assert.deepEqual(await scene.raised(), [], "not before midnight, UTC");
    scene.clock.jump(1);
    await scene.tick();
    await scene.tick();
    assert.deepEqual(changes(await scene.raised()), [["began", "2000.00", "2100.00", "5.00"]]);
    scene.clock.jump(2 * DAY_MS);
    await scene.tick();
    assert.deepEqual(changes(await scene.raised()), [["expired", "2100.00", null, null]]);
    await scene.load({ from: "2026-11-06", total: "2100" });
    assert.deepEqual(changes(await scene.raised()), [["loaded", null, "2100.00", null]]);
  });

  test("a rate that continues at the same price under new dates is no change", async () => {
    await scene.load({ from: "2026-11-01", to: "2026-11-06", total: "2000", surcharges: "BAF=1" });
    await scene.load({ from: "2026-11-07", to: "2026-11-30", total: "2000", surcharges: "BAF=1" });
    scene.clock.jump(5 * DAY_MS);
    await scene.tick();
    assert.deepEqual(await scene.raised(), []);
    // The total is the same, but not the surcharges.
    await scene.load({ from: "2026-11-07", to: "2026-11-30", total: "2001" });
    assert.deepEqual(changes(await scene.raised()), [["loaded", "2001.00", "2001.00", "0.00"]]);
  });

  test("a change is effective on the day it took effect, however late it is noticed", async () => {
    const effective = async () => (await scene.raised()).map(({ data }) => [data.reason, data.effective_on]);
    await scene.load({ from: "2026-11-01", to: "2026-11-03", total: "2000" });
    await scene.load({ from: "2026-11-06", to: "2026-11-10", total: "2100" });
    scene.clock.jump(3 * DAY_MS);
    await scene.tick();
    assert.deepEqual(await effective(), [["expired", "2026-11-04"]], "noticed on November 5");
    scene.clock.jump(4 * DAY_MS);
    await scene.tick();
    assert.deepEqual(await effective(), [["began", "2026-11-06"]], "noticed on November 9");
    await scene.load({ from: "2026-11-07", to: "2026-11-08", total: "2200" });
    assert.deepEqual(await effective(), [["loaded", "2026-11-09"]], "it ended the one before, and is over");
    await scene.load({ from: "2026-11-08", total: "2300" });
    assert.deepEqual(await effective(), [["loaded", "2026-11-08"]]);
    const [lane] = await scene.lanesOn("2026-11-09");
    await removeLaneRate(scene, lane!.rate!.id);
    assert.deepEqual(await effective(), [["removed", "2026-11-09"]]);
  });

  test("a removed rate leaves the one before it in force, and history keeps it", async () => {
    await scene.load({ from: "2026-10-01", total: "2000" }, { from: "2026-11-01", total: "9000" });
    const [lane] = await scene.lanesOn("2026-11-07");
    assert.equal(await removeLaneRate(scene, lane!.rate!.id), 1);
    assert.equal(await removeLaneRate(scene, lane!.rate!.id), null);
    assert.deepEqual(changes(await scene.raised()), [["removed", "9000.00", "2000.00", "-77.78"]]);
    const cell = scene.productCells.of("rates");
    const history = await laneRateHistory(scene.database, cell, {
      laneId: lane!.id,
      afterId: null,
      limit: 10,
    });
    assert.deepEqual(
      history.map(({ validFrom, validTo, endedBy }) => `${validFrom} ${validTo} ${endedBy}`),
      ["2026-11-01 null removed", "2026-10-01 null null"],
    );
  });

  test("many nodes at once raise each change once, and a clock that goes back raises none again", async () => {
    const lanes = Array.from({ length: 60 }, (_, index) => place(index));
    await scene.load(...lanes.map((origin) => ({ origin, from: "2026-11-01", total: "1" })));
    scene.clock.jump(10 * DAY_MS);
    await scene.load(...lanes.map((origin) => ({ origin, from: "2026-11-20", total: "2" })));
    scene.clock.jump(10 * DAY_MS);
    await Promise.all([scene.tick(), scene.tick(), scene.tick()]);
    const events = await scene.raised();
    assert.equal(events.length, lanes.length);
    assert.equal(new Set(events.map(({ dedupKey }) => dedupKey)).size, lanes.length);
    scene.clock.jump(-20 * DAY_MS);
    await scene.tick();
    await scene.load({ origin: lanes[0]!, from: "2026-10-30", total: "3" });
    assert.deepEqual(await scene.raised(), []);
    assert.deepEqual(scene.log.lines, []);
  });

  test("a load or a removal that fails anywhere leaves nothing, and its repetition raises one event", async () => {
    const first = { from: "2026-10-01", total: "1000" };
    await scene.load(first, { ...first, equipment: "20GP" });
    const steps = [
      (database: Database) =>
        scene.loadInto(
          database,
          { from: "2026-11-01", total: "2000" },
          { from: "2026-11-01", total: "3", equipment: "45G1" },
        ),
      async (database: Database) => {
        const lane = (await scene.lanesOn(TODAY)).find(({ origin }) => origin === "CNSHA");
        return removeLaneRate({ ...scene, database }, lane!.rate!.id);
      },
    ];
    for (const step of steps) {
      const unchanged = await scene.lanesOn(TODAY);
      let failures = 0;
      for (let at = 1, isOver = false; !isOver; at += 1) {
        const failing = failingAt(scene.test.database, at);
        await step(failing).catch((error: Error) => assert.match(error.message, /it fails here/));
        isOver = !failing.hasFailed();
        if (isOver) continue;
        failures += 1;
        assert.deepEqual(await scene.lanesOn(TODAY), unchanged);
        assert.deepEqual(await scene.raised(), []);
      }
      assert.ok(failures > 3, "it fails at every statement");
      assert.equal((await scene.raised()).length, 1);
    }
  });

  test("a node that dies during an update raises nothing twice, and the next one continues", async () => {
    // Between two ports: in one transaction.
    const lanes = ["ALFA", "BRVO", "CHRL", "DLTA", "ECHO"];
    await scene.load(...lanes.map((carrier) => ({ carrier, from: TODAY, total: "1" })));
    await scene.load(...lanes.map((carrier) => ({ carrier, from: "2026-11-03", total: "2" })));
    scene.clock.jump(DAY_MS);
    for (let at = 1, isOver = false; !isOver; at += 1) {
      const failing = failingAt(scene.test.database, at);
      await scene.tick(failing);
      isOver = !failing.hasFailed();
      assert.equal((await scene.raised()).length, isOver ? lanes.length : 0);
    }
    await scene.load(...lanes.map((carrier) => ({ carrier, from: "2026-11-04", total: "3" })));
    scene.clock.jump(DAY_MS);
    await scene.tick(failingAt(scene.test.database, "answer"));
    await scene.tick();
    assert.equal((await scene.raised()).length, lanes.length, "though the answer to the commit was lost");
    assert.ok(scene.log.lines.length > 0);
  });

  test("after days without an update a lane raises one event, if its price has changed", async () => {
    const returns = { equipment: "20GP" };
    await scene.load({ from: TODAY, total: "1000" }, { from: TODAY, total: "10", ...returns });
    await scene.load({ from: "2026-11-04", total: "1100" }, { from: "2026-11-04", total: "11", ...returns });
    await scene.load({ from: "2026-11-06", total: "1210" }, { from: "2026-11-06", total: "10", ...returns });
    scene.clock.jump(6 * DAY_MS);
    await scene.tick();
    assert.deepEqual(changes(await scene.raised()), [["began", "1000.00", "1210.00", "21.00"]]);
  });

  test("a correction of the past is raised only if it changes today's rate", async () => {
    await scene.load(
      { from: "2026-10-01", to: "2026-10-31", total: "1000" },
      { from: "2026-11-01", total: "2000" },
    );
    await scene.load({ from: "2026-10-01", to: "2026-10-31", total: "1500" });
    assert.deepEqual(await scene.raised(), []);
    await scene.load({ from: "2026-11-01", total: "1999.99" });
    assert.deepEqual(changes(await scene.raised()), [["loaded", "2000.00", "1999.99", "0.00"]]);
  });
});
