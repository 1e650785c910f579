/** Cells that are added while the store of a process is open. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { products } from "../../src/products/index.ts";
import { OF_ACCOUNTS, type Cell } from "../../src/store/cell.ts";
import { insertCell, listCells } from "../../src/store/homes/cells.ts";
import { migrateCells } from "../../src/store/migrate.ts";
import { lockNode, registerNode } from "../../src/store/nodes/nodes.ts";
import { openStore, type Store, type StoreOptions } from "../../src/store/open.ts";
import { createEmptyDatabase, createTestDatabase, query } from "../support/database.ts";
import { emptyFolder } from "../support/embedded.ts";
import { startFreezingProxy, type FreezingProxy } from "../support/freezing-proxy.ts";
import { recordingLog, silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import { idOf } from "./store-rows.ts";

type Scene = {
  readonly log: ReturnType<typeof recordingLog>;
  /** The way to the second server. */
  readonly far: FreezingProxy;
  open(own?: Partial<StoreOptions>): Promise<Store>;
};

async function openScene(t: TestContext): Promise<Scene> {
  const [near, other] = [await createTestDatabase(), await createEmptyDatabase()];
  const [way, far] = [await startFreezingProxy(near.address), await startFreezingProxy(other.address)];
  const log = recordingLog();
  t.after(async () => {
    await way.close();
    await far.close();
    await near.drop();
    await other.drop();
  });
  const options: StoreOptions = {
    databaseUrl: way.address.url,
    servers: new Map([["far", far.address.url]]),
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
    far,
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

async function list({ database, cells }: Store, number: number, server: string): Promise<void> {
  await insertCell(database, cells[0], { number, server, open: false }, new Date(0));
}

const count = ({ database }: Store, { schema }: Cell) =>
  database.rows(
    { name: `count@${schema}`, text: `select count(*)::int as count from ${schema}.queue`, schema },
    [],
  );

const warnings = ({ lines }: Scene["log"]) =>
  lines.filter(({ level }) => level === "warn" || level === "error").map(({ message }) => message);

test("cells that are listed are migrated where they live, and passed on before they are among the others", async (t) => {
  const { open, log } = await openScene(t);
  const store = await open();
  const { cells } = store;
  await list(store, 1, "far");
  await list(store, 2, "");
  const passed: (readonly [number, number])[] = [];
  const onAdded = ({ number }: Cell) => void passed.push([number, cells.length]);
  await store.refreshHomes(onAdded);
  await store.refreshHomes(onAdded);
  assert.deepEqual(passed, [
    [1, 1],
    [2, 2],
  ]);
  assert.deepEqual(
    cells.map(({ number }) => number),
    [0, 1, 2],
  );
  for (const cell of cells) assert.deepEqual(await count(store, cell), [{ count: 0 }]);
  assert.notEqual(store.database.homeOf(cells[1]!), store.database.homeOf(cells[2]!));
  assert.deepEqual(warnings(log), []);
});

test("a new cell that this node cannot use is said once, harms no other, and is used as soon as it can be", async (t) => {
  const { open, log, far } = await openScene(t);
  const store = await open();
  const isLost = (message: string) => message === "a connection to the database was lost";
  const said: string[] = [];
  const assertNotUsed = async () => {
    for (let round = 0; round < 3; round += 1) await store.refreshHomes();
    said.push(
      ...warnings(log)
        .filter((message) => !isLost(message))
        .slice(said.length),
    );
    assert.equal(store.cells.length, 1);
    assert.deepEqual(await count(store, store.cells[0]), [{ count: 0 }]);
  };
  await list(store, 1, "far-off");
  await assertNotUsed();
  await far.close();
  await query(store.address, "update boathook.cells set server = 'far' where kind = 'cell' and number = 1");
  await assertNotUsed();
  assert.deepEqual(said, ["a cell was added that this node cannot use yet"]);
  const back = await startFreezingProxy(far.to, Number(new URL(far.address.url).port));
  t.after(back.close);
  // A later version has made the next one.
  const cell = cellNumbered(store, 2);
  await migrateCells(store.address, [cell], silentLog, products);
  await query(store.address, laterIn(cell));
  await list(store, 2, "");
  for (let round = 0; round < 3; round += 1) await store.refreshHomes();
  assert.equal(store.cells.length, 2);
  assert.deepEqual(await count(store, store.cells[1]!), [{ count: 0 }]);
});

test("cells that a start adds are open where nothing runs, and closed where a process runs without them", async (t) => {
  const { open, log } = await openScene(t);
  const store = await open({ cells: 2 });
  const states = async () => {
    const listed = await listCells(store.database, store.cells[0]);
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

test("a cell that moves to a server that this process does not know is refused here, and holds up no other", async (t) => {
  const { open, log } = await openScene(t);
  const store = await open({ cells: 2 });
  const [here, there] = store.cells;
  const moveTo = (server: string) =>
    query(store.address, `update ${here.directory}.cells set server = $1 where number = 1`, [server]);
  await moveTo("far-off");
  await list(store, 2, "");
  for (let round = 0; round < 3; round += 1) await store.refreshHomes();
  assert.deepEqual(warnings(log), ["the server of a cell cannot be reached"]);
  await assert.rejects(
    count(store, there!),
    (cause) => cause instanceof StoreUnavailable && !cause.commitUnknown,
  );
  assert.deepEqual(await count(store, here), [{ count: 0 }]);
  assert.deepEqual(await count(store, store.cells[2]!), [{ count: 0 }]);
  await moveTo("far");
  await store.refreshHomes();
  assert.deepEqual(await count(store, there!), [{ count: 0 }]);
});

test("a cell that waits for its server, and turns out to be of a later version, holds up no other", async (t) => {
  const { open, log, far } = await openScene(t);
  const store = await open({ cells: 2 });
  const cell = store.cells[1]!;
  await query(far.to, laterIn(cell));
  await far.close();
  const second = await open();
  const back = await startFreezingProxy(far.to, Number(new URL(far.address.url).port));
  t.after(back.close);
  await list(second, 2, "");
  for (let round = 0; round < 3; round += 1) await second.refreshHomes();
  const said = log.lines.filter(
    ({ level, message }) => level === "error" && message.includes("cannot be used"),
  );
  assert.equal(said.length, 1);
  await assert.rejects(count(second, cell), StoreUnavailable);
  assert.deepEqual(await count(second, second.cells[2]!), [{ count: 0 }]);
});
