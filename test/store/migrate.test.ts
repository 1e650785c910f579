import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { cellsNamed } from "../../src/store/cell.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { registerNode } from "../../src/store/nodes/nodes.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { recordingLog, silentLog } from "../support/log.ts";

async function emptyDatabase(t: TestContext): Promise<DatabaseAddress> {
  const { address, drop } = await createEmptyDatabase();
  t.after(drop);
  return address;
}

async function tables(address: DatabaseAddress, schema: string): Promise<string[]> {
  const sql = "select tablename as name from pg_tables where schemaname = $1 order by 1";
  return (await query(address, sql, [schema])).rows.map(({ name }) => name);
}

const STORE_MIGRATIONS = join(import.meta.dirname, "..", "..", "src", "store", "migrations");

test("an empty database gets the directory and each of its cells", async (t) => {
  const address = await emptyDatabase(t);
  const { ran } = await migrate(address, cellsNamed("boathook", 2), silentLog);
  assert.ok(ran.includes("boathook/001_directory"), String(ran));
  assert.deepEqual(await tables(address, "boathook"), [
    "account_moves",
    "accounts",
    "api_keys",
    "cells",
    "changes",
    "lane_rates",
    "last_change",
    "migrations",
    "outbox",
    "port_calls",
    "rate_day",
    "rate_index_values",
    "rate_indices",
    "rate_lanes",
    "schedule_carriers",
    "schedule_days",
    "schedule_feeds",
    "service_reliability",
    "tariffs",
    "upstream_limits",
    "upstream_pauses",
    "vessels",
  ]);
  const cell = await tables(address, "boathook_cell_0");
  assert.ok(cell.includes("deliveries") && cell.includes("queue"), String(cell));
  assert.deepEqual(await tables(address, "boathook_cell_1"), cell);
  assert.deepEqual(await tables(address, "public"), []);
});

test("a migrated database is left as it is, and a further cell is added to it", async (t) => {
  const address = await emptyDatabase(t);
  await migrate(address, cellsNamed("boathook", 1), silentLog);
  const log = recordingLog();
  assert.deepEqual(await migrate(address, cellsNamed("boathook", 1), log), { ran: [], unreachable: [] });
  assert.deepEqual(log.lines, []);
  const { ran } = await migrate(address, cellsNamed("boathook", 2), silentLog);
  assert.ok(ran.length > 0 && ran.every((name) => name.startsWith("boathook_cell_1/")), String(ran));
});

test("four processes at once migrate once", async (t) => {
  const address = await emptyDatabase(t);
  const counts = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const child = spawn(process.execPath, [
        join(import.meta.dirname, "..", "support", "migrating-process.ts"),
        JSON.stringify(address),
      ]);
      let said = "";
      let complaint = "";
      child.stdout.on("data", (text) => (said += text));
      child.stderr.on("data", (text) => (complaint += text));
      const status = await new Promise((resolve) => child.on("close", resolve));
      assert.equal(status, 0, complaint);
      return JSON.parse(said).ran.length as number;
    }),
  );
  const { rows } = await query(
    address,
    "select (select count(*) from boathook.migrations) + (select count(*) from boathook_cell_0.migrations)" +
      " + (select count(*) from boathook_cell_1.migrations) as noted",
  );
  const ran = counts.reduce((sum, count) => sum + count, 0);
  assert.ok(ran > 0);
  assert.equal(ran, Number(rows[0].noted));
});

test("a database that a newer build has migrated is refused, and what it knows is named", async (t) => {
  const address = await emptyDatabase(t);
  const cells = cellsNamed("boathook", 1);
  await migrate(address, cells, silentLog);
  await query(
    address,
    "insert into boathook_cell_0.migrations (name, run_on) values ('999_later', '2030-01-01')",
  );
  await assert.rejects(migrate(address, cells, silentLog), (error) => {
    assert.ok(error instanceof StartupError);
    assert.match(error.message, /newer Boathook/);
    assert.match(error.message, /999_later/);
    return true;
  });
});

test("a server older than PostgreSQL 15 is refused, and both versions are named", async (t) => {
  const address = await emptyDatabase(t);
  // No such server is at hand: this one is made to say that it is one.
  await query(
    address,
    `create function current_setting(text) returns text language sql
     as $$ select case $1 when 'server_version' then '14.9' else '140009' end $$`,
  );
  const { rows } = await query(address, "select current_database() as name");
  await query(address, `alter database ${rows[0].name} set search_path = public, pg_catalog`);
  await assert.rejects(migrate(address, cellsNamed("boathook", 1), silentLog), (error) => {
    assert.ok(error instanceof StartupError);
    assert.match(error.message, /14\.9/);
    assert.match(error.message, /15 or later/);
    return true;
  });
});

test("a migration that fails leaves nothing of itself", async (t) => {
  const address = await emptyDatabase(t);
  const cells = cellsNamed("boathook", 1);
  await query(
    address,
    "create schema boathook_cell_0; create table boathook_cell_0.queue (in_the_way integer)",
  );
  await assert.rejects(migrate(address, cells, silentLog), /already exists/);
  assert.deepEqual(await tables(address, "boathook_cell_0"), ["migrations", "queue"]);
  await query(address, "drop table boathook_cell_0.queue");
  await migrate(address, cells, silentLog);
});

test("a product whose migrations are not where its manifest says migrates nothing", async (t) => {
  const address = await emptyDatabase(t);
  const misspelt = [{ tag: "rail", migrations: join(import.meta.dirname, "migratoins") }];
  await assert.rejects(
    migrate(address, cellsNamed("boathook", 1), silentLog, misspelt),
    /manifest of rail .*migratoins/,
  );
  assert.deepEqual(await tables(address, "boathook_cell_0"), []);
});

test("the numbers of nodes go on from the sequence that older builds drew them from", async (t) => {
  const address = await emptyDatabase(t);
  const cells = cellsNamed("boathook", 1);
  await migrate(address, cells, silentLog);
  const { schema } = cells[0];
  await query(
    address,
    `alter table ${schema}.changes drop column last_node;
     alter table ${schema}.nodes alter column id add generated always as identity;
     insert into ${schema}.nodes (started_at, oldest_held) select now(), gen_random_uuid() from generate_series(1, 7);
     delete from ${schema}.nodes where id > 3`,
  );
  const upgrade = join(STORE_MIGRATIONS, "cell", "020_distributed.sql");
  await query(address, `set search_path = ${schema}; ${readFileSync(upgrade, "utf8")}`);
  const database = openDatabase(address, {
    sessionName: "boathook test",
    connectionsMax: 5,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
  });
  t.after(() => database.close());
  const register = () => registerNode(database, cells[0], 0, "0192d3a0-0000-7000-8000-000000000001");
  const drawn = await Promise.all([register(), register(), register()]);
  assert.deepEqual(
    drawn.toSorted((a, b) => a - b),
    [8, 9, 10],
  );
});
