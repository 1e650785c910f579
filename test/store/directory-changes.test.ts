/** The numbered changes of the directory. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { insertAccount, updateAccount } from "../../src/store/accounts/accounts.ts";
import { insertChange, pruneChanges, readChanges } from "../../src/store/accounts/changes.ts";
import { insertKey, revokeKey } from "../../src/store/accounts/keys.ts";
import { dateOf, idOf, storeRows, timeOf } from "./store-rows.ts";

describe("the changes of a directory", () => {
  const rows = storeRows();
  beforeEach(async () => {
    const { directory } = rows.cell;
    await rows.run(`truncate ${directory}.accounts, ${directory}.changes cascade`);
    await rows.run(`update ${directory}.last_change set number = 0`);
  });

  const read = async (behind: number) => {
    const { number, changes } = await readChanges(rows.database, rows.cell, behind);
    return { number, changes };
  };
  const cellMoved = (number: number) => ({ kind: "cell", subject: String(number) }) as const;
  const change = (number: number, atMs = 0) =>
    rows.database.transaction((tx) => insertChange(tx, rows.cell, cellMoved(number), dateOf(atMs)));
  test("are a revoked key and a changed account, but neither a new one nor one that does not exist", async () => {
    const account = { id: idOf(1), name: "Acme", entitlements: [], demurrageAlerting: false, cell: 0 };
    await insertAccount(rows.database, rows.cell, { ...account, createdAt: dateOf(0) });
    const key = { id: idOf(11), accountId: idOf(1), prefix: "tracking", label: "", hash: Buffer.alloc(32) };
    await insertKey(rows.database, rows.cell, { ...key, createdAt: dateOf(0) });
    assert.deepEqual(await read(0), { number: 0, changes: [] });
    await updateAccount(rows.database, [rows.cell], idOf(1), { entitlements: ["loading"] }, timeOf(1));
    await revokeKey(rows.database, rows.cell, idOf(11), dateOf(2));
    await updateAccount(rows.database, [rows.cell], idOf(9), { name: "Nobody" }, timeOf(3));
    assert.equal(await revokeKey(rows.database, rows.cell, idOf(19), dateOf(3)), null);
    assert.deepEqual(await read(0), {
      number: 2,
      changes: [
        { kind: "account", subject: idOf(1) },
        { kind: "key", subject: idOf(11) },
      ],
    });
  });

  test("become visible in the order of their numbers, whichever transaction is done first", async () => {
    const order: string[] = [];
    const firstHasNumber = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const first = rows.database.transaction(async (tx) => {
      await insertChange(tx, rows.cell, cellMoved(1), dateOf(0));
      firstHasNumber.resolve();
      await mayCommit.promise;
      order.push("first");
    });
    await firstHasNumber.promise;
    const second = change(2).then(() => order.push("second"));
    assert.deepEqual(await read(0), { number: 0, changes: [] });
    mayCommit.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(order, ["first", "second"]);
    assert.deepEqual(await read(0), { number: 2, changes: [cellMoved(1), cellMoved(2)] });
  });

  test("that are rolled back take no number, and those of a number and on are read in their order", async () => {
    const failing = rows.database.transaction(async (tx) => {
      await insertChange(tx, rows.cell, cellMoved(1), dateOf(0));
      throw new Error("no");
    });
    await assert.rejects(failing, /no/);
    for (const number of [2, 3]) await change(number);
    assert.deepEqual(await read(0), { number: 2, changes: [cellMoved(2), cellMoved(3)] });
    assert.deepEqual(await read(1), { number: 2, changes: [cellMoved(3)] });
  });

  test("are missed where old ones are pruned, or a backup was restored", async () => {
    for (const number of [1, 2, 3]) await change(number, number);
    assert.equal(await pruneChanges(rows.database, rows.cell, dateOf(2)), false);
    assert.deepEqual(await read(0), { number: 3, changes: null });
    assert.deepEqual(await read(1), { number: 3, changes: [cellMoved(2), cellMoved(3)] });
    assert.deepEqual(await read(4), { number: 3, changes: null });
    await pruneChanges(rows.database, rows.cell, dateOf(9));
    assert.deepEqual(await read(2), { number: 3, changes: null });
    assert.deepEqual(await read(3), { number: 3, changes: [] });
  });

  test("are read in pages where they are many, and missed where one of a page is", async () => {
    const { directory } = rows.cell;
    await rows.run(
      `insert into ${directory}.changes select n, 'cell', n, now() from generate_series(1, 1004) n`,
    );
    await rows.run(`update ${directory}.last_change set number = 1004`);
    const page = await readChanges(rows.database, rows.cell, 3);
    assert.deepEqual([page.number, page.changes?.length, page.hasMore], [1_003, 1_000, true]);
    assert.deepEqual(await read(1_003), { number: 1004, changes: [cellMoved(1004)] });
    assert.equal((await readChanges(rows.database, rows.cell, 4)).hasMore, false);
    assert.deepEqual(await read(-1), { number: 1004, changes: null });
    await rows.run(`delete from ${directory}.changes where number = 5`);
    assert.deepEqual(await read(3), { number: 1004, changes: null });
  });
});
