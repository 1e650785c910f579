/** Who uses a cell: opening it waits for all running processes, and names who is missing. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { waitUntilUsed } from "../../src/operator/cell-use.ts";
import type { Cell, Cells } from "../../src/store/cell.ts";
import { lockNode, registerNode, takeOverNode } from "../../src/store/nodes/nodes.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { idOf } from "../store/store-rows.ts";

type Scene = {
  readonly on: TestDatabase;
  readonly clock: ManualClock;
  /** A process that is a node of cells, until it dies. */
  startProcess(pid: number): Promise<Process>;
  /** Waits until both processes use the second cell. */
  wait(): { readonly names: Promise<readonly string[]>; isEnded(): boolean };
};

type Process = { join(cell: Cell): Promise<number>; die(): Promise<void> };

async function openScene(t: TestContext): Promise<Scene> {
  const on = await createTestDatabase({ cells: 2 });
  t.after(on.drop);
  const clock = manualClock();
  return {
    on,
    clock,
    async startProcess(pid) {
      const database = openDatabase(on.address, {
        sessionName: `boathook ${pid} 1760000000000`,
        connectionsMax: 1,
        connectTimeoutMs: 10_000,
        onIdleError: () => undefined,
      });
      const session = await database.dedicated(on.cells[0]!, () => undefined);
      return {
        async join(cell) {
          const node = await registerNode(session, cell, 0, idOf(1));
          await lockNode(session, cell, node);
          return node;
        },
        async die() {
          await session.close();
          await database.close();
        },
      };
    },
    wait() {
      let isEnded = false;
      const ports = { database: on.database, cells: on.cells as Cells, clock };
      const names = waitUntilUsed(ports, on.cells[1]!).finally(() => (isEnded = true));
      return { names, isEnded: () => isEnded };
    },
  };
}

test("where nothing runs, nobody is waited for", async (t) => {
  const { wait } = await openScene(t);
  assert.deepEqual(await wait().names, []);
});

test("a cell is waited for until all processes use it, whatever numbers their nodes have", async (t) => {
  const { on, startProcess, wait, clock } = await openScene(t);
  const [old, fresh] = on.cells as [Cell, Cell];
  const [one, other] = [await startProcess(4711), await startProcess(4712)];
  for (const process of [one, other]) await process.join(old);
  await one.join(fresh);
  // A former node of the same process counts for nobody else.
  await registerNode(on.database, fresh, 0, idOf(1));
  const waiting = wait();
  await clock.advance(3_000);
  assert.equal(waiting.isEnded(), false);
  await other.join(fresh);
  await clock.advance(1_000);
  assert.deepEqual(await waiting.names, []);
  for (const process of [one, other]) await process.die();
});

test("a process of a version that takes no cells up is named after a while", async (t) => {
  const { on, startProcess, wait, clock } = await openScene(t);
  const old = await startProcess(4711);
  await old.join(on.cells[0]!);
  const waiting = wait();
  await clock.advance(15_000);
  assert.equal((await waiting.names).length, 1);
  assert.match((await waiting.names)[0]!, /^process 4711( at 127\.0\.0\.1)?$/);
  await old.die();
});

test("a node that nobody holds is waited for until it is back or taken over, and then counts as dead", async (t) => {
  const { on, startProcess, wait, clock } = await openScene(t);
  const old = on.cells[0]!;
  const died = await startProcess(4711);
  const node = await died.join(old);
  await died.die();
  const waiting = wait();
  await clock.advance(3_000);
  assert.equal(waiting.isEnded(), false);
  await takeOverNode(on.database, old, node, 0);
  await clock.advance(1_000);
  assert.deepEqual(await waiting.names, []);
  await registerNode(on.database, old, 0, idOf(1));
  const again = wait();
  await clock.advance(15_000);
  assert.deepEqual(await again.names, []);
});
