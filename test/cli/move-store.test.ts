/** `boathook move-store` to another database, where nothing runs. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { insertAccount } from "../../src/store/accounts/accounts.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import {
  CARRIERS,
  fillRecords,
  load,
  openUpgraded,
  ORIGINS,
  RECORDS,
  say,
} from "../store/older-installation.ts";
import { idOf } from "../store/store-rows.ts";
import { run, settingsFor } from "./run.ts";
import { openShell, type Shell } from "./shell.ts";

type Scene = Shell & {
  readonly here: DatabaseAddress;
  readonly there: DatabaseAddress;
  readonly url: string;
};

/** A store with an account in each cell, schedules, rates, and messages in two outboxes; and a second server. */
async function openScene(t: TestContext): Promise<Scene> {
  const boathook = await openShell(t, "move-store");
  const other = await createEmptyDatabase();
  t.after(other.drop);
  const url = settingsFor({ ...boathook.test, address: other.address })["BOATHOOK_DATABASE_URL"]!;
  boathook.environment["BOATHOOK_NEW_DATABASE_URL"] = url;
  const { database, cells, address } = boathook.test;
  for (const { number } of cells) {
    const account = { id: idOf(number + 1), name: "Acmé", entitlements: ["aircargo"], cell: number };
    const made = { ...account, demurrageAlerting: false, createdAt: new Date(0) };
    await insertAccount(database, cells[0]!, made);
  }
  await query(
    address,
    "insert into boathook.outbox (cell, kind, payload, created_at, due_at) select 0, 'kind', 'é' || n, now(), now() from generate_series(1, 7) n",
  );
  await fillRecords(boathook.test);
  await query(
    address,
    `insert into boathook_schedules_0.outbox_messages select * from boathook.outbox_messages;
     insert into boathook_schedules_0.outbox (id, cell, due_at) select id, cell, due_at from boathook.outbox`,
  );
  await query(address, "update boathook_schedules_0.outbox_numbers set last = 7");
  return Object.assign(boathook, { here: address, there: other.address, url });
}

