/** Indices over baskets of lanes: values, schedules and events (spec 6.2: index_refreshed). */
import assert from "node:assert/strict";
import { test, describe } from "node:test";

import fc from "fast-check";

import { computeIndex } from "../../src/products/rates/indices/compute.ts";
import {
  defineIndex,
  deleteIndex,
  type DefineResult,
  firstDueMs,
} from "../../src/products/rates/indices/define.ts";
import { readIndexDefinition } from "../../src/products/rates/indices/definition.ts";
import { listIndicesWithLatest, daysBefore, indexValueView } from "../../src/products/rates/indices/view.ts";
import { rateIndexValueList } from "../../src/products/rates/store/rate-indices.sql.ts";
import { failingAt } from "./failing-database.ts";
import { DAY_MS, describeScene } from "./scene.ts";
import { indexValue } from "../../src/products/rates/indices/value.ts";
import { forAll } from "../support/runs.ts";
import { column } from "../support/columns.ts";

/** The clock of the tests begins at noon of 2026-11-02, a Monday. */
const TODAY = "2026-11-02";

const laneOf = (equipment: string, weight: unknown, more: object = {}) => ({
  origin: "CNSHA",
  destination: "NLRTM",
  equipment,
  weight,
  ...more,
});

const EUROPE = {
  id: "europe",
  name: "Shanghai to Europe",
  currency: "USD",
  base_date: TODAY,
  lanes: [laneOf("40HC", 3), laneOf("20GP", "1")],
};

function definitionOf(definition: object) {
  const read = readIndexDefinition(Buffer.from(JSON.stringify(definition)));
  assert.ok(read.kind === "index", "it was not read");
  return read.index;
}

