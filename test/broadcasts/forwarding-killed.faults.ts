/** Nodes that are killed between the commit in a cell and the one in the directory, which lie on two servers. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { addBroadcasts, type Broadcast } from "../../src/freight/broadcasts/store/broadcasts.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { insertAccount, updateAccount } from "../../src/store/accounts/accounts.ts";
import { type Cells, directoryOf } from "../../src/store/cell.ts";
import { countMessages } from "../../src/store/outbox/outbox.ts";
import { chanceFor } from "../faults/chance.ts";
import { atEnd } from "../faults/endings.ts";
import { watch } from "../faults/process.ts";
import { until } from "../faults/until.ts";
import type { TestDatabase } from "../support/database.ts";
import type { ForwardingOptions } from "./forwarding-process.ts";
import { CROWD, openCrowd, startTelling } from "./telling.ts";

const random = systemRandom();
const LEASE_MS = 500;
const MS_MAX = 60_000;

const about = (what: string): Broadcast => ({
  id: random.uuid(Date.now()),
  product: "tracking",
  type: "api_change_announced",
  data: JSON.stringify({ id: what }),
  occurredAtMs: Date.now(),
  dedupKey: what,
});

function startNode(t: TestContext, on: TestDatabase, hangs: boolean) {
  const [first, second] = on.cells.map((cell) => on.database.homeOf(cell));
  const options: ForwardingOptions = { addresses: [first!, second!], hangs, leaseMs: LEASE_MS };
  const file = join(import.meta.dirname, "forwarding-process.ts");
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = watch(t, child);
  return {
    /** A message is applied in its cell, and not yet deleted. */
    applied: () => once(child.stdout, "data"),
    async kill() {
      child.kill("SIGKILL");
      assert.equal((await ended).signal, "SIGKILL", "it lives until it is killed");
    },
  };
}

const left = async (on: TestDatabase) =>
  (await countMessages(on.database, directoryOf(on.cells[0]!), on.cells as Cells, 10_000)).reduce(
    (sum, { count }) => sum + count,
    0,
  );

const add = (on: TestDatabase, ...broadcasts: Broadcast[]) =>
  on.database.transaction((tx) =>
    addBroadcasts(tx, directoryOf(on.cells[0]!), on.cells as Cells, broadcasts, Date.now()),
  );

test("a broadcast that was applied before the kill, and raised, is applied again and raises nothing more", async (t) => {
  const on = await openCrowd({ homes: 2 });
  atEnd(t, () => on.drop());
  const scene = await startTelling(on);
  atEnd(t, () => scene.end());
  await add(on, about("one"));
  const dying = startNode(t, on, true);
  await dying.applied();
  await until(async () => (await scene.rowsOf("broadcasts")) === 2, "both cells have it", MS_MAX);
  await dying.kill();
  scene.broadcast();
  await scene.allTold();
  assert.equal(await left(on), 2, "nothing is deleted");
  const next = startNode(t, on, false);
  await until(async () => (await left(on)) === 0, "another node deletes it", MS_MAX);
  await next.kill();
  await scene.allToldInTime();
  assert.deepEqual(await scene.told(), [{ one: CROWD / 3 }, { one: CROWD / 3 }]);
});

test("nodes that are killed at any moment lose no message, and none is raised twice", async (t) => {
  const chance = chanceFor(t);
  const on = await openCrowd({ homes: 2 });
  atEnd(t, () => on.drop());
  const scene = await startTelling(on);
  atEnd(t, () => scene.end());
  const atMs = Date.now();
  const accounts = Array.from({ length: 20 }, (_, number) => ({
    id: random.uuid(atMs),
    name: "Acme",
    entitlements: [],
    demurrageAlerting: false,
    cell: number % 2,
    createdAt: new Date(atMs),
  }));
  for (const account of accounts) await insertAccount(on.database, on.cells[account.cell]!, account);
  scene.broadcast({}, { eventsMax: 500 });

  let nodes = [startNode(t, on, false), startNode(t, on, false)];
  const names: string[] = [];
  for (let kills = 0; kills < 6; kills += 1) {
    for (let number = 0; number < 4; number += 1) {
      names.push(`${kills}.${number}`);
      await add(on, about(names.at(-1)!));
      for (const [index, { id }] of accounts.entries()) {
        const change = { demurrageAlerting: (index + number + kills) % 3 === 0 };
        await updateAccount(on.database, on.cells as Cells, id, change, Date.now());
      }
    }
    await sleep(chance.between(0, 200));
    for (const node of nodes) await node.kill();
    nodes = [startNode(t, on, false), startNode(t, on, false)];
  }
  await until(async () => (await left(on)) === 0, "nothing is left", MS_MAX);
  for (const node of nodes) await node.kill();
  await scene.allToldInTime();
  const all = Object.fromEntries(names.map((name) => [name, CROWD / 3]));
  assert.deepEqual(await scene.told(), [all, all]);
  for (const [index, { id, cell }] of accounts.entries()) {
    const sql = "select demurrage_armed_at as at from cell.accounts where id = $1";
    const { rows } = await on.queryIn(on.cells[cell]!, sql, [id]);
    assert.equal(rows[0].at !== null, (index + 3 + 5) % 3 === 0, "the last change holds");
  }
});
