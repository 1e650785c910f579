/** Accounts and their keys as the directory keeps them, and when an account is armed in its cell. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";

import {
  cellOfAccount,
  insertAccount,
  readAccount,
  updateAccount,
} from "../../src/store/accounts/accounts.ts";
import { insertKey, listKeys, readCaller, revokeKey } from "../../src/store/accounts/keys.ts";
import { dateOf, idOf, storeRows, timeOf } from "./store-rows.ts";

const NOW = 5_000;

const accountOf = (id: number) => ({
  id: idOf(id),
  name: `Account ${id}`,
  entitlements: [`entitlement-${id}`],
  demurrageAlerting: false,
  cell: 0,
  createdAt: dateOf(id),
});
const hashOf = (id: number) => createHash("sha256").update(`key ${id}`).digest();

describe("the directory", () => {
  const rows = storeRows(async (of) => {
    await of.clear();
    await of.run(`truncate ${of.cell.directory}.accounts cascade`);
    for (const id of [1, 2, 3]) await insertAccount(of.database, of.cell, accountOf(id));
  });

  test("has each account as it was made and changed, with the cell that it lives in", async () => {
    const alerting = { ...accountOf(4), demurrageAlerting: true, cell: 3 };
    await insertAccount(rows.database, rows.cell, alerting);
    const changed = await updateAccount(rows.database, [rows.cell], idOf(1), { name: "New" }, timeOf(NOW));
    assert.deepEqual(changed, { ...accountOf(1), name: "New" });
    for (const [id, account] of [
      [1, changed],
      [2, accountOf(2)],
      [4, alerting],
      [9, null],
    ] as const) {
      assert.deepEqual(await readAccount(rows.database, rows.cell, idOf(id)), account);
      assert.equal(await cellOfAccount(rows.database, rows.cell, idOf(id)), account && account.cell);
    }
  });

  describe("demurrage alerting", () => {
    const alert = async (id: number, demurrageAlerting: boolean, atMs = NOW) => {
      await updateAccount(rows.database, [rows.cell], idOf(id), { demurrageAlerting }, timeOf(atMs));
      await rows.forward();
    };
    const armed = () => rows.read("select id, demurrage_armed_at from cell.accounts order by id");

    test("is armed from the first change on until it is disarmed, in that account alone", async () => {
      await alert(1, true);
      await alert(2, true, NOW + 1);
      await alert(1, true, NOW + 2);
      assert.deepEqual(await armed(), [
        [1, NOW],
        [2, NOW + 1],
        [3, null],
      ]);
      await alert(1, false);
      await alert(3, false);
      assert.deepEqual(await armed(), [
        [1, null],
        [2, NOW + 1],
        [3, null],
      ]);
      await updateAccount(rows.database, [rows.cell], idOf(2), { name: "New" }, timeOf(NOW + 3));
      await rows.forward();
      assert.deepEqual(
        ((await armed()) as unknown[])[1],
        [2, NOW + 1],
        "a change that leaves it out leaves it",
      );
    });

    test("makes the account's live shipments due for reevaluation when it is armed", async () => {
      await rows.shipment(1);
      await rows.shipment(2, { status: "discharged", changes_at: dateOf(NOW + 1) });
      await rows.shipment(3, { status: "discharged", changes_at: dateOf(NOW - 1) });
      for (const [index, status] of ["pending", "delivered", "returned_empty", "cancelled"].entries())
        await rows.shipment(4 + index, { status });
      await rows.shipment(8, { account_id: idOf(2) });
      const due = () =>
        rows.read("select id, changes_at from cell.shipments where changes_at is not null order by id");
      await alert(1, true);
      assert.deepEqual(await due(), [
        [1, NOW],
        [2, NOW],
        [3, NOW - 1],
      ]);
      await rows.run("update cell.shipments set changes_at = null");
      await alert(1, true, NOW + 1);
      assert.deepEqual(await due(), [], "it was armed already");
    });
  });

  test("a key tells its account by its hash until it is revoked, and is listed with that one's others", async () => {
    const { database, cell } = rows;
    const keyOf = (id: number, account: number) => ({
      ...{ id: idOf(id), accountId: idOf(account), prefix: "tracking", label: `Key ${id}` },
      createdAt: dateOf(id),
    });
    const listed = (id: number, account: number) => ({ ...keyOf(id, account), revokedAt: null });
    const insert = (id: number, account: number) =>
      insertKey(database, cell, { ...keyOf(id, account), hash: hashOf(id) });
    assert.deepEqual(await insert(11, 1), listed(11, 1));
    assert.deepEqual(await insert(12, 2), listed(12, 2));
    assert.deepEqual(await insert(13, 1), listed(13, 1));
    assert.equal(await insert(14, 9), null, "there is no such account");
    assert.deepEqual(await listKeys(database, cell, idOf(1)), [listed(13, 1), listed(11, 1)]);

    const caller = (id: number) => readCaller(database, cell, hashOf(id));
    const revoke = (id: number, atMs: number) => revokeKey(database, cell, idOf(id), dateOf(atMs));
    assert.deepEqual(await caller(12), { keyId: idOf(12), account: accountOf(2) });
    const revoked = { ...keyOf(12, 2), revokedAt: dateOf(NOW) };
    assert.deepEqual(await revoke(12, NOW), revoked);
    assert.deepEqual(await revoke(12, NOW + 1), revoked, "the first time counts");
    assert.equal(await revoke(14, NOW), null);
    assert.deepEqual([await caller(12), await caller(14)], [null, null]);
    assert.deepEqual(await caller(11), { keyId: idOf(11), account: accountOf(1) });
    assert.deepEqual(await listKeys(database, cell, idOf(2)), [revoked]);
  });
});