describeScene("an index", (scene) => {
  const define = (definition: object): Promise<DefineResult> =>
    defineIndex(scene, definitionOf({ ...EUROPE, ...definition }));
  const loadBasket = () =>
    scene.load({ from: TODAY, total: "2000" }, { from: TODAY, total: "1000", equipment: "20GP" });

  test("is the basket's cost on the day relative to the base date, with the change, once a date", async () => {
    await loadBasket();
    assert.equal((await define({})).kind, "defined");
    await scene.load({ from: "2026-11-03", total: "2100.55" });
    scene.clock.jump(4 * DAY_MS - 1);
    await scene.tick();
    assert.deepEqual(column(await scene.raised(), "type"), ["lane_rate_updated"]);
    scene.clock.jump(1);
    await Promise.all([scene.tick(), scene.tick()]);
    await scene.tick();
    const events = await scene.raised();
    assert.equal(events.length, 1);
    // (3 × 2100.55 + 1000) ÷ (3 × 2000 + 1000) × 1000 = 1043.0928…
    assert.deepEqual(events[0]?.data, {
      index_id: "europe",
      name: "Shanghai to Europe",
      currency: "USD",
      dated: "2026-11-06",
      value: "1043.09",
      previous: { dated: TODAY, value: "1000.00", change: "43.09", change_percent: "4.31" },
      four_weeks_before: null,
      coverage_percent: "100.00",
      lanes_carried: 0,
      lanes_missing: 0,
      exchange_rates: [],
      currencies_missing: [],
      lanes: 2,
    });
  });

  test("missed weeks are computed in order, each compared with four weeks before", async () => {
    await loadBasket();
    await define({});
    await scene.load({ from: "2026-11-27", total: "4000" });
    scene.clock.jump(40 * DAY_MS);
    await scene.tick();
    const events = (await scene.raised()).filter(({ type }) => type === "index_refreshed");
    assert.deepEqual(
      events.map(({ data }) => [data.dated, data.value, data.four_weeks_before?.dated ?? null]),
      [
        ["2026-11-06", "1000.00", null],
        ["2026-11-13", "1000.00", null],
        ["2026-11-20", "1000.00", null],
        ["2026-11-27", "1857.14", null],
        ["2026-12-04", "1857.14", "2026-11-06"],
        ["2026-12-11", "1857.14", "2026-11-13"],
      ],
    );
    assert.deepEqual(events[4]?.data.previous, {
      dated: "2026-11-27",
      value: "1857.14",
      change: "0.00",
      change_percent: "0.00",
    });
  });

  test("a node that dies while it computes leaves no value, and each week raises one event", async () => {
    await loadBasket();
    await define({});
    scene.clock.jump(11 * DAY_MS);
    const dated: string[] = [];
    for (let at = 1, isOver = false; !isOver; at += 1) {
      const failing = failingAt(scene.test.database, at);
      await scene.tick(failing);
      isOver = !failing.hasFailed();
      const values = await rateIndexValueList(scene.database, scene.productCells.of("rates"), {
        indexId: "europe",
        upTo: null,
        limit: 10,
      });
      dated.push(...(await scene.raised()).map(({ data }) => data.dated));
      assert.deepEqual(
        values.map((value) => value.dated),
        [TODAY, ...dated].toReversed(),
        "each value has an event, and nothing else has",
      );
    }
    assert.deepEqual(dated, ["2026-11-06", "2026-11-13"]);
    scene.clock.jump(7 * DAY_MS);
    await scene.tick(failingAt(scene.test.database, "answer"));
    await scene.tick();
    assert.equal((await scene.raised()).length, 1, "though the answer to the commit was lost");
  });

  test("a lane whose rate has ended counts for four more weeks, and is then left out", async () => {
    await scene.load(
      { from: TODAY, total: "2000" },
      { from: TODAY, to: "2026-11-10", total: "1000", equipment: "20GP" },
    );
    await define({ day: "none" });
    await scene.load({ from: "2026-11-03", total: "3000" });
    const computed = async (day: string) => {
      const { kind, ...rest } = await computeIndex(scene, "europe", day);
      assert.ok(kind === "computed" && "value" in rest, kind);
      const { value, coverage_percent, lanes_carried, lanes_missing } = rest.value;
      return [value, coverage_percent, lanes_carried, lanes_missing];
    };
    scene.clock.jump(60 * DAY_MS);
    // (3 × 3000 + 1000) ÷ 7000, and 3 × 3000 ÷ 6000.
    assert.deepEqual(await computed("2026-11-10"), ["1428.57", "100.00", 0, 0]);
    assert.deepEqual(await computed("2026-12-08"), ["1428.57", "100.00", 1, 0]);
    assert.deepEqual(await computed("2026-12-09"), ["1500.00", "85.71", 0, 1]);
  });

  test("lanes worth less than half of the basket have no value", async () => {
    await scene.load(
      { from: TODAY, to: TODAY, total: "2000" },
      { from: TODAY, total: "1000", equipment: "20GP" },
    );
    await define({});
    scene.clock.jump(60 * DAY_MS);
    await scene.tick();
    const dated = (await scene.raised()).flatMap(({ type, data }) =>
      type === "index_refreshed" ? [data.dated] : [],
    );
    assert.deepEqual(dated, ["2026-11-06", "2026-11-13", "2026-11-20", "2026-11-27"]);
    assert.match(JSON.stringify(scene.log.lines), /an index has no value/);
    const refused = await computeIndex(scene, "europe", null);
    assert.ok(refused.kind === "refused" && /less than half of the basket/.test(refused.message));
  });

  test("an index whose value is too large holds up no other, and may be removed", async () => {
    await scene.load(
      { from: TODAY, total: "0.01" },
      { from: TODAY, total: "1000", equipment: "20GP" },
      { from: "2026-11-03", total: "999999999999" },
    );
    await define({ id: "a-slip", lanes: [laneOf("40HC", 1)] });
    await define({ lanes: [laneOf("20GP", 1)] });
    scene.clock.jump(5 * DAY_MS);
    await scene.tick();
    const events = (await scene.raised()).filter(({ type }) => type === "index_refreshed");
    assert.deepEqual(
      events.map(({ data }) => data.index_id),
      ["europe"],
    );
    assert.match(JSON.stringify(scene.log.lines), /it would be above 1000000000000\.00/);
    const listed = await listIndicesWithLatest(scene.database, scene.productCells.of("rates"));
    assert.deepEqual(
      listed.map(({ id, latest }) => [id, latest.dated, latest.previous?.dated ?? null]),
      [
        ["a-slip", TODAY, null],
        ["europe", "2026-11-06", TODAY],
      ],
    );
    assert.deepEqual([await deleteIndex(scene, "a-slip"), await deleteIndex(scene, "a-slip")], [true, false]);
  });

  test("a published value does not change, and none comes before the last", async () => {
    await loadBasket();
    await define({ day: "none" });
    scene.clock.jump(2 * DAY_MS);
    const first = await computeIndex(scene, "europe", null);
    await scene.load({ from: TODAY, total: "9999" });
    const again = await computeIndex(scene, "europe", "2026-11-04");
    assert.deepEqual([first.kind, again.kind], ["computed", "exists"]);
    assert.ok("value" in first && "value" in again);
    assert.deepEqual(again.value, first.value);
    for (const [day, message] of [
      ["2026-11-03", /values come in order/],
      ["2026-11-05", /yet to come/],
    ] as const) {
      const refused = await computeIndex(scene, "europe", day);
      assert.ok(refused.kind === "refused" && message.test(refused.message), day);
    }
    assert.equal((await computeIndex(scene, "asia", null)).kind, "missing");
  });

  test("a basket without rates on its base date is refused, and so is an id in use", async () => {
    await scene.load({ from: TODAY, total: "2000" });
    const refused = await define({});
    assert.ok(refused.kind === "refused");
    assert.match(
      refused.message,
      /^there is no rate on 2026-11-02 of CNSHA-NLRTM 20GP market USD; load it first/,
    );
    const single = { lanes: [laneOf("40HC", 1)] };
    assert.equal((await define({ ...single, base_date: "2026-11-03" })).kind, "refused");
    assert.equal((await define(single)).kind, "defined");
    assert.equal((await define(single)).kind, "refused");
  });

  for (const [what, change, message] of [
    ["an id that is none", { id: "Asia Europe" }, /^id must be small letters/],
    ["no name", { name: "" }, /^name is missing/],
    ["a name of two lines", { name: "a\nb" }, /^name must be one line/],
    [
      "no currency in its basket",
      { lanes: [laneOf("40HC", 1, { currency: "EURO" })] },
      /^lanes\[0\]: currency must/,
    ],
    [
      "a source for one currency",
      { exchange_source: "ECB" },
      /^exchange_source must be left out: all lanes are/,
    ],
    ["no lanes", { lanes: [] }, /^lanes must be a list of 1 to 500 lanes/],
    [
      "a lane twice",
      { lanes: [laneOf("40HC", 1), laneOf("40HQ", 2)] },
      /^lanes name CNSHA-NLRTM 40HC market USD twice/,
    ],
    ["a weight of nothing", { lanes: [laneOf("40HC", 0)] }, /^lanes\[0\]: weight must be a number above 0/],
    ["a day that is none", { day: "freitag" }, /^day must be one of monday/],
    ["an hour that is none", { hour_utc: 24 }, /^hour_utc must be a whole number from 0 to 23/],
    [
      "a field that nobody knows",
      { base_vale: 100 },
      /^there is no field "base_vale"; did you mean base_value\?/,
    ],
    ["a base value with three decimals", { base_value: 100.125 }, /^base_value must be/],
  ] as const) {
    test(`a definition with ${what} is refused, with what to change`, () => {
      const read = readIndexDefinition(Buffer.from(JSON.stringify({ ...EUROPE, ...change })));
      assert.ok(read.kind === "invalid");
      assert.match(read.message, message);
    });
  }
});

