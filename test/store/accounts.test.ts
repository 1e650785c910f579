/** Accounts and their keys, as the directory keeps them, and what receives an account's events. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";

import {
  cellOfAccount,
  insertAccount,
  listAccounts,
  readAccount,
  updateAccount,
} from "../../src/store/accounts/accounts.ts";
import { insertKey, listKeys, readCaller, revokeKey } from "../../src/store/accounts/keys.ts";
import { readRoute, readTargets } from "../../src/store/endpoints/routes.ts";
import { dateOf, idOf, openStoreRows, plain, type StoreRows, timeOf } from "./store-rows.ts";

const NOW = 5_000;
const CELL = 0;

const accountOf = (id: number) => ({
  id: idOf(id),
  name: `Account ${id}`,
  entitlements: [`entitlement-${id}`],
  demurrageAlerting: false,
  cell: CELL,
  createdAt: dateOf(id),
});
const hashOf = (id: number) => createHash("sha256").update(`key ${id}`).digest();
const keyOf = (id: number, accountId: number) => ({
  id: idOf(id),
  accountId: idOf(accountId),
  prefix: "tracking",
  label: `Key ${id}`,
  createdAt: dateOf(id),
});

describe("the directory", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
  });
  after(() => rows.drop());
  beforeEach(async () => {
    await rows.clear();
    await rows.run(`truncate ${rows.cell.directory}.accounts cascade`);
    for (const id of [1, 2, 3]) await insertAccount(rows.database, rows.cell, accountOf(id));
  });

  const update = async (id: number, change: Parameters<typeof updateAccount>[3], atMs = NOW) => {
    const updated = await updateAccount(rows.database, [rows.cell], idOf(id), change, timeOf(atMs));
    await rows.forward();
    return updated;
  };

  describe("an account", () => {
    test("is read as it was inserted, with the cell that it lives in", async () => {
      const alerting = { ...accountOf(4), demurrageAlerting: true, cell: 3 };
      await insertAccount(rows.database, rows.cell, alerting);
      assert.deepEqual(await readAccount(rows.database, rows.cell, idOf(2)), accountOf(2));
      assert.deepEqual(await readAccount(rows.database, rows.cell, idOf(4)), alerting);
      assert.equal(await readAccount(rows.database, rows.cell, idOf(9)), null);
      assert.equal(await cellOfAccount(rows.database, rows.cell, idOf(4)), 3);
      assert.equal(await cellOfAccount(rows.database, rows.cell, idOf(9)), null);
      assert.deepEqual(await rows.read("select id from cell.accounts order by id"), [[1], [2], [3], [4]]);
    });

    test("is listed by pages, the newest first", async () => {
      const list = async (afterId: number | null, limit: number) =>
        listAccounts(rows.database, rows.cell, { afterId: afterId === null ? null : idOf(afterId), limit });
      assert.deepEqual(await list(null, 2), [accountOf(3), accountOf(2)]);
      assert.deepEqual(await list(2, 2), [accountOf(1)]);
      assert.deepEqual(await list(1, 2), []);
    });

    test("changes in what a change names, and is returned as it then is", async () => {
      const named = { ...accountOf(2), name: "New" };
      assert.deepEqual(await update(2, { name: "New" }), named);
      const entitled = { ...named, entitlements: ["a", "b"] };
      assert.deepEqual(await update(2, { entitlements: ["a", "b"] }), entitled);
      const alerting = { ...entitled, demurrageAlerting: true };
      assert.deepEqual(await update(2, { demurrageAlerting: true }), alerting);
      assert.deepEqual(await update(2, {}), alerting);
      assert.deepEqual(await update(2, { demurrageAlerting: false }), entitled);
      assert.equal(await update(9, { name: "New" }), null);
      assert.deepEqual(await listAccounts(rows.database, rows.cell, { afterId: null, limit: 9 }), [
        accountOf(3),
        entitled,
        accountOf(1),
      ]);
    });
  });

  describe("demurrage alerting", () => {
    const armed = () => rows.read("select id, demurrage_armed_at from cell.accounts order by id");
    const polled = async () =>
      ((await rows.read("select id, changes_at from cell.shipments order by id")) as [number, number][])
        .filter(([, at]) => at !== null)
        .map(([id, at]) => `${id} at ${at}`);

    test("is armed from the first change on until it is disarmed, in that account alone", async () => {
      await update(1, { demurrageAlerting: true });
      await update(2, { demurrageAlerting: true }, NOW + 1);
      await update(1, { demurrageAlerting: true }, NOW + 2);
      assert.deepEqual(await armed(), [
        [1, NOW],
        [2, NOW + 1],
        [3, null],
      ]);
      await update(1, { demurrageAlerting: false });
      await update(3, { demurrageAlerting: false });
      assert.deepEqual(await armed(), [
        [1, null],
        [2, NOW + 1],
        [3, null],
      ]);
    });

    test("makes the account's live shipments due for reevaluation when it is armed", async () => {
      await rows.shipment(1);
      await rows.shipment(2, { status: "discharged", changes_at: dateOf(NOW + 1) });
      await rows.shipment(3, { status: "discharged", changes_at: dateOf(NOW - 1) });
      for (const [index, status] of ["pending", "delivered", "returned_empty", "cancelled"].entries())
        await rows.shipment(4 + index, { status });
      await rows.shipment(8, { account_id: idOf(2) });
      await update(1, { demurrageAlerting: true });
      assert.deepEqual(await polled(), [`1 at ${NOW}`, `2 at ${NOW}`, `3 at ${NOW - 1}`]);
      await rows.run("update cell.shipments set changes_at = null");
      await update(1, { demurrageAlerting: true }, NOW + 1);
      assert.deepEqual(await polled(), [], "it was armed already");
    });
  });

  describe("a key", () => {
    const insert = (id: number, accountId: number) =>
      insertKey(rows.database, rows.cell, { ...keyOf(id, accountId), hash: hashOf(id) });
    const list = (accountId: number) => listKeys(rows.database, rows.cell, idOf(accountId));
    const revoke = (id: number, atMs: number) => revokeKey(rows.database, rows.cell, idOf(id), dateOf(atMs));

    test("is its account's, and listed with that one's others, the newest first", async () => {
      for (const [id, accountId] of [
        [11, 1],
        [12, 2],
        [13, 1],
      ] as const)
        assert.deepEqual(await insert(id, accountId), { ...keyOf(id, accountId), revokedAt: null });
      assert.equal(await insert(14, 9), null, "there is no such account");
      assert.deepEqual(await list(1), [
        { ...keyOf(13, 1), revokedAt: null },
        { ...keyOf(11, 1), revokedAt: null },
      ]);
    });

    test("tells its account by its hash until it is revoked", async () => {
      for (const [id, accountId] of [
        [11, 1],
        [12, 2],
        [13, 1],
      ] as const)
        await insert(id, accountId);
      const caller = (id: number) => readCaller(rows.database, rows.cell, hashOf(id));
      assert.deepEqual(await caller(12), { keyId: idOf(12), account: accountOf(2) });
      assert.equal(await caller(14), null);
      const revoked = { ...keyOf(12, 2), revokedAt: dateOf(NOW) };
      assert.deepEqual(await revoke(12, NOW), revoked);
      assert.deepEqual(await revoke(12, NOW + 1), revoked, "the first time counts");
      assert.equal(await revoke(14, NOW), null);
      assert.equal(await caller(12), null);
      assert.deepEqual(await caller(11), { keyId: idOf(11), account: accountOf(1) });
      assert.deepEqual(await list(2), [revoked]);
    });
  });

  describe("a route", () => {
    const targetOf = (id: number, accountId: number) => ({
      id,
      accountId,
      product: "tracking",
      url: `https://receiver.test/${id}`,
      eventTypes: ["eta_changed"],
      active: true,
      failureCount: id,
    });
    const shown = (targets: readonly { readonly sealedSecretHash: Buffer }[]) =>
      plain(targets.map(({ sealedSecretHash: _, ...rest }) => rest)) as { id: number }[];

    test("has the account's endpoints and their version", async () => {
      await rows.run(`update cell.accounts set routing_version = 7 where id = '${idOf(1)}'`);
      for (const [id, accountId] of [
        [21, 1],
        [22, 2],
        [23, 1],
      ] as const) {
        const own = { account_id: idOf(accountId), failure_count: id, event_types: ["eta_changed"] };
        await rows.endpoint(id, own);
      }
      const route = await readRoute(rows.database, rows.cell, idOf(1));
      assert.equal(route?.version, 7);
      assert.deepEqual(
        shown(route.targets).toSorted((a, b) => a.id - b.id),
        [targetOf(21, 1), targetOf(23, 1)],
      );
      const empty = await readRoute(rows.database, rows.cell, idOf(3));
      assert.deepEqual(empty, { version: 1, targets: [] });
      assert.equal(await readRoute(rows.database, rows.cell, idOf(9)), null);
      const targets = await readTargets(rows.database, rows.cell, [idOf(22), idOf(29)]);
      assert.deepEqual(shown(targets), [targetOf(22, 2)]);
    });
  });
});
