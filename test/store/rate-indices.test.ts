/** Indices of freight rates, when each is computed, and their values. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  addIndex,
  addIndexValue,
  advanceIndex,
  readDueIndex,
  getIndex,
  listIndexValues,
  listLatestIndexValues,
  listIndices,
  removeIndex,
  type StoredIndex,
} from "../../src/products/rates/store/rate-indices.ts";
import { clearRates, day } from "./rate-rows.ts";
import { dateOf, storeRows, timeOf } from "./store-rows.ts";

const indexOf = (id: string, dueMs: number | null, fields: Partial<StoredIndex> = {}): StoredIndex => ({
  id,
  name: `Index ${id}`,
  currency: "USD",
  baseDate: day(1),
  baseValue: "100000",
  basket: `["${id}"]`,
  weekday: dueMs === null ? null : 5,
  hourUtc: 12,
  nextAt: dueMs === null ? null : dateOf(dueMs),
  createdAt: dateOf(7),
  exchangeRates: dueMs === null ? null : `{"due":${dueMs}}`,
  ...fields,
});
const valueOf = (number: number, value = number) => ({
  dated: day(number),
  value: String(value),
  coverage: 9_000 + number,
  lanesCarried: number,
  lanesMissing: number + 1,
  computedAt: dateOf(number),
  exchangeRates: number === 1 ? null : `{"n":${number}}`,
});

describe("indices of freight rates", () => {
  const rows = storeRows(async (of) => {
    await clearRates(of);
    for (const index of [indexOf("b", 20), indexOf("a", 20), indexOf("c", 10), indexOf("d", null)])
      assert.equal(await addIndex(of.database, of.rates, index), true);
  });

  const due = async (atMs: number) => (await readDueIndex(rows.database, rows.rates, timeOf(atMs)))?.id;
  const add = (id: string, ...given: Parameters<typeof valueOf>) =>
    addIndexValue(rows.database, rows.rates, id, valueOf(...given));
  const values = (id: string, upTo: string | null, limit = 9) =>
    listIndexValues(rows.database, rows.rates, id, upTo, limit);

  test("are there once, and listed by id", async () => {
    assert.equal(await addIndex(rows.database, rows.rates, indexOf("a", 99)), false);
    assert.deepEqual(await getIndex(rows.database, rows.rates, "a"), indexOf("a", 20));
    assert.equal(await getIndex(rows.database, rows.rates, "e"), null);
    const list = await listIndices(rows.database, rows.rates, 3);
    assert.deepEqual(list, [indexOf("a", 20), indexOf("b", 20), indexOf("c", 10)]);
    assert.equal((await listIndices(rows.database, rows.rates, 9)).length, 4);
  });

  test("are due one after the other, and not again before their next time", async () => {
    assert.equal(await due(9), undefined);
    assert.deepEqual(await readDueIndex(rows.database, rows.rates, timeOf(10)), indexOf("c", 10));
    assert.equal(await due(30), "c");
    await advanceIndex(rows.database, rows.rates, "c", timeOf(30));
    assert.equal(await due(30), "a");
    await advanceIndex(rows.database, rows.rates, "a", timeOf(31));
    assert.equal(await due(30), "b");
  });

  test("have one value a day, the first", async () => {
    assert.deepEqual([await add("a", 1), await add("a", 1, 5), await add("b", 1, 6)], [true, false, true]);
    assert.deepEqual(await values("a", null), [valueOf(1)]);
    assert.deepEqual(await values("b", null), [valueOf(1, 6)]);
  });

  test("have their latest values first, up to a day", async () => {
    for (const number of [2, 1, 3]) await add("a", number);
    await add("b", 4);
    assert.deepEqual(await values("a", null, 2), [valueOf(3), valueOf(2)]);
    assert.deepEqual(await values("a", day(2)), [valueOf(2), valueOf(1)]);
    const latest = (ids: readonly string[], limit: number) =>
      listLatestIndexValues(rows.database, rows.rates, ids, limit);
    assert.deepEqual(await latest(["b", "a", "d"], 2), [
      { indexId: "a", ...valueOf(3) },
      { indexId: "a", ...valueOf(2) },
      { indexId: "b", ...valueOf(4) },
    ]);
    assert.deepEqual(await latest(["b"], 1), [{ indexId: "b", ...valueOf(4) }]);
  });

  test("go with their values", async () => {
    await add("a", 1);
    await add("b", 1);
    const remove = (id: string) => removeIndex(rows.database, rows.rates, id);
    assert.deepEqual([await remove("a"), await remove("a")], [true, false]);
    assert.deepEqual([await getIndex(rows.database, rows.rates, "a"), await values("a", null)], [null, []]);
    assert.deepEqual(await values("b", null), [valueOf(1)]);
  });
});
