/** Load plans: those of an account, their revisions, and how many there may be. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { deletePlan, insertPlan, listPlans, updatePlan } from "../../src/products/loading/store/plans.ts";
import { dateOf, idOf, plain, storeRows, timeOf } from "./store-rows.ts";
import { planGet } from "../../src/products/loading/store/plans.sql.ts";

const PLANS_MAX = 3;

const contentOf = (id: number) => ({
  name: `Plan ${id}`,
  request: `{"request":${id}}`,
  summary: `{"summary":${id}}`,
  detail: `{"detail":${id}}`,
});
const storedOf = (id: number) => ({
  ...contentOf(id),
  ...{ id: idOf(id), revision: 1, createdAt: dateOf(id), updatedAt: dateOf(id) },
});

describe("load plans in the store", () => {
  const rows = storeRows(async (of) => {
    await of.clear();
    for (const id of [1, 2]) await of.account(id);
    await insert(11);
    await insert(12, 2);
    await insert(13);
  });

  const insert = (id: number, account = 1) => {
    const own = { id: idOf(id), accountId: idOf(account), atMs: timeOf(id) };
    return insertPlan(rows.database, rows.cell, { ...contentOf(id), ...own }, PLANS_MAX);
  };
  const get = (id: number, account = 1) =>
    planGet(rows.database, rows.cell, { accountId: idOf(account), id: idOf(id) });
  const list = async (afterId: string | null, limit: number) =>
    plain((await listPlans(rows.database, rows.cell, idOf(1), { afterId, limit })).map(({ id }) => id));

  test("are the account's that made them, as many as it may have, and listed by pages, the newest first", async () => {
    assert.deepEqual([await get(11), await get(13), await get(12, 2)], [11, 13, 12].map(storedOf));
    assert.equal(await get(12), null);
    assert.deepEqual([await insert(14), await insert(15), await insert(15, 2)], [true, false, true]);
    assert.deepEqual(await list(null, 9), [14, 13, 11]);
    assert.deepEqual(
      [await list(null, 1), await list(idOf(14), 1), await list(idOf(11), 9)],
      [[14], [13], []],
    );
  });

  test("change and go by the account that made them alone, and change with another request alone", async () => {
    const update = (id: number, content: ReturnType<typeof contentOf>) =>
      updatePlan(rows.database, rows.cell, idOf(1), idOf(id), content, timeOf(99));
    assert.deepEqual(await update(11, contentOf(21)), { revision: 2, createdAt: dateOf(11) });
    assert.equal(await update(11, { ...contentOf(22), request: contentOf(21).request }), null);
    assert.deepEqual([await update(12, contentOf(21)), await update(14, contentOf(21))], [null, null]);
    const changed = { ...storedOf(11), ...contentOf(21), revision: 2, updatedAt: dateOf(99) };
    assert.deepEqual([await get(11), await get(12, 2), await get(13)], [changed, storedOf(12), storedOf(13)]);
    const remove = (id: number) => deletePlan(rows.database, rows.cell, idOf(1), idOf(id));
    assert.deepEqual([await remove(12), await remove(11), await remove(11)], [false, true, false]);
    assert.deepEqual([await get(11), await get(13), await get(12, 2)], [null, storedOf(13), storedOf(12)]);
  });
});
