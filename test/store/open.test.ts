import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { products } from "../../src/products/index.ts";
import type { Cell } from "../../src/store/cell.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { migrateDirectory, MIGRATING } from "../../src/store/migrate.ts";
import { openSession } from "../../src/store/moves/session.ts";
import { openStore, type StoreOptions } from "../../src/store/open.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";
import { createEmptyDatabase, createTestDatabase, query } from "../support/database.ts";
import { emptyFolder, initializedFolder, until } from "../support/embedded.ts";
import { startFreezingProxy } from "../support/freezing-proxy.ts";
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

test("a store opens though the server of a cell is gone, refuses that cell, and takes it up once it is back", async (t) => {
  const [near, far] = [await createTestDatabase(), await createEmptyDatabase()];
  const way = await startFreezingProxy(far.address);
  await way.close();
  const store = await openStore({
    ...options,
    databaseUrl: (await proxied(t, near.address)).url,
    servers: new Map([["far", way.address.url]]),
    cells: 2,
    dataFolder: emptyFolder(t),
  });
  const [here, there] = store.cells;
  t.after(async () => {
    await store.close();
    await near.drop();
    await far.drop();
  });
  assert.equal(store.embedded, null);
  assert.deepEqual(store.migrated.unreachable, [there!.schema]);
  const count = (cell: Cell) => store.database.rows(queueCount(cell), []);
  assert.deepEqual(await count(here), [{ count: 0 }]);
  await assert.rejects(count(there!), (error) => error instanceof StoreUnavailable && !error.commitUnknown);
  const back = await startFreezingProxy(far.address, Number(new URL(way.address.url).port));
  t.after(back.close);
  await store.refreshHomes();
  assert.deepEqual(await count(there!), [{ count: 0 }]);
});

test("a store does not open on two names of one database, and has made no cell there", async (t) => {
  const [near, far] = [await createTestDatabase(), await createEmptyDatabase()];
  const [direct, again, other] = [
    await proxied(t, near.address),
    await proxied(t, near.address),
    await proxied(t, far.address),
  ];
  t.after(async () => {
    await near.drop();
    await far.drop();
  });
  const opening = (servers: Readonly<Record<string, { readonly url: string }>>) =>
    openStore({
      ...options,
      databaseUrl: direct.url,
      servers: new Map(Object.entries(servers).map(([name, { url }]) => [name, url])),
      cells: 3,
      dataFolder: emptyFolder(t),
    });
  await assert.rejects(opening({ east: other, west: again }), /servers directory and west are one database/);
  await assert.rejects(opening({ east: other, west: other }), /servers east and west are one database/);
  const made = await query(near.address, "select from boathook.cells where kind = 'cell'");
  assert.equal(made.rowCount, 1, "none beside the one that was there");
  await (await opening({ east: other })).close();
});

test("a server that is at fault is named, and none other", async (t) => {
  const [near, far] = [await createTestDatabase(), await createEmptyDatabase()];
  const [ofNear, ofFar] = [await proxied(t, near.address), await proxied(t, far.address)];
  t.after(async () => {
    await near.drop();
    await far.drop();
  });
  const opening = () =>
    openStore({
      ...options,
      databaseUrl: ofNear.url,
      servers: new Map([["far", ofFar.url]]),
      cells: 2,
      dataFolder: emptyFolder(t),
    });
  const isNamed = (error: unknown) =>
    error instanceof StartupError &&
    error.message.startsWith("The server far of BOATHOOK_SERVERS cannot be used: ");
  await query(far.address, "create schema boathook_cell_1; create table boathook_cell_1.deliveries ()");
  await assert.rejects(opening(), isNamed);
  await query(far.address, "drop schema boathook_cell_1 cascade");
  await (await opening()).close();
  await query(
    far.address,
    "insert into boathook_cell_1.migrations (name, run_on) values ('999_later', '2030-01-01')",
  );
  await assert.rejects(opening(), isNamed);
});

const queueCount = ({ schema }: Cell) => ({
  name: `count@${schema}`,
  text: `select count(*)::int as count from ${schema}.queue`,
  schema,
});

/** A URL of a server that may listen on a socket only. */
async function proxied(t: TestContext, address: DatabaseAddress) {
  const proxy = await startFreezingProxy(address);
  t.after(proxy.close);
  return proxy.address;
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
