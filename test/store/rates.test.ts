/** Writing freight rates: the day that moves forward alone, and what a load puts in whose place. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { addLanes, lockRateDay, storeRates } from "../../src/products/rates/store/rate-lanes.ts";
import { idOf, plain, storeRows, timeOf } from "./store-rows.ts";

const LANE = {
  ...{ origin: "CNSHA", destination: "NLRTM", equipment: "22G1", carrier: "", currency: "EUR" },
  ...{ kind: "" as const, contract: "", commodity: "FAK" },
};
const day = (number: number): string => `2026-03-${String(number).padStart(2, "0")}`;

describe("freight rates in the store", () => {
  const rows = storeRows((of) =>
    of.run(`truncate ${of.rates.schema}.rate_lanes, ${of.rates.schema}.lane_rates cascade`),
  );

  test("move forward to a day and never back, and plan each batch of their transaction again", async () => {
    const connection = await rows.database.dedicated(rows.rates, () => {});
    const mode = { name: "plan_mode", text: "select current_setting('plan_cache_mode') as mode" };
    const modes = async () => (await connection.rows<{ mode: string }>(mode, []))[0]!.mode;
    const begin = (today: string) => lockRateDay(connection, rows.rates, today);
    const usual = await modes();
    await connection.rows({ name: "begin", text: "begin" }, []);
    assert.deepEqual([await begin(day(2)), await begin(day(1)), await begin(day(3))], [2, 2, 3].map(day));
    assert.equal(await modes(), "force_custom_plan");
    await connection.rows({ name: "commit", text: "commit" }, []);
    assert.equal(await modes(), usual);
    await connection.close();
  });

  test("take the place of a rate with the same lane, layer and first day that differs in anything", async () => {
    const lanes = [
      { ...LANE, id: idOf(1) },
      { ...LANE, id: idOf(2), currency: "USD" },
    ];
    await addLanes(rows.database, rows.rates, lanes, timeOf(0));
    const rate = (id: number, fields: object = {}) => ({
      ...{ id: idOf(id), laneId: idOf(1), layer: 0, validFrom: day(1), validTo: null, base: "1", total: "1" },
      ...{ surcharges: "{}", terms: "{}", ...fields },
    });
    const store = async (...rates: readonly ReturnType<typeof rate>[]) =>
      plain(await storeRates(rows.database, rows.rates, rates, timeOf(5)));
    const others = [
      rate(12, { validFrom: day(2) }),
      rate(13, { laneId: idOf(2) }),
      rate(14, { layer: 1, validTo: day(9) }),
    ] as const;
    await store(rate(11), ...others);
    assert.deepEqual(await store(rate(15)), { laneIds: [], replaced: 0 }, "the same");
    let id = 20;
    for (const change of [
      { validTo: day(9) },
      { base: "2" },
      { total: "2" },
      { surcharges: '{"a":1}' },
      { terms: '{"a":1}' },
    ])
      assert.deepEqual(await store(rate(id++, change)), { laneIds: [1], replaced: 1 });
    assert.deepEqual(
      await rows.read(`select id from ${rows.rates.schema}.lane_rates where ended_at is null order by id`),
      [[12], [13], [14], [24]],
    );
  });
});
