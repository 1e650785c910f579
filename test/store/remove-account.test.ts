/** Accounts that are removed: none of their rows is left, however often the removal breaks off. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { describe, test } from "node:test";

import { updateAccount } from "../../src/store/accounts/accounts.ts";
import { readChanges } from "../../src/store/accounts/changes.ts";
import { removeAccount } from "../../src/store/account-removal/remove-account.ts";
import { deleteEndpoint, insertEndpoint, updateEndpoint } from "../../src/store/endpoints/endpoints.ts";
import { readRoute } from "../../src/store/endpoints/routes.ts";
import { targetList } from "../../src/store/endpoints/routes.sql.ts";
import { query } from "../support/database.ts";
import { accountRows, dyingAfter, NOTHING, OF_ACCOUNTS } from "./account-rows.ts";

/** The cell's own, and what is left of endpoints that are gone. */
const OF_NO_ACCOUNT =
  "air_messages air_statements announcements announcing broadcasts changes deleted_endpoints " +
  "imported_milestones migrations migrations_loading nodes reference_index";
/** Tables that refer to accounts, besides those of products. */
const OF_THE_STORE = ["endpoints", "shipments"];

describe("an account that is removed", () => {
  const rows = accountRows();

  /** With a key, a link of the portal and a message in the directory. */
  async function fill(): Promise<string> {
    const id = await rows.fill();
    const ofAccount = async (table: string, columns: string, values: string) =>
      query(
        rows.on.address,
        `insert into boathook.${table} (id, account_id, ${columns}) values ($1, $2, ${values})`,
        [...[randomUUIDv7(), id]],
      );
    await ofAccount(
      "api_keys",
      "prefix, hash, created_at",
      "'tracking', sha256($1::uuid::text::bytea), now()",
    );
    await ofAccount("portal_links", "product, created_at, ends_at", "'tracking', now(), now()");
    await updateAccount(
      rows.on.database,
      rows.cells,
      id,
      { demurrageAlerting: true },
      rows.ports.clock.nowMs(),
    );
    return id;
  }
  const inDirectory = async (id: string) => {
    const count = `select (select count(*)::int from boathook.accounts where id = $1) as accounts,
      (select count(*)::int from boathook.api_keys where account_id = $1) as keys,
      (select count(*)::int from boathook.api_keys where account_id = $1 and revoked_at is null) as open,
      (select count(*)::int from boathook.portal_links where account_id = $1) as links,
      (select count(*)::int from boathook.outbox join boathook.outbox_messages using (id)
        where outbox_messages.payload::json ->> 'accountId' = $1::uuid::text) as messages`;
    return (await query(rows.on.address, count, [id])).rows[0];
  };
  const assertGone = async (id: string) => {
    assert.deepEqual(await rows.stored(rows.cells[0], id), NOTHING);
    assert.deepEqual(await inDirectory(id), { accounts: 0, keys: 0, open: 0, links: 0, messages: 0 });
  };

  test("goes with all that is its, and with nothing of another's", async () => {
    const [accountId, otherId] = [await fill(), await fill()];
    const [home] = rows.cells;
    const other = await rows.stored(home, otherId);
    const { number } = await readChanges(rows.on.database, home, 0);
    assert.equal(await removeAccount(rows.ports, accountId), true);
    await assertGone(accountId);
    const change = { kind: "account", subject: accountId };
    assert.deepEqual((await readChanges(rows.on.database, home, number)).changes, [change, change]);
    assert.deepEqual(await rows.stored(home, otherId), other);
    assert.deepEqual(await inDirectory(otherId), { accounts: 1, keys: 1, open: 1, links: 1, messages: 1 });
    assert.equal(await removeAccount(rows.ports, accountId), false);
  });

  test("goes with the next removal where one breaks off, and none of its keys works from its beginning", async () => {
    const accountId = await fill();
    let runs = 0;
    for (let isLeft = true; isLeft; runs += 1) {
      const database = dyingAfter(rows.on.database, 3 + 2 * runs);
      isLeft = await removeAccount({ ...rows.ports, database }, accountId).then(
        () => false,
        (cause: Error) => assert.equal(cause.message, "killed") ?? true,
      );
      if (runs > 0) assert.equal((await inDirectory(accountId)).open, 0);
    }
    assert.ok(runs > 5, `${runs} runs`);
    await assertGone(accountId);
  });

  test("refuses every change once it is closed, raises nothing, and reads as it was", async () => {
    const accountId = await fill();
    const [home] = rows.cells;
    const { database } = rows.on;
    const stored = await rows.stored(home, accountId);
    await rows.on.queryIn(home, "update cell.accounts set moving = true, closed = true where id = $1", [
      accountId,
    ]);
    const owner = { accountId, product: "tracking" };
    const at = new Date();
    const endpointId = stored["endpoints"]![0]!.id!;
    const endpoint = { ...owner, id: randomUUIDv7(), url: "https://x.test", eventTypes: [], description: "" };
    for (const change of [
      () => updateEndpoint(database, home, owner, endpointId, { active: true }, at),
      () => deleteEndpoint(database, home, owner, endpointId, at),
      () =>
        insertEndpoint(
          database,
          home,
          { ...endpoint, createdAt: at, sealedSecretHash: Buffer.alloc(1) },
          100,
        ),
    ])
      await assert.rejects(change(), { name: "StoreUnavailable", reason: "account_closed" });
    assert.equal(await readRoute(database, home, accountId), null);
    const targets = await targetList(database, home, [endpointId]);
    assert.deepEqual(
      targets.map(({ active }) => active),
      [false],
    );
    assert.deepEqual(await rows.stored(home, accountId), stored);
  });

  test("is known by every table of a cell: a new one must be named here", async () => {
    const found = await rows.on.queryIn(
      rows.cells[0],
      `select relname as name from pg_class where relnamespace = '${rows.cells[0].schema}'::regnamespace
       and relkind in ('r', 'p') and not relispartition order by 1`,
    );
    assert.deepEqual(
      found.rows.map(({ name }) => String(name)),
      [...Object.keys(OF_ACCOUNTS), ...OF_NO_ACCOUNT.split(" ")].toSorted(),
    );
  });

  test("owns what refers to it: a product's table with an account is in its manifest", async () => {
    const found = await rows.on.queryIn(
      rows.cells[0],
      `select conrelid::regclass::text as name from pg_constraint where contype = 'f'
       and confrelid = 'cell.accounts'::regclass and connamespace = '${rows.cells[0].schema}'::regnamespace`,
    );
    const named = found.rows.map(({ name }) => String(name).split(".").at(-1)!);
    assert.deepEqual(named.toSorted(), [...OF_THE_STORE, ...rows.ports.accountTables].toSorted());
  });
});
