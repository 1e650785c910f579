import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { cellsNamed } from "../../src/store/cell.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { products } from "../../src/products/index.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { registerNode } from "../../src/store/nodes/nodes.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { recordingLog, silentLog } from "../support/log.ts";

/** Of each product that has cells. */
const TWO_CELLS = products.map((product) => ({ ...product, cells: 2 }));

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
const migrationOf = (...path: string[]) => readFileSync(join(STORE_MIGRATIONS, ...path), "utf8");

test("an empty database gets the directory and each of its cells", async (t) => {
  const address = await emptyDatabase(t);
  const { ran } = await migrate(address, cellsNamed("boathook", 2), silentLog, products);
  assert.ok(ran.includes("boathook/001_directory"), String(ran));
  const expected =
    "account_moves accounts api_keys cells changes last_change migrations outbox outbox_messages " +
    "outbox_numbers portal_links schedule_feeds slots source_answers source_skips tariffs upstream_limits upstream_pauses vessels";
  assert.deepEqual(await tables(address, "boathook"), expected.split(" "));
  const cell = await tables(address, "boathook_cell_0");
  assert.ok(cell.includes("deliveries") && cell.includes("queue"), String(cell));
  assert.deepEqual(await tables(address, "boathook_cell_1"), cell);
  assert.deepEqual(await tables(address, "public"), []);
});

/** Columns, constraints, indices and functions, without the schema's name. */
async function shapeOf(address: DatabaseAddress, schema: string): Promise<readonly string[]> {
  const { rows } = await query(
    address,
    `select c.relname || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull
         || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') || ' ' || a.attcollation as part
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where c.relnamespace = $1::regnamespace and a.attnum > 0 and not a.attisdropped and c.relkind = 'r'
     union all
     select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid)
     from pg_constraint where connamespace = $1::regnamespace and contype <> 'n'
     union all
     select indexdef from pg_indexes where schemaname = $2
     union all
     select pg_get_functiondef(oid) from pg_proc where pronamespace = $1::regnamespace`,
    [schema, schema],
  );
  return rows.map(({ part }) => String(part).replaceAll(schema, "cell")).toSorted();
}

for (const kind of ["schedules", "rates"]) {
  test(`the first cell of ${kind}, which takes over tables, is as one that makes its own`, async (t) => {
    const address = await emptyDatabase(t);
    await migrate(address, cellsNamed("boathook", 1), silentLog, TWO_CELLS);
    const [first, second] = cellsNamed("boathook", 2, kind);
    assert.deepEqual(await shapeOf(address, first.schema), await shapeOf(address, second!.schema));
  });
}

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
  const noted = await query(
    address,
    `select sum((xpath('/row/count/text()', query_to_xml(
       format('select count(*) as count from %I.%I', schemaname, tablename), false, true, '')))[1]::text::integer) as noted
     from pg_tables where starts_with(tablename, 'migrations')`,
  );
  const { rows } = noted;
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
     alter table ${schema}.accounts drop column last_arming;
     alter table ${schema}.nodes alter column id add generated always as identity;
     insert into ${schema}.nodes (started_at, oldest_held) select now(), gen_random_uuid() from generate_series(1, 7);
     delete from ${schema}.nodes where id > 3`,
  );
  await query(address, `set search_path = ${schema}; ${migrationOf("cell", "020_distributed.sql")}`);
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

test("messages that wait in the outbox of a product's cell go on waiting", async (t) => {
  const address = await emptyDatabase(t);
  const [{ schema }] = cellsNamed("boathook", 1, "schedules");
  await query(
    address,
    `create schema ${schema}; set search_path = ${schema}; ${migrationOf("product", "001_outbox.sql")}
     insert into outbox (id, cell, kind, payload, created_at, due_at)
     select cell, cell, 'note', 'to ' || cell, '2026-11-01Z', '2026-11-02Z' from generate_series(1, 2) cell;
     ${migrationOf("product", "002_outbox_messages.sql")}`,
  );
  const { rows } = await query(
    address,
    `select id::integer, cell, message.kind, message.payload,
       message.created_at = '2026-11-01Z' and due_at = '2026-11-02Z' as same
     from ${schema}.outbox join ${schema}.outbox_messages as message using (id) order by cell`,
  );
  const waiting = (cell: number) => ({ id: cell, cell, kind: "note", payload: `to ${cell}`, same: true });
  assert.deepEqual(rows, [1, 2].map(waiting));
});
