/** Migrations: what an empty database gets, what is refused, and what an older build left. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { products } from "../../src/products/index.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";
import { cellsNamed, type Cell } from "../../src/store/cell.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { migrate, migrateDirectory, MIGRATING } from "../../src/store/migrate.ts";
import { lockNode } from "../../src/store/nodes/nodes.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { createEmptyDatabase, createTestDatabase, query } from "../support/database.ts";
import { recordingLog, silentLog } from "../support/log.ts";
import { openSession } from "../../src/store/moves/session.ts";
import { superviseEmbedded } from "../../src/store/embedded/supervise.ts";
import { openStore, type StoreOptions } from "../../src/store/open.ts";
import { initializedFolder, until } from "../support/embedded.ts";
import { realClock } from "../support/real-clock.ts";

async function emptyDatabase(t: TestContext): Promise<DatabaseAddress> {
  const { address, drop } = await createEmptyDatabase();
  t.after(drop);
  return address;
}

/** With two cells of each kind. */
async function migratedDatabase(t: TestContext) {
  const made = await createTestDatabase({ cells: 2 });
  t.after(made.drop);
  return made;
}

async function tables(address: DatabaseAddress, schema: string): Promise<string[]> {
  const sql = "select tablename as name from pg_tables where schemaname = $1 order by 1";
  return (await query(address, sql, [schema])).rows.map(({ name }) => name);
}

function isRefusal(...words: readonly RegExp[]) {
  return (error: unknown) =>
    error instanceof StartupError && words.every((word) => word.test((error as Error).message));
}

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

test("processes that start at once on an empty database migrate once: the directory and cells that are alike", async (t) => {
  const address = await emptyDatabase(t);
  const starting = [1, 2, 3].map(() => migrate(address, cellsNamed("boathook", 1), silentLog, products));
  const ran = (await Promise.all(starting)).flatMap((one) => one.ran);
  assert.ok(ran.includes("boathook/001_directory") && new Set(ran).size === ran.length, String(ran));
  const { address: alone } = await migratedDatabase(t);
  assert.deepEqual(await shapeOf(address, "boathook"), await shapeOf(alone, "boathook"));
  assert.deepEqual(await tables(address, "public"), []);
  const log = recordingLog();
  const again = await migrate(address, cellsNamed("boathook", 1), log, products);
  assert.deepEqual([again, log.lines], [{ ran: [], unreachable: [] }, []]);
  const added = (await migrate(address, cellsNamed("boathook", 2), silentLog, products)).ran;
  assert.ok(added.length > 0 && added.every((name) => name.startsWith("boathook_cell_1/")), String(added));
  const shape = await shapeOf(address, "boathook_cell_0");
  assert.ok(shape.length > 20);
  assert.deepEqual(await shapeOf(address, "boathook_cell_1"), shape);
});

test("a database is not migrated while a node of an older version uses it", async (t) => {
  const { address, cells } = await migratedDatabase(t);
  const database = openDatabase(address, {
    ...{ connectionsMax: 2, connectTimeoutMs: 5_000, sessionName: "boathook 7 1" },
    onIdleError: () => undefined,
  });
  t.after(() => database.close());
  const node = await database.dedicated(cells[1]!, () => undefined);
  await lockNode(node, cells[1]!, 3);
  const start = () => migrate(address, cellsNamed("boathook", 2), silentLog, products);
  assert.deepEqual((await start()).ran, [], "nodes of one version start");
  for (const schema of ["boathook", "boathook_cell_1"]) {
    // As if this build had one more.
    const last = `(select max(name) from ${schema}.migrations)`;
    await query(address, `create table kept as select * from ${schema}.migrations where name = ${last}`);
    await query(address, `delete from ${schema}.migrations where name = ${last}`);
    await assert.rejects(start(), isRefusal(/older Boathook runs .*\(boathook 7 1\)/));
    await query(address, `insert into ${schema}.migrations select * from kept; drop table kept`);
  }
  await node.close();
  await start();
});

