/** Accounts that are removed: none of their rows is left, however often the removal breaks off. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { test, type TestContext } from "node:test";

import { updateAccount } from "../../src/store/accounts/accounts.ts";
import { readChanges } from "../../src/store/accounts/changes.ts";
import { directoryOf, type Cells } from "../../src/store/cell.ts";
import { makePartitions } from "../../src/store/deliveries/partitions.ts";
import { moveAccount } from "../../src/store/account-moves/move-account.ts";
import { removeAccount } from "../../src/store/account-moves/remove-account.ts";
import { createTestDatabase, query } from "../support/database.ts";
import { realClock } from "../support/real-clock.ts";
import { fillAccount, MOVED, storedOf } from "./moving.ts";

const DAY_MS = 86_400_000;
/** Waits take no time: no node runs here. */
const clock = { ...realClock, after: (_ms: number, run: () => void) => realClock.after(0, run) };
const nothing = Object.fromEntries(Object.keys(MOVED).map((table) => [table, []]));

async function begin(t: TestContext) {
  const on = await createTestDatabase({ cells: 2, partitions: "none" });
  t.after(() => on.drop());
  const cells = on.cells as unknown as Cells;
  const [home] = cells;
  const nowMs = realClock.nowMs();
  await makePartitions(on.database, home, nowMs - DAY_MS, nowMs + DAY_MS);
  const [accountId, otherId] = [randomUUIDv7(), randomUUIDv7()];
  for (const id of [accountId, otherId]) {
    await fillAccount(on.queryIn, home, id);
    await query(
      on.address,
      `insert into ${home.directory}.accounts (id, name, cell, created_at) values ($1, 'Leaving', 0, now())`,
      [id],
    );
    await query(
      on.address,
      `insert into ${home.directory}.api_keys (id, account_id, prefix, hash, created_at)
       values ($1, $2, 'tracking', sha256($1::uuid::text::bytea), now())`,
      [randomUUIDv7(), id],
    );
    await query(
      on.address,
      `insert into ${home.directory}.portal_links (id, account_id, product, created_at, ends_at)
       values ($1, $2, 'tracking', now(), now())`,
      [randomUUIDv7(), id],
    );
    await on.queryIn(
      home,
      `insert into cell.events (id, account_id, product, type, occurred_at, data)
       values ($1, $2, 'tracking', 'eta_changed', now(), '{}')`,
      [randomUUIDv7(), id],
    );
    await updateAccount(on.database, cells, id, { demurrageAlerting: true }, nowMs);
  }
  const sources = [directoryOf(home), ...on.productCells.all];
  const ports = { database: on.database, cells, clock, sources, progress: () => undefined };
  const directory = async (id: string) => {
    const count = `select (select count(*)::int from boathook.accounts where id = $1) as accounts,
      (select count(*)::int from boathook.api_keys where account_id = $1) as keys,
      (select count(*)::int from boathook.portal_links where account_id = $1) as links,
      (select count(*)::int from boathook.outbox join boathook.outbox_messages using (id)
        where outbox_messages.payload::json ->> 'accountId' = $1::uuid::text) as messages`;
    return (await query(on.address, count, [id])).rows[0];
  };
  const events = async (id: string) =>
    (await on.queryIn(home, "select from cell.events where account_id = $1", [id])).rows.length;
  return { on, cells, home, accountId, otherId, ports, directory, events };
}

test("an account is removed with all that is its, and nothing of another's", async (t) => {
  const { on, home, accountId, otherId, ports, directory, events } = await begin(t);
  const [other, otherEvents] = [await storedOf(on.queryIn, home, otherId), await events(otherId)];
  const { number } = await readChanges(on.database, home, 0);
  assert.equal(await removeAccount(ports, accountId), true);
  assert.deepEqual(await storedOf(on.queryIn, home, accountId), nothing);
  assert.deepEqual(await directory(accountId), { accounts: 0, keys: 0, links: 0, messages: 0 });
  assert.equal(await events(accountId), 0);
  const change = { kind: "account", subject: accountId };
  assert.deepEqual((await readChanges(on.database, home, number)).changes, [change, change]);
  assert.deepEqual(await storedOf(on.queryIn, home, otherId), other);
  assert.deepEqual(await directory(otherId), { accounts: 1, keys: 1, links: 1, messages: 1 });
  assert.equal(await events(otherId), otherEvents);
  assert.equal(await removeAccount(ports, accountId), false);
});

test("a removal that breaks off anywhere is finished by the next, and no key works from its beginning", async (t) => {
  const { on, home, accountId, ports, directory } = await begin(t);
  let runs = 0;
  for (let isLeft = true; isLeft; runs += 1) {
    let statements = 0;
    const database = {
      ...on.database,
      async rows(...given: Parameters<typeof on.database.rows>) {
        const rows = await on.database.rows(...given);
        statements += 1;
        if (statements > runs) throw new Error("killed");
        return rows;
      },
    } as typeof on.database;
    isLeft = await removeAccount({ ...ports, database }, accountId).then(
      () => false,
      (cause: Error) => assert.equal(cause.message, "killed") ?? true,
    );
    const open = "select from boathook.api_keys where account_id = $1 and revoked_at is null";
    if (runs > 1) assert.equal((await query(on.address, open, [accountId])).rows.length, 0);
  }
  assert.ok(runs > 5, `${runs} runs`);
  assert.deepEqual(await storedOf(on.queryIn, home, accountId), nothing);
  assert.deepEqual(await directory(accountId), { accounts: 0, keys: 0, links: 0, messages: 0 });
});

test("an account that moves is not removed", async (t) => {
  const { cells, accountId, ports, directory } = await begin(t);
  const killed = moveAccount(
    {
      ...ports,
      progress: () => {
        throw new Error("killed");
      },
    },
    accountId,
    cells[1]!,
  );
  await assert.rejects(killed, /killed/);
  await assert.rejects(removeAccount(ports, accountId), /accounts move .* 1/);
  assert.equal((await directory(accountId)).accounts, 1);
});
