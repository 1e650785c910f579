/** Current rates after loads, removals and new days, and their events (spec 6.2: lane_rate_updated). */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import fc from "fast-check";

import { removeLaneRate } from "../../src/products/rates/lanes/load.ts";
import { NO_TERMS } from "../../src/products/rates/lanes/terms.ts";
import type { Database } from "../../src/store/database.ts";
import { listPastRates } from "../../src/products/rates/store/reading/rate-lanes-read.ts";

import { failingAt } from "./failing-database.ts";
import { DAY_MS, openScene, type RateScene, type RaisedEvent } from "./scene.ts";

/** The clock of the tests begins at noon of 2026-11-02. */
const TODAY = "2026-11-02";

/** A different UN/LOCODE for each number. */
function place(index: number): string {
  const letters = [index / 676, index / 26, index].map((n) =>
    String.fromCodePoint(65 + (Math.floor(n) % 26)),
  );
  return `CN${letters.join("")}`;
}

describe("rates of a lane", () => {
  let scene: RateScene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene.drop());
  afterEach(async () => {
    const { all } = scene.productCells.of("rates");
    await scene.test.queryEach(all, "truncate cell.rate_lanes, cell.lane_rates");
    await scene.test.queryEach(all, "update cell.rate_day set day = '1970-01-01'");
    await scene.raised();
  });

  const changes = (events: readonly RaisedEvent[]) =>
    events.map(({ data }) => [data.reason, data.old_total, data.new_total, data.change_percent]);
  const days = async (on: string) => {
    const [lane] = await scene.lanesOn(on);
    const rate = lane?.rate;
    return rate === null || rate === undefined ? null : [rate.total, rate.valid_from, rate.valid_to];
  };

  test("the first rate of a lane is no change, and loading it again changes nothing", async () => {
    const rate = {
      from: "2026-11-01",
      to: "2026-11-30",
      total: "2000.00",
      surcharges: "BAF=350|THC=1:included",
    };
    assert.deepEqual(await scene.load(rate), { loaded: 1, replaced: 0, unchanged: 0, changes: 0 });
    assert.deepEqual(await scene.load(rate), { loaded: 0, replaced: 0, unchanged: 1, changes: 0 });
    assert.deepEqual(await scene.raised(), []);
    assert.deepEqual(await days(TODAY), ["2350.00", "2026-11-01", "2026-11-30"]);
  });

  test("a rate with the same first day replaces the old one, and the event has both prices", async () => {
    await scene.load({ from: "2026-11-01", total: "2320", carrier: "HRNL", surcharges: "BAF=100" });
    const loaded = await scene.load({
      from: "2026-11-01",
      to: "2026-11-30",
      total: "2070",
      carrier: "HRNL",
      surcharges: "BAF=180",
    });
    assert.deepEqual(loaded, { loaded: 1, replaced: 1, unchanged: 0, changes: 1 });
    const [{ type, data }] = (await scene.raised()) as [RaisedEvent];
    assert.equal(type, "lane_rate_updated");
    const [lane] = await scene.lanesOn(TODAY);
    assert.deepEqual(data, {
      lane_id: lane!.id,
      ...{ origin: "CNSHA", destination: "NLRTM", equipment: "40HC", carrier: "HRNL", currency: "USD" },
      ...{ kind: null, contract: null, commodity: "FAK" },
      reason: "loaded",
      effective_on: "2026-11-01",
      ...{ old_base: "2320.00", old_total: "2420.00", new_base: "2070.00", new_total: "2250.00" },
      change: "-170.00",
      change_percent: "-7.02",
      surcharges: [
        {
          ...{ code: "BAF", amount: "180.00", included: false },
          ...{ per: "container", percent: null, currency: "USD", name: null },
        },
      ],
      not_in_total: [],
      old_layer: "standard",
      new_layer: "standard",
      valid_from: "2026-11-01",
      valid_to: "2026-11-30",
      ...NO_TERMS,
    });
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
    scene.clock.jump(-3.5 * DAY_MS);
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
    scene.clock.jump(-5 * DAY_MS);
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
    scene.clock.jump(-7 * DAY_MS);
  });

  test("a removed rate leaves the one before it in force, and history keeps it", async () => {
    await scene.load({ from: "2026-10-01", total: "2000" }, { from: "2026-11-01", total: "9000" });
    const [lane] = await scene.lanesOn("2026-11-07");
    assert.equal(await removeLaneRate(scene, lane!.rate!.id), 1);
    assert.equal(await removeLaneRate(scene, lane!.rate!.id), null);
    assert.deepEqual(changes(await scene.raised()), [["removed", "9000.00", "2000.00", "-77.78"]]);
    const page = { afterId: null, limit: 10 };
    const history = await listPastRates(
      scene.database,
      scene.productCells.of("rates").all[0],
      lane!.id,
      page,
    );
    assert.deepEqual(
      history.map(({ validFrom, validTo, endedBy }) => [validFrom, validTo, endedBy]),
      [
        ["2026-11-01", null, "removed"],
        ["2026-10-01", null, null],
      ],
    );
  });

  test("many nodes at once raise each change once, and a clock that goes back raises none again", async () => {
    const lanes = Array.from({ length: 300 }, (_, index) => place(index));
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
    scene.clock.jump(-2 * DAY_MS);
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
    scene.clock.jump(-6 * DAY_MS);
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

  test("whatever the order of loads, at most one rate is current on a day: the one that began last", async () => {
    const day = (offset: number) =>
      new Date(Date.UTC(2026, 10, 1) + offset * DAY_MS).toISOString().slice(0, 10);
    const rate = fc.record({
      from: fc.integer({ min: 0, max: 9 }),
      length: fc.option(fc.integer({ min: 0, max: 9 })),
      total: fc.integer({ min: 1, max: 3 }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(rate, { minLength: 1, maxLength: 8 }), async (rates) => {
        const origin = place(run);
        run += 1;
        const inForce = new Map<number, (typeof rates)[number]>();
        for (const one of rates) {
          const to = one.length === null ? null : day(one.from + one.length);
          await scene.load({ origin, from: day(one.from), to, total: String(one.total) });
          inForce.set(one.from, one);
        }
        for (let offset = 0; offset < 20; offset += 1) {
          const began = [...inForce.values()].filter(({ from }) => from <= offset);
          const last = began.toSorted((a, b) => b.from - a.from)[0];
          const holds = last !== undefined && (last.length === null || offset <= last.from + last.length);
          const lane = (await scene.lanesOn(day(offset))).find((one) => one.origin === origin);
          assert.equal(lane?.rate?.total ?? null, holds ? `${last.total}.00` : null);
          const end = lane?.rate?.valid_to ?? null;
          assert.ok(end === null || end >= day(offset));
        }
      }),
      { numRuns: 25 },
    );
  });
});
