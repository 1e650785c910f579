import assert from "node:assert/strict";
import { test } from "node:test";

import { products } from "../../src/products/index.ts";
import type { Cell } from "../../src/store/cell.ts";
import { migrateDirectory, MIGRATING } from "../../src/store/migrate.ts";
import { openSession } from "../../src/store/moves/session.ts";
import { openStore, type StoreOptions } from "../../src/store/open.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";
import { createTestDatabase, query } from "../support/database.ts";
import { initializedFolder, until } from "../support/embedded.ts";
import { recordingLog, silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";

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
