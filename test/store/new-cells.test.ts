/** Cells that are added while the store of a process is open. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { products } from "../../src/products/index.ts";
import { OF_ACCOUNTS, type Cell } from "../../src/store/cell.ts";
import { insertCell } from "../../src/store/homes/cells.ts";
import { cellList } from "../../src/store/homes/cells.sql.ts";
import { migrateCells } from "../../src/store/migrate.ts";
import { lockNode, registerNode } from "../../src/store/nodes/nodes.ts";
import { openStore, type Store, type StoreOptions } from "../../src/store/open.ts";
import { createTestDatabase, query } from "../support/database.ts";
import { emptyFolder } from "../support/embedded.ts";
import { startFreezingProxy } from "../support/freezing-proxy.ts";
import { recordingLog, silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import { idOf } from "./store-rows.ts";
import { column } from "../support/columns.ts";

type Scene = {
  readonly log: ReturnType<typeof recordingLog>;
  open(own?: Partial<StoreOptions>): Promise<Store>;
};

async function openScene(t: TestContext): Promise<Scene> {
  const near = await createTestDatabase();
  const way = await startFreezingProxy(near.address);
  const log = recordingLog();
  t.after(async () => {
    await way.close();
    await near.drop();
  });
  const options: StoreOptions = {
    databaseUrl: way.address.url,
    cells: 1,
    products,
    connectionsMax: 4,
    connectTimeoutMs: 5_000,
    clock: realClock,
    log,
    dataFolder: emptyFolder(t),
  };
  return {
    log,
    async open(own = {}) {
      const store = await openStore({ ...options, ...own });
      t.after(store.close);
      return store;
    },
  };
}

const cellNumbered = ({ cells }: Store, number: number): Cell => ({
  ...cells[0],
  number,
  schema: `${cells[0].directory}_cell_${number}`,
});

const laterIn = ({ schema }: Cell) =>
  `insert into ${schema}.migrations (name, run_on) values ('999_later', '2030-01-01')`;

async function list({ database, cells }: Store, number: number): Promise<void> {
  await insertCell(database, cells[0], { number, open: false }, new Date(0));
}

const count = ({ database }: Store, { schema }: Cell) =>
  database.rows(
    { name: `count@${schema}`, text: `select count(*)::int as count from ${schema}.queue`, schema },
    [],
  );

const warnings = ({ lines }: Scene["log"]) =>
  lines.filter(({ level }) => level === "warn" || level === "error").map(({ message }) => message);

test("cells that are listed are migrated, and passed on before they are among the others", async (t) => {
  const { open, log } = await openScene(t);
  const store = await open();
  const { cells } = store;
  for (const number of [1, 2]) await list(store, number);
  const passed: (readonly [number, number])[] = [];
  const onAdded = ({ number }: Cell) => void passed.push([number, cells.length]);
  await store.refreshHomes(onAdded);
  await store.refreshHomes(onAdded);
  assert.deepEqual(passed, [
    [1, 1],
    [2, 2],
  ]);
  assert.deepEqual(column(cells, "number"), [0, 1, 2]);
  for (const cell of cells) assert.deepEqual(await count(store, cell), [{ count: 0 }]);
  assert.deepEqual(warnings(log), []);
});

test("a new cell that this node cannot use, of a later version, is said once and harms no other", async (t) => {
  const { open, log } = await openScene(t);
  const store = await open();
  const cell = cellNumbered(store, 1);
  await migrateCells(store.address, [cell], silentLog, products);
  await query(store.address, laterIn(cell));
  await list(store, 1);
  for (let round = 0; round < 3; round += 1) await store.refreshHomes();
  assert.deepEqual(warnings(log), ["a cell was added that this node cannot use yet"]);
  assert.equal(store.cells.length, 1);
  assert.deepEqual(await count(store, store.cells[0]), [{ count: 0 }]);
  await query(store.address, `delete from ${cell.schema}.migrations where name = '999_later'`);
  await store.refreshHomes();
  assert.deepEqual(await count(store, store.cells[1]!), [{ count: 0 }]);
});

test("cells that a start adds are open where nothing runs, and closed where a process runs without them", async (t) => {
  const { open, log } = await openScene(t);
  const store = await open({ cells: 2 });
  const states = async () => {
    const listed = await cellList(store.database, store.cells[0]);
    return listed.filter(({ kind }) => kind === OF_ACCOUNTS).map((one) => one.open);
  };
  assert.deepEqual(await states(), [true, true]);
  await open({ cells: 3 });
  assert.deepEqual(await states(), [true, true, true]);
  const session = await store.database.dedicated(store.cells[0], () => undefined);
  t.after(() => session.close());
  const node = await registerNode(session, store.cells[0], 0, idOf(1));
  await lockNode(session, store.cells[0], node);
  assert.deepEqual(warnings(log), []);
  await open({ cells: 4 });
  assert.deepEqual(await states(), [true, true, true, false]);
  assert.deepEqual(warnings(log), ["new cells are closed, since others run: boathook cells open opens them"]);
});
