/** Tariffs, and the shipments that a tariff change makes due. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import {
  deleteTariff,
  listTariffs,
  type StoredTariff,
  storeTariffs,
  TARIFFS_FRESH_MS_MAX,
} from "../../src/products/ocean/store/tariffs.ts";
import { dateOf, idOf, storeRows, plain, timeOf } from "./store-rows.ts";

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
  const list = async (carrier: string | null) =>
    plain(await listTariffs(rows.database, rows.cell, carrier)) as { id: number }[];

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
    assert.deepEqual(
      (await list(null)).map(({ id }) => id),
      [2],
    );
    await store(tariff(3, { carrier: "TRNC" }));
    await changes(1, 2, 3, 4, 5);
  });
});
