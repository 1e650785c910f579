/** Load plans: those of an account, their revisions, and how many there may be. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import {
  deletePlan,
  getPlan,
  insertPlan,
  listPlans,
  updatePlan,
} from "../../src/products/loading/store/plans.ts";
import { dateOf, idOf, openStoreRows, type StoreRows, timeOf } from "./store-rows.ts";

const PLANS_MAX = 3;

const contentOf = (id: number) => ({
  name: `Plan ${id}`,
  request: `{"request":${id}}`,
  summary: `{"summary":${id}}`,
  detail: `{"detail":${id}}`,
});
const listedOf = (id: number) => ({
  id: idOf(id),
  name: `Plan ${id}`,
  revision: 1,
  summary: `{"summary":${id}}`,
  createdAt: dateOf(id),
  updatedAt: dateOf(id),
});
const storedOf = (id: number) => ({ ...contentOf(id), ...listedOf(id) });

describe("load plans in the store", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
  });
  after(() => rows.drop());
  beforeEach(async () => {
    await rows.clear();
    for (const id of [1, 2]) await rows.account(id);
    for (const [id, account] of [
      [11, 1],
      [12, 2],
      [13, 1],
    ] as const)
      await insert(id, account);
  });

  const insert = (id: number, account = 1) => {
    const own = { id: idOf(id), accountId: idOf(account), atMs: timeOf(id) };
    return insertPlan(rows.database, rows.cell, { ...contentOf(id), ...own }, PLANS_MAX);
  };
  const get = (id: number, account = 1) => getPlan(rows.database, rows.cell, idOf(account), idOf(id));
  const update = (id: number, content: ReturnType<typeof contentOf>, account = 1) =>
    updatePlan(rows.database, rows.cell, idOf(account), idOf(id), content, timeOf(99));
  const list = (afterId: number | null, limit: number) =>
    listPlans(rows.database, rows.cell, idOf(1), { afterId: afterId === null ? null : idOf(afterId), limit });

  test("are the account's that made them", async () => {
    assert.deepEqual(await get(11), storedOf(11));
    assert.deepEqual(await get(13), storedOf(13));
    assert.equal(await get(12), null);
    assert.deepEqual(await get(12, 2), storedOf(12));
  });

  test("are listed by pages, the newest first", async () => {
    assert.deepEqual(await list(null, 9), [listedOf(13), listedOf(11)]);
    assert.deepEqual(await list(null, 1), [listedOf(13)]);
    assert.deepEqual(await list(13, 9), [listedOf(11)]);
  });

  test("are as many as an account may have", async () => {
    assert.deepEqual([await insert(14), await insert(15), await insert(15, 2)], [true, false, true]);
    assert.deepEqual(
      (await list(null, 9)).map(({ id }) => id),
      [14, 13, 11].map(idOf),
    );
  });

  test("move to the next revision with a different request, and do not change with the same one", async () => {
    assert.deepEqual(await update(11, contentOf(21)), { revision: 2, createdAt: dateOf(11) });
    assert.equal(await update(11, { ...contentOf(22), request: contentOf(21).request }), null);
    assert.equal(await update(12, contentOf(21)), null, "it is another account's");
    assert.equal(await update(14, contentOf(21)), null, "there is no such plan");
    const changed = { revision: 2, createdAt: dateOf(11), updatedAt: dateOf(99), id: idOf(11) };
    assert.deepEqual(await get(11), { ...storedOf(21), ...changed });
    assert.deepEqual([await get(12, 2), await get(13)], [storedOf(12), storedOf(13)]);
  });

  test("are deleted by the account that made them", async () => {
    const remove = (id: number) => deletePlan(rows.database, rows.cell, idOf(1), idOf(id));
    assert.deepEqual([await remove(12), await remove(11), await remove(11)], [false, true, false]);
    assert.deepEqual([await get(11), await get(13), await get(12, 2)], [null, storedOf(13), storedOf(12)]);
  });
});
