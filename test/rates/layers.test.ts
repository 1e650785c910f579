/** Promotions before standard rates: which rate holds, and what is raised (docs/decisions/rates-layers.md). */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { removeLaneRate } from "../../src/products/rates/lanes/load.ts";
import type { Layer } from "../../src/products/rates/lanes/layers.ts";

import { START_MS } from "../support/clock.ts";
import { DAY_MS, describeScene } from "./scene.ts";
import { forAllAsync } from "../support/runs.ts";

/** The clock of the tests begins at noon of 2026-11-02. */
const day = (offset: number) => new Date(Date.UTC(2026, 10, 2) + offset * DAY_MS).toISOString().slice(0, 10);

const CONTRACT = { from: "2026-01-01", to: "2026-12-31", total: "2000" };
const PROMOTION = { from: "2026-11-05", to: "2026-11-07", total: "1750", layer: "promotion" };

describeScene("a promotion", (scene) => {
  const rateOn = async (on: string) => {
    const rate = (await scene.lanesOn(on))[0]?.rate;
    return rate === null || rate === undefined
      ? null
      : [rate.layer, rate.total, rate.valid_from, rate.valid_to];
  };
  /** Its node runs on a day, so many days after the first one. */
  const runOn = async (offset: number) => {
    scene.clock.jump(START_MS + offset * DAY_MS - scene.clock.nowMs());
    await scene.tick();
    return raised();
  };
  const raised = async () =>
    (await scene.raised()).map(({ data }) => [
      data.reason,
      data.effective_on,
      ...[data.old_layer, data.old_total, data.new_layer, data.new_total, data.valid_from, data.valid_to],
    ]);

  const BEGAN = [
    "began",
    "2026-11-05",
    ...["standard", "2000.00", "promotion", "1750.00", "2026-11-05", "2026-11-07"],
  ];
  const GIVEN_BACK = [
    "expired",
    "2026-11-08",
    ...["promotion", "1750.00", "standard", "2000.00", "2026-01-01", "2026-12-31"],
  ];

  for (const [order, loads] of [
    ["after", [CONTRACT, PROMOTION]],
    ["before", [PROMOTION, CONTRACT]],
  ] as const) {
    test(`that is loaded ${order} the contract holds while it runs, gives it back, and raises both days (spec 6.2: lane_rate_updated)`, async () => {
      for (const one of loads) await scene.load(one);
      const whole = ["standard", "2000.00", "2026-01-01", "2026-12-31"];
      const special = ["promotion", "1750.00", "2026-11-05", "2026-11-07"];
      for (const [on, holds] of [
        ["2025-12-31", null],
        ["2026-11-04", whole],
        ["2026-11-05", special],
        ["2026-11-07", special],
        ["2026-11-08", whole],
        ["2027-01-01", null],
      ] as const)
        assert.deepEqual(await rateOn(on), holds, on);
      assert.deepEqual(await runOn(2), []);
      assert.deepEqual(await runOn(3), [BEGAN]);
      assert.deepEqual(await runOn(4), []);
      assert.deepEqual(await runOn(6), [GIVEN_BACK]);
      assert.deepEqual(await runOn(7), []);
    });
  }

  test("that runs already holds at once, and its end is effective on its day, however late it is noticed", async () => {
    await scene.load(CONTRACT);
    await scene.load({ ...PROMOTION, from: "2026-10-30" });
    const now = ["promotion", "1750.00", "2026-10-30", "2026-11-07"];
    assert.deepEqual(await raised(), [["loaded", "2026-10-30", "standard", "2000.00", ...now]]);
    assert.deepEqual(await runOn(20), [GIVEN_BACK]);
  });

  test("that began and ended while no node ran changes nothing", async () => {
    await scene.load(CONTRACT, PROMOTION);
    assert.deepEqual(await runOn(20), []);
  });

  test("that begins on the day of a standard rate takes no one's place, and is replaced by its own kind", async () => {
    const from = "2026-11-01";
    await scene.load({ ...CONTRACT, from });
    const special = { ...PROMOTION, from };
    assert.deepEqual(await scene.load(special), { loaded: 1, replaced: 0, unchanged: 0, changes: 1 });
    assert.deepEqual(await scene.load(special), { loaded: 0, replaced: 0, unchanged: 1, changes: 0 });
    const cheaper = { ...special, total: "1700" };
    assert.deepEqual(await scene.load(cheaper), { loaded: 1, replaced: 1, unchanged: 0, changes: 1 });
    assert.deepEqual(
      (await raised()).map(([, , ...rates]) => rates.slice(0, 4)),
      [
        ["standard", "2000.00", "promotion", "1750.00"],
        ["promotion", "1750.00", "promotion", "1700.00"],
      ],
    );
  });

  test("that is removed gives the contract back at once", async () => {
    await scene.load(CONTRACT, { ...PROMOTION, from: "2026-11-01" });
    const [lane] = await scene.lanesOn(day(0));
    assert.equal(await removeLaneRate(scene, lane!.rate!.id), 1);
    assert.deepEqual(
      (await raised()).map((one) => one.slice(0, 6)),
      [["removed", "2026-11-02", "promotion", "1750.00", "standard", "2000.00"]],
    );
    assert.deepEqual(await runOn(6), []);
  });

  test("at the price of the contract changes nothing", async () => {
    await scene.load(CONTRACT, { ...PROMOTION, total: "2000" });
    assert.deepEqual([...(await runOn(3)), ...(await runOn(6))], []);
  });

  test("whatever is loaded in whatever order, the running promotion that began last holds, else the standard rate", async () => {
    const anyRate = fc.record({
      layer: fc.constantFrom<Layer>("standard", "promotion"),
      from: fc.integer({ min: 0, max: 5 }),
      // Null: without an end, which a promotion has.
      length: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 4 }),
      total: fc.integer({ min: 1, max: 4 }),
    });
    let run = 0;
    await forAllAsync(5, fc.array(anyRate, { minLength: 2, maxLength: 8 }), async (rates) => {
      const origin = `CN${String.fromCodePoint(65 + Math.floor(run / 26), 65 + (run % 26))}A`;
      run += 1;
      const inForce = new Map<string, (typeof rates)[number]>();
      for (const { layer, from, total, ...one } of rates) {
        const length = layer === "promotion" ? (one.length ?? 2) : one.length;
        const validity = { from: day(from), to: length === null ? null : day(from + length) };
        await scene.load({ origin, layer, ...validity, total: String(total) });
        inForce.set(`${layer} ${from}`, { layer, from, length, total });
      }
      const expected = (offset: number) => {
        const began = [...inForce.values()]
          .filter(({ from }) => from <= offset)
          .toSorted((a, b) => b.from - a.from);
        const runs = (one: (typeof began)[number] | undefined) =>
          one !== undefined && (one.length === null || offset <= one.from + one.length);
        const special = began.find((one) => one.layer === "promotion" && runs(one));
        const standard = began.find(({ layer }) => layer === "standard");
        const holds = special ?? (runs(standard) ? standard : undefined);
        return holds === undefined ? null : [holds.layer, `${holds.total}.00`];
      };
      // What is raised day by day leads from the rate of one day to that of the next.
      let known: unknown = expected(0)?.[1] ?? null;
      await scene.raised();
      for (let offset = 0; offset < 11; offset += 1) {
        const lane = (await scene.lanesOn(day(offset))).find((one) => one.origin === origin);
        const rate = lane?.rate ?? null;
        assert.deepEqual(rate && [rate.layer, rate.total], expected(offset), `day ${offset}`);
        scene.clock.jump(START_MS + offset * DAY_MS - scene.clock.nowMs());
        await scene.tick();
        const events = (await scene.raised()).filter(({ data }) => data.origin === origin);
        assert.ok(events.length <= 1);
        const [event] = events;
        if (event === undefined) {
          // The first rate of a lane raises nothing.
          if (known !== null) assert.equal(rate?.total ?? null, known);
        } else {
          assert.deepEqual([event.data.old_total, event.data.effective_on], [known, day(offset)]);
          assert.equal(event.data.new_total, rate?.total ?? null);
          assert.equal(event.data.new_layer, rate?.layer ?? null);
        }
        known = rate?.total ?? null;
      }
      scene.clock.jump(START_MS - scene.clock.nowMs());
      const all = [scene.productCells.of("rates")];
      await scene.test.queryEach(all, "update cell.rate_day set day = '1970-01-01'");
    });
  });
});