/** A digest of each table's rows, without the notes of migrations, which have times. */
async function contents(address: DatabaseAddress): Promise<Record<string, string>> {
  const tables = await query(
    address,
    `select c.relnamespace::regnamespace::text as schema, relname as name from pg_class c
     where c.relnamespace::regnamespace::text ~ '^boathook' and relkind = 'r' and relname !~ '^migrations' order by 1, 2`,
  );
  const digests = tables.rows.map(
    ({ schema, name }) =>
      `select '${schema}.${name}' as name, count(*) || ' ' ||
         coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest from "${schema}"."${name}" t`,
  );
  if (digests.length === 0) return {};
  const { rows } = await query(address, digests.join(" union all "));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

const fenced = (found: Record<string, string>) =>
  Object.fromEntries(Object.entries(found).map(([name, digest]) => [name.replace(".", "_moving."), digest]));

const served = ({ test: { cells } }: Scene, address: DatabaseAddress) =>
  run(["accounts", "list", "--json"], { environment: settingsFor({ address, cells }) });

test("everything moves to another database, and nothing starts on the old one", async (t) => {
  const boathook = await openScene(t);
  const before = await contents(boathook.here);
  for (const [tag, tables] of Object.entries(RECORDS)) {
    for (const table of [...tables, "outbox_numbers"])
      assert.notEqual(before[`boathook_${tag}_0.${table}`], "0 ", `${table} has rows`);
  }
  const { status, out, err } = await boathook();
  assert.equal(status, 0, err);
  assert.match(err, /store: copied accounts: \d rows\n(?:.*\n)*store: all rows are on the new server\n$/);
  assert.match(out, /^The store lives there now\. Set BOATHOOK_DATABASE_URL to that URL, unset BOATHOOK_NEW/);
  assert.deepEqual(await contents(boathook.there), before);
  assert.deepEqual(await contents(boathook.here), fenced(before), "the old server keeps its copy");
  const old = await served(boathook, boathook.here);
  assert.equal(old.status, 1);
  assert.match(old.err, /^The store has moved from this database to another/);
  const listed = await served(boathook, boathook.there);
  assert.equal(listed.status, 0, listed.err);
  assert.equal(JSON.parse(listed.out).length, boathook.test.cells.length);
  // The trigger that counts accounts works, and ids go on.
  await query(
    boathook.there,
    `insert into boathook.accounts select '${idOf(9)}', name, entitlements, false, 0, now() from boathook.accounts limit 1`,
  );
  const counted = await query(boathook.there, "select accounts from boathook.cells where number = 0");
  assert.equal(counted.rows[0].accounts, 2);
  const next = await query(
    boathook.there,
    "insert into boathook.outbox (cell, kind, payload, created_at, due_at) values (0, 'k', '', now(), now()) returning id::int",
  );
  assert.equal(next.rows[0].id, 8);
  // The records are known again, and go on.
  const store = await openUpgraded(boathook.url);
  try {
    assert.deepEqual(await say(store, CARRIERS), { calls: 3, added: 0, changed: 0, missing: 0, events: 0 });
    assert.equal((await load(store, "900")).replaced, ORIGINS.length);
  } finally {
    await store.close();
  }
  assert.deepEqual(await boathook.json(), { done: "there" });
  assert.match((await boathook("--undo")).err, /the store lives on the new server now/);
  // A store behind the fence is not taken for another that lives there.
  await query(boathook.there, "update boathook.cells set created_at = created_at + interval '1 s'");
  assert.match((await boathook()).err, /the new server has a store already/);
});

test("it is refused where a service runs, a move is open, or a store is there already, and changes nothing", async (t) => {
  const boathook = await openScene(t);
  const before = await contents(boathook.here);
  const refused = async (why: RegExp, ...words: string[]) => {
    const { status, err } = await boathook(...words);
    assert.notEqual(status, 0);
    assert.match(err, why);
  };
  const { BOATHOOK_NEW_DATABASE_URL: there = "" } = boathook.environment;
  delete boathook.environment["BOATHOOK_NEW_DATABASE_URL"];
  await refused(/BOATHOOK_NEW_DATABASE_URL says where the store goes/);
  boathook.environment["BOATHOOK_NEW_DATABASE_URL"] = there;
  const url = new URL(boathook.environment["BOATHOOK_DATABASE_URL"]!);
  url.searchParams.set("application_name", "boathook 12 1790000000000");
  const { default: pg } = await import("pg");
  const running = new pg.Client({ connectionString: url.href });
  await running.connect();
  await refused(/processes of Boathook that use the database: 1\. Stop them first/);
  await running.end();
  await query(boathook.here, "update boathook.cells set moving_to = 'east' where number = 0");
  await refused(/with an open move.* boathook cells move 0 east/);
  await query(boathook.here, "update boathook.cells set moving_to = null");
  for (const schema of ["boathook", "boathook_cell_0", "boathook_rates_0"]) {
    await query(boathook.there, `create schema ${schema}`);
    await refused(new RegExp(`the new server has a (?:store already: a )?schema ${schema}`));
    await query(boathook.there, `drop schema ${schema}`);
  }
  assert.deepEqual(await contents(boathook.here), before);
  assert.deepEqual(await boathook.json("--undo"), { done: "there" });
  // What another build has migrated is not copied; the move undoes itself.
  for (const notes of ["boathook_rates_0.migrations_rates", "boathook_cell_0.migrations"]) {
    await query(boathook.here, `delete from ${notes} where name = (select max(name) from ${notes})`);
    await refused(/another build of Boathook migrated the cell/);
    assert.deepEqual(await contents(boathook.here), before);
    assert.deepEqual(await contents(boathook.there), {});
  }
});
