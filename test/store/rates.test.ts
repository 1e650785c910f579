/** Writing freight rates: the day that moves forward alone, and what a load puts in whose place. */
import assert from "node:assert/strict";
import { describe, test, beforeEach } from "node:test";

import { addLanes, lockRateDay, storeRates } from "../../src/products/rates/store/rate-lanes.ts";
import { idOf, plain, storeRows, timeOf, dateOf } from "./store-rows.ts";
import {
  deleteTariff,
  type StoredTariff,
  storeTariffs,
  TARIFFS_FRESH_MS_MAX,
} from "../../src/products/ocean/store/tariffs.ts";
import { column } from "../support/columns.ts";
import { tariffList } from "../../src/products/ocean/store/tariffs.sql.ts";

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

const NOW = 5_000;
/** When nodes have read the tariffs again. */
const LOOKED = NOW + 2 * TARIFFS_FRESH_MS_MAX;

const tariff = (id: number, fields: Partial<StoredTariff> = {}) => ({
  id: idOf(id),
  carrier: "HRNL",
  port: null,
  equipment: null,
  validFrom: "2026-01-01",
  validTo: null,
  terms: "{}",
  ...fields,
});

describe("tariffs", () => {
  const rows = storeRows();
  beforeEach(async () => {
    await rows.run(`truncate ${rows.cell.directory}.tariffs`);
    await rows.account(1);
  });

  const store = async (...tariffs: readonly ReturnType<typeof tariff>[]) => {
    await storeTariffs(rows.database, [rows.cell], tariffs, timeOf(NOW));
    await rows.forward();
  };
  const list = async (carrier: string | null) => {
    const listed = await tariffList(rows.database, rows.cell, { carrier, behind: null, limit: 10 });
    return plain(listed.map(({ key: _, ...one }) => one)) as { id: number }[];
  };

  test("give way to those of the same case, which keep the id", async () => {
    await store(tariff(1, { port: "NLRTM" }), tariff(2));
    await storeTariffs(
      rows.database,
      [rows.cell],
      [tariff(3, { port: "NLRTM", validTo: "2026-12-31", terms: '{"new":1}' })],
      timeOf(NOW + 1),
    );
    assert.deepEqual(await list(null), [
      plain({ ...tariff(2), createdAt: dateOf(NOW) }),
      plain({
        ...tariff(1, { port: "NLRTM", validTo: "2026-12-31", terms: '{"new":1}' }),
        createdAt: dateOf(NOW + 1),
      }),
    ]);
  });

  test("make the carrier's live shipments due when they change, and when one is removed", async () => {
    await store(tariff(1), tariff(2, { carrier: "TRNC" }));
    await rows.shipment(1);
    await rows.shipment(2, { status: "discharged", changes_at: dateOf(LOOKED + 1) });
    await rows.shipment(3, { changes_at: dateOf(LOOKED) });
    await rows.shipment(4, { changes_at: dateOf(7) });
    await rows.shipment(5, { carrier: "TRNC" });
    for (const [index, status] of ["pending", "delivered", "returned_empty", "cancelled"].entries())
      await rows.shipment(6 + index, { status, carrier: "HRNL" });
    const changes = async (...ids: number[]) => {
      const all = (await rows.read("select id, changes_at from cell.shipments order by 1")) as [
        number,
        number | null,
      ][];
      assert.deepEqual(
        all.filter(([, at]) => at !== null).map(([id, at]) => [id, at]),
        ids.map((id) => [id, id === 4 ? 7 : LOOKED]),
      );
    };
    assert.equal(await deleteTariff(rows.database, [rows.cell], idOf(9), timeOf(NOW)), false);
    assert.equal(await deleteTariff(rows.database, [rows.cell], idOf(1), timeOf(NOW)), true);
    await rows.forward();
    await changes(1, 2, 3, 4);
    assert.deepEqual(column(await list(null), "id"), [2]);
    await store(tariff(3, { carrier: "TRNC" }));
    await changes(1, 2, 3, 4, 5);
  });
});
