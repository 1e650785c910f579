/** Keys of accounts, and when an account is armed for demurrage alerting in its cell. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test, after, before, beforeEach } from "node:test";

import { insertAccount, updateAccount, accountMessages } from "../../src/store/accounts/accounts.ts";
import { insertKey, readCaller, revokeKey } from "../../src/store/accounts/keys.ts";
import { keyList } from "../../src/store/accounts/keys.sql.ts";
import { dateOf, idOf, storeRows, timeOf } from "./store-rows.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { type Cells, directoryOf } from "../../src/store/cell.ts";
import { FORWARDER_DEFAULTS } from "../../src/store/outbox/forwarder.ts";
import { claimMessages } from "../../src/store/outbox/outbox.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

const NOW = 5_000;

describe("accounts", () => {
  const rows = storeRows(async (of) => {
    await of.clear();
    await of.run(`truncate ${of.cell.directory}.accounts cascade`);
    for (const id of [1, 2, 3]) {
      const account = { id: idOf(id), name: "Acme", entitlements: [], demurrageAlerting: false, cell: 0 };
      await insertAccount(of.database, of.cell, { ...account, createdAt: dateOf(id) });
    }
  });

  const alert = async (id: number, demurrageAlerting: boolean, atMs = NOW) => {
    await updateAccount(rows.database, [rows.cell], idOf(id), { demurrageAlerting }, timeOf(atMs));
    await rows.forward();
  };
  const armed = () => rows.read("select id, demurrage_armed_at from cell.accounts order by id");

  test("demurrage alerting is armed from the first change on until it is disarmed, in that account alone", async () => {
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

  test("demurrage alerting makes the account's live shipments due for reevaluation when it is armed", async () => {
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

  test("a key tells its account by its hash until it is revoked, and is listed with that one's others", async () => {
    const { database, cell } = rows;
    const hashOf = (id: number) => createHash("sha256").update(`key ${id}`).digest();
    const keyOf = (id: number, account: number) => ({
      ...{
        id: idOf(id),
        accountId: idOf(account),
        prefix: "tracking",
        label: `Key ${id}`,
        createdAt: dateOf(id),
      },
    });
    const listed = (id: number, account: number) => ({ ...keyOf(id, account), revokedAt: null });
    for (const [id, account, made] of [
      [11, 1, listed(11, 1)],
      [12, 2, listed(12, 2)],
      [13, 1, listed(13, 1)],
      [14, 9, null],
    ] as const)
      assert.deepEqual(await insertKey(database, cell, { ...keyOf(id, account), hash: hashOf(id) }), made);
    assert.deepEqual(await keyList(database, cell, { accountId: idOf(1), afterId: null, limit: 9 }), [
      listed(13, 1),
      listed(11, 1),
    ]);
    const behind = { accountId: idOf(1), afterId: idOf(13), limit: 9 };
    assert.deepEqual(await keyList(database, cell, behind), [listed(11, 1)]);
    const newest = { accountId: idOf(1), afterId: null, limit: 1 };
    assert.deepEqual(await keyList(database, cell, newest), [listed(13, 1)]);
    const caller = async (id: number) => (await readCaller(database, cell, hashOf(id)))?.account.id;
    const revoke = (id: number, atMs: number) => revokeKey(database, cell, idOf(id), dateOf(atMs));
    assert.deepEqual([await caller(12), await caller(14)], [idOf(2), undefined]);
    const revoked = { ...keyOf(12, 2), revokedAt: dateOf(NOW) };
    assert.deepEqual(
      [await revoke(12, NOW), await revoke(12, NOW + 1)],
      [revoked, revoked],
      "the first time counts",
    );
    assert.deepEqual([await revoke(14, NOW), await caller(12), await caller(11)], [null, undefined, idOf(1)]);
    assert.deepEqual(await keyList(database, cell, { accountId: idOf(2), afterId: null, limit: 9 }), [
      revoked,
    ]);
  });
});

describe("arming an account whose cell lives on another server", () => {
  const random = systemRandom();
  const clock = manualClock();
  let on: TestDatabase;
  let cells: Cells;
  before(async () => {
    on = await createTestDatabase({ cells: 2, homes: 2 });
    cells = on.cells as Cells;
  });
  after(() => on.drop());
  let accountId: string;
  beforeEach(async () => {
    const [nowMs, cell] = [clock.nowMs(), cells[1]!];
    accountId = random.uuid(nowMs);
    const account = { id: accountId, name: "Acme", entitlements: [], demurrageAlerting: false };
    await insertAccount(on.database, cell, {
      ...account,
      cell: cell.number,
      createdAt: new Date(nowMs),
    });
  });

  const set = (demurrageAlerting: boolean) =>
    updateAccount(on.database, cells, accountId, { demurrageAlerting }, clock.nowMs());
  const armedAt = async (): Promise<Date | null> => {
    const sql = "select demurrage_armed_at as at from cell.accounts where id = $1";
    return (await on.queryIn(cells[1]!, sql, [accountId])).rows[0].at;
  };
  const claim = (messagesMax: number) =>
    claimMessages(
      on.database,
      directoryOf(cells[0]),
      cells[1]!,
      Object.keys(accountMessages),
      clock.nowMs(),
      {
        ...FORWARDER_DEFAULTS,
        messagesMax,
      },
    );
  type Claimed = Awaited<ReturnType<typeof claim>>;
  const apply = async (messages: Claimed) => {
    for (const { kind, payload, id } of messages)
      await accountMessages[kind]!(on.database, cells[1]!, payload, id);
  };

  test("an earlier change that comes late, of a node that hung or died, changes nothing", async () => {
    await set(true);
    const late = await claim(1);
    await set(false);
    const next = await claim(1);
    await apply(next);
    await apply(late);
    assert.equal(await armedAt(), null);
    await clock.advance(1);
    await set(true);
    const last = await claim(1);
    for (const again of [last, next, late, last]) await apply(again);
    assert.equal((await armedAt())?.getTime(), clock.nowMs());
  });

  test("changes that race on two nodes end in the cell as in the directory, in whatever order they come", async () => {
    for (let round = 0; round < 6; round += 1) {
      await query(on.address, `truncate ${cells[0].directory}.outbox, ${cells[0].directory}.outbox_messages`);
      await Promise.all(Array.from({ length: 6 }, (_, number) => set(number % 2 === 0)));
      const batches: Claimed[] = [];
      for (let batch = await claim(2); batch.length > 0; batch = await claim(2)) batches.push(batch);
      assert.equal(batches.length, 3);
      const shuffled = [...batches, ...batches].toSorted(() => random.fraction() - 0.5);
      await Promise.all(shuffled.map(apply));
      const sql = "select demurrage_alerting as on from directory.accounts where id = $1";
      const { rows } = await query(on.address, sql.replace("directory", cells[0].directory), [accountId]);
      assert.equal((await armedAt()) !== null, rows[0].on);
    }
  });
});