describe("the value of an index", () => {
  const price = fc.bigInt({ min: 1n, max: 10n ** 9n });
  const weight = fc.bigInt({ min: 1n, max: 10n ** 6n });

  test("is the base value where nothing has changed, and goes with all prices as one", () => {
    const basket = fc.array(fc.record({ weight, basePrice: price }), { minLength: 1, maxLength: 20 });
    forAll(100, basket, fc.bigInt({ min: 1n, max: 50n }), (lanes, times) => {
      const priced = lanes.map((one) => ({ ...one, price: one.basePrice * times }));
      assert.deepEqual(indexValue(100_000n, priced), { value: 100_000n * times, coverage: 10_000n });
    });
  });

  test("lies between the least and the greatest change of a lane", () => {
    const basket = fc.array(fc.record({ weight, basePrice: price, price }), { minLength: 1, maxLength: 20 });
    forAll(100, basket, (lanes) => {
      const { value } = indexValue(100_000n, lanes);
      assert.ok(value !== null);
      const most = lanes.some((one) => (value - 1n) * one.basePrice <= 100_000n * one.price);
      const least = lanes.some((one) => (value + 1n) * one.basePrice >= 100_000n * one.price);
      assert.ok(most && least, String(value));
    });
  });

  test("needs lanes worth half of the basket on the base date, whatever they cost on the day", () => {
    const worth = (basePrice: bigint, isPriced: boolean) => ({
      weight: 2n,
      basePrice,
      price: isPriced ? 3n * basePrice : null,
    });
    const of = (priced: bigint, missing: bigint) =>
      indexValue(100_000n, [worth(priced, true), worth(missing, false)]);
    assert.deepEqual(of(5_000n, 5_000n), { value: 300_000n, coverage: 5_000n });
    assert.deepEqual(of(4_999n, 5_001n), { value: null, coverage: 4_999n });
  });

  test("is due on its day of the week at its hour, after the base date", () => {
    const friday = { hourUtc: 12, baseDate: "2026-11-02" };
    const at = (text: string) => Date.parse(text);
    for (const [now, due] of [
      ["2026-11-02T12:00:00Z", "2026-11-06T12:00:00Z"],
      ["2026-11-06T12:00:00Z", "2026-11-06T12:00:00Z"],
      ["2026-11-06T12:00:00.001Z", "2026-11-13T12:00:00Z"],
    ] as const) {
      assert.equal(firstDueMs(friday, 5, at(now)), at(due));
    }
    const monday = { hourUtc: 13, baseDate: "2026-11-02" };
    assert.equal(
      firstDueMs(monday, 1, at("2026-10-31T00:00:00Z")),
      at("2026-11-09T13:00:00Z"),
      "its base date",
    );
    assert.equal(firstDueMs(monday, 7, at("2026-11-03T00:00:00Z")), at("2026-11-08T13:00:00Z"));
    assert.equal(daysBefore("2026-03-02", 3), "2026-02-27");
  });

  const lane = (weighs: bigint, costs: bigint | null) => ({ weight: weighs, basePrice: 100n, price: costs });

  test("weighs the lanes, and leaves lanes without a price out of both sums", () =>
    assert.deepEqual(indexValue(1_000n, [...[lane(3n, 200n), lane(1n, 100n), lane(1n, null)]]), {
      value: 1_750n,
      coverage: 8_000n,
    }));

  test("changes by the difference, and by percent unless it was zero", () => {
    const valueOf = (dated: string, value: string) => {
      const lanes = { lanesCarried: 0, lanesMissing: 0 };
      return { dated, value, coverage: 10_000, ...lanes, computedAt: new Date(0), exchangeRates: null };
    };
    const since = (before: string, value: string) => {
      const shown = indexValueView(valueOf("2026-11-08", value), [valueOf("2026-11-01", before)]);
      return [shown.previous?.change, shown.previous?.change_percent];
    };
    assert.deepEqual(since("200", "250"), ["0.50", "25.00"]);
    assert.deepEqual(since("200", "150"), ["-0.50", "-25.00"]);
    assert.deepEqual(since("0", "150"), ["1.50", null]);
  });
});