test("a database that a newer build has migrated is refused, and what it knows is named", async (t) => {
  const { address } = await migratedDatabase(t);
  const later = "insert into boathook_cell_0.migrations (name, run_on) values ('999_later', '2030-01-01')";
  await query(address, later);
  const starting = migrate(address, cellsNamed("boathook", 2), silentLog, products);
  await assert.rejects(starting, isRefusal(/newer Boathook/, /999_later/));
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
  const starting = migrate(address, cellsNamed("boathook", 1), silentLog);
  await assert.rejects(starting, isRefusal(/14\.9/, /15 or later/));
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

test("a migration that fails, or that is not where its product's manifest says, leaves nothing of itself", async (t) => {
  const address = await emptyDatabase(t);
  const cells = cellsNamed("boathook", 1);
  const misspelt = [{ tag: "rail", migrations: join(import.meta.dirname, "migratoins") }];
  await assert.rejects(migrate(address, cells, silentLog, misspelt), /manifest of rail .*migratoins/);
  assert.deepEqual(await tables(address, "boathook_cell_0"), []);
  const inTheWay = "create schema boathook_cell_0; create table boathook_cell_0.queue (in_the_way integer)";
  await query(address, inTheWay);
  await assert.rejects(migrate(address, cells, silentLog), /already exists/);
  assert.deepEqual(await tables(address, "boathook_cell_0"), ["migrations", "queue"]);
  await query(address, "drop table boathook_cell_0.queue");
  await migrate(address, cells, silentLog);
});

const options: Omit<StoreOptions, "dataFolder"> = {
  databaseUrl: null,
  cells: 1,
  products,
  connectionsMax: 4,
  connectTimeoutMs: 5_000,
  clock: realClock,
  log: silentLog,
};

const one = { name: "one", text: "select 1 as one" };

test("stores of one folder share the embedded server, migrated, and the last that closes stops it", async (t) => {
  const dataFolder = await initializedFolder(t);
  const opening = () => openStore({ ...options, products: [], dataFolder });
  const [first, second] = await Promise.all([opening(), opening()]);
  assert.equal(first.embedded!.pid(), second.embedded!.pid());
  await first.close();
  assert.deepEqual(await second.database.rows(queueCount(second.cells[0]), []), [{ count: 0 }]);
  await second.close();
  assert.equal(second.embedded!.pid(), null);
});

test("a store leaves the embedded server running if its caller began it", async (t) => {
  const dataFolder = await initializedFolder(t);
  const embedded = superviseEmbedded({ dataFolder, clock: realClock, log: silentLog });
  const store = await openStore({ ...options, products: [], dataFolder, embedded });
  await store.close();
  assert.notEqual(store.embedded!.pid(), null);
  assert.equal(await (await embedded).stop(), "stopped");
});

test("the embedded server is started again when it dies, and the pool finds it at the same address", async (t) => {
  const log = recordingLog();
  const store = await openStore({ ...options, products: [], log, dataFolder: await initializedFolder(t) });
  t.after(store.close);
  const before = store.embedded!.pid()!;
  process.kill(before, "SIGKILL");
  await until(
    () => log.lines.some(({ message }) => message.includes("PostgreSQL was lost")),
    "the loss is noticed",
  );
  await store.embedded!.ensureRunning();
  assert.notEqual(store.embedded!.pid(), before);
  // A connection of the pool that died with the server may be met once.
  const rows = await store.database.rows(one, []).catch(() => store.database.rows(one, []));
  assert.deepEqual(rows, [{ one: 1 }]);
});

test("a store that cannot be migrated leaves no server behind", async (t) => {
  const dataFolder = await initializedFolder(t);
  const store = await openStore({ ...options, products: [], dataFolder });
  await query(
    store.address,
    "insert into boathook.migrations (name, run_on) values ('999_later', '2030-01-01')",
  );
  await store.close();
  await assert.rejects(openStore({ ...options, products: [], dataFolder }), StartupError);
  assert.equal(store.embedded!.pid(), null);
});

const queueCount = ({ schema }: Cell) => ({
  name: `count@${schema}`,
  text: `select count(*)::int as count from ${schema}.queue`,
  schema,
});

/** What the last version knows that this one does not: what it has to end, and how. */
const STRANDED = [
  [
    "update boathook.cells set server = 'east' where number = 1",
    /several servers \(east\).* boathook cells move 1 directory;/,
  ],
  [
    "update boathook.cells set moving_to = 'east' where number = 1",
    /with an open move.* boathook cells move 1 east, then boathook cells move 1 directory;/,
  ],
  ["update boathook.cells set moved_from = 'east' where number = 0", /boathook cells move 0 directory;/],
  [
    `insert into boathook.account_moves (account_id, from_cell, to_cell, begun_at) select id, 0, 1, now() from boathook.accounts`,
    /boathook accounts move 00000000-0000-0000-0000-000000000001 1;/,
  ],
] as const;

for (const [change, why] of STRANDED) {
  test(`a store of the last version is refused before anything is migrated: ${change}`, async (t) => {
    const { address, drop } = await createTestDatabase({ cells: 2 });
    t.after(drop);
    await query(
      address,
      `insert into boathook.accounts (id, name, cell, created_at)
       values ('00000000-0000-0000-0000-000000000001', 'Acme', 0, now())`,
    );
    await query(address, change);
    await query(
      address,
      "delete from boathook.migrations where name = (select max(name) from boathook.migrations)",
    );
    const noted = async () => (await query(address, "select count(*) from boathook.migrations")).rows;
    const before = await noted();
    await assert.rejects(migrateDirectory(address, "boathook", silentLog, products), (error) => {
      assert.ok(error instanceof StartupError);
      assert.match(error.message, /Install version 0\.1\.0 again/);
      assert.match(error.message, why);
      return true;
    });
    assert.deepEqual(await noted(), before);
  });
}

test("a start while the store moves away waits for the fence, and makes no empty store behind it", async (t) => {
  const { address, drop } = await createTestDatabase();
  t.after(drop);
  const mover = await openSession(address);
  t.after(() => mover.close());
  await mover.run("begin");
  await mover.run(`select pg_advisory_xact_lock(${MIGRATING})`);
  await mover.run("alter schema boathook rename to boathook_moving");
  const starting = migrateDirectory(address, "boathook", silentLog, products);
  const refused = assert.rejects(starting, (error) => {
    return (
      error instanceof StartupError && error.message.startsWith("The store has moved from this database")
    );
  });
  const waiting =
    "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())";
  await until(async () => (await query(address, waiting)).rowCount === 1, "the start waits");
  await mover.run("commit");
  await refused;
  const { rowCount } = await query(address, "select from pg_namespace where nspname = 'boathook'");
  assert.equal(rowCount, 0);
});
