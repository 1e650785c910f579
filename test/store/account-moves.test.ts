/** Accounts that move to another cell: nothing is lost or changed, however often the move breaks off. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { describe, test, type TestContext } from "node:test";

import {
  finishBroadcasts,
  insertBroadcasts,
  listReceivers,
} from "../../src/freight/broadcasts/store/broadcasts.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { insertAccount, updateAccount } from "../../src/store/accounts/accounts.ts";
import { readChanges } from "../../src/store/accounts/changes.ts";
import { directoryOf, type Cells } from "../../src/store/cell.ts";
import type { Connection, Database } from "../../src/store/database.ts";
import { makePartitions } from "../../src/store/deliveries/partitions.ts";
import { deleteEndpoint, insertEndpoint, updateEndpoint } from "../../src/store/endpoints/endpoints.ts";
import { readRoute, readTargets } from "../../src/store/endpoints/routes.ts";
import { addMissingCells } from "../../src/store/homes/cells.ts";
import { moveAccount } from "../../src/store/account-moves/move-account.ts";
import type { Move } from "../../src/store/account-moves/move.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { realClock } from "../support/real-clock.ts";
import { fillAccount, MOVED, STAYING, storedOf } from "./moving.ts";

const DAY_MS = 86_400_000;

const sourcesOf = ({ cells, productCells }: TestDatabase) => [directoryOf(cells[0]!), ...productCells.all];

/** Waits of a move take no time: no node runs here. */
const clock = { ...realClock, after: (_ms: number, run: () => void) => realClock.after(0, run) };

async function begin(t: TestContext, homes: 1 | 2 = 1, extra?: number) {
  const on = await createTestDatabase({ cells: 2, homes, partitions: "none" });
  t.after(() => on.drop());
  const cells = on.cells as unknown as Cells;
  const [old, fresh] = [cells[0], cells[1]!];
  const nowMs = realClock.nowMs();
  await addMissingCells(on.database, old, 2, [], new Date(nowMs));
  await makePartitions(on.database, old, nowMs - DAY_MS, nowMs + DAY_MS);
  const accountId = randomUUIDv7();
  await fillAccount(on.queryIn, old, accountId, extra);
  await query(
    on.address,
    `insert into ${old.directory}.accounts (id, name, cell, created_at) values ($1, 'Moving', 0, now())`,
    [accountId],
  );
  const before = await storedOf(on.queryIn, old, accountId);
  const move = (to = fresh, progress: Move["progress"] = () => undefined) =>
    moveAccount({ database: on.database, cells, clock, sources: sourcesOf(on), progress }, accountId, to);
  const has = async (cell: typeof old) => storedOf(on.queryIn, cell, accountId);
  return { on, cells, old, fresh, accountId, before, move, has };
}

/** Whose process ends when it has done so many statements and commits. */
function dyingAfter(database: Database, countMax: number): Database {
  let count = 0;
  const done = () => {
    count += 1;
    if (count >= countMax) throw new Error("killed");
  };
  const watched = (connection: Connection): Connection => ({
    async rows(statement, parameters) {
      const rows = await connection.rows(statement, parameters);
      done();
      return rows;
    },
  });
  return {
    ...database,
    ...watched(database),
    async transaction(work) {
      const result = await database.transaction((tx) => work(watched(tx)));
      done();
      return result;
    },
  };
}

const nothing = Object.fromEntries(Object.keys(MOVED).map((table) => [table, []]));

describe("an account that moves", () => {
  for (const homes of [1, 2] as const) {
    test(`takes every row and every column along, and leaves nothing, with ${homes} server(s)`, async (t) => {
      const { old, fresh, before, move, has, on, accountId } = await begin(t, homes);
      const { number } = await readChanges(on.database, old, 0);
      const moved = await move();
      assert.deepEqual({ ...moved, closedMs: 0 }, { from: 0, to: 1, closedMs: 0, undone: false });
      assert.deepEqual(await has(fresh), before);
      assert.deepEqual(await has(old), nothing);
      const { rows } = await on.queryIn(fresh, "select moving, closed from cell.accounts");
      assert.deepEqual(rows, [{ moving: false, closed: false }]);
      const held = "select from cell.polls where leased_until is not null";
      assert.equal((await on.queryIn(fresh, held)).rows.length, 0, "polls may be claimed");
      assert.deepEqual((await readChanges(on.database, old, number)).changes, [
        { kind: "account", subject: accountId },
      ]);
      // And back.
      await move(old);
      assert.deepEqual(await has(old), before);
      assert.deepEqual(await has(fresh), nothing);
    });
  }

  test("is known by every table of a cell: a new one must be named here, and moved or not", async (t) => {
    const { on, old } = await begin(t, 1, 1);
    const { rows } = await on.queryIn(
      old,
      `select relname as name from pg_class
       where relnamespace = '${old.schema}'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
    );
    assert.deepEqual(
      rows.map(({ name }) => String(name)),
      [...Object.keys(MOVED), ...STAYING].toSorted(),
    );
  });

  test("arrives whole, wherever the command breaks off, and however often", async (t) => {
    const { old, fresh, before, has, on, cells, accountId } = await begin(t, 2, 30);
    let runs = 0;
    for (let isBroken = true; isBroken; runs += 1) {
      const database = dyingAfter(on.database, runs + 1);
      const progress = () => undefined;
      isBroken = await moveAccount(
        { database, cells, clock, sources: sourcesOf(on), progress },
        accountId,
        fresh,
      ).then(
        () => false,
        (cause: Error) => {
          assert.equal(cause.message, "killed");
          return true;
        },
      );
    }
    assert.ok(runs > 30, `${runs} runs`);
    assert.deepEqual(await has(fresh), before);
    assert.deepEqual(await has(old), nothing);
    const incomplete = "select bool_and(misses <> misses_indexed) as all from boathook.cells";
    assert.deepEqual(
      (await query(on.address, incomplete)).rows,
      [{ all: true }],
      "references are indexed again",
    );
  });

  test("does not change when the move is undone wherever it broke off before its end", async (t) => {
    const { old, fresh, before, move, has, on } = await begin(t, 2, 30);
    let undone = 0;
    for (let stop = 1; ; stop += 1) {
      let calls = 0;
      const breaking = (step: string) => {
        calls += 1;
        if (calls === stop && step !== "opening the account") throw new Error("killed");
        if (step === "opening the account") throw new Error("too late");
      };
      const cause = await move(fresh, breaking).then(
        () => null,
        (error: Error) => error,
      );
      if (cause?.message !== "killed") break;
      assert.equal((await move(old)).undone, true);
      undone += 1;
      assert.deepEqual(await has(old), before);
      assert.deepEqual(await has(fresh), nothing);
      const { rows } = await on.queryIn(old, "select moving, closed from cell.accounts");
      assert.deepEqual(rows, [{ moving: false, closed: false }]);
    }
    assert.ok(undone > 10, `${undone} times`);
    // It has moved by now, and goes on.
    await assert.rejects(move(old), /moves from cell 0 to cell 1: finish that first/);
    await move();
    assert.deepEqual(await has(fresh), before);
  });

  test("is refused where it lives already, and where there is none", async (t) => {
    const { old, move, on, cells } = await begin(t, 1, 1);
    await assert.rejects(move(old), /lives in cell 0 already/);
    const none = moveAccount(
      { database: on.database, cells, clock, sources: sourcesOf(on), progress: () => undefined },
      randomUUIDv7(),
      old,
    );
    await assert.rejects(none, /there is no account/);
  });
});

/** Stops a move when the account has just been closed and all is copied: before it lives in the new cell. */
const atTheFence = () => {
  let closing = false;
  return (step: string) => {
    if (step === "closing the account") closing = true;
    if (closing && step === "copying the rest") throw new Error("killed");
  };
};

describe("an account that is closed", () => {
  test("refuses every change, raises nothing, and reads as it was", async (t) => {
    const { on, old, fresh, accountId, before, move, has } = await begin(t, 1, 1);
    await assert.rejects(move(fresh, atTheFence()), /killed/);
    const owner = { accountId, product: "tracking" };
    const at = new Date();
    const endpointId = (before["endpoints"] as { id: string }[])[0]!.id;
    const isMoving = (cause: unknown) =>
      cause instanceof StoreUnavailable && cause.reason === "account_moving";
    const { database } = on;
    const endpoint = {
      ...owner,
      id: randomUUIDv7(),
      url: "https://x.test",
      eventTypes: [],
      description: "",
      createdAt: at,
      sealedSecretHash: Buffer.alloc(1),
    };
    for (const change of [
      () => updateEndpoint(database, old, owner, endpointId, { active: true }, at),
      () => deleteEndpoint(database, old, owner, endpointId, at),
      () => insertEndpoint(database, old, endpoint, 100),
    ])
      await assert.rejects(change(), isMoving);
    assert.equal(await readRoute(database, old, accountId), null);
    assert.deepEqual(
      (await readTargets(database, old, [endpointId])).map(({ active }) => active),
      [false],
    );
    assert.deepEqual(await has(old), before);
  });

  test("is armed in its new cell, if that was asked for while it moved", async (t) => {
    const { on, cells, fresh, accountId, move } = await begin(t, 2, 1);
    await assert.rejects(move(fresh, atTheFence()), /killed/);
    await updateAccount(on.database, cells, accountId, { demurrageAlerting: false }, realClock.nowMs());
    await assert.rejects(on.forward(), /moves to another cell/);
    await move();
    await query(on.address, `update ${fresh.directory}.outbox set due_at = 'epoch'`);
    await on.forward();
    const { rows } = await on.queryIn(fresh, "select demurrage_armed_at as at from cell.accounts");
    assert.deepEqual(rows, [{ at: null }]);
  });
});

describe("a broadcast", () => {
  const broadcast = (dedupKey: string) => ({
    id: randomUUIDv7(),
    product: "tracking",
    type: "eta_changed",
    data: "{}",
    occurredAtMs: 0,
    dedupKey,
  });
  const group = { product: "tracking", type: "eta_changed", lastAccountId: null, bytesMax: 0 };

  test("that one cell finished and the other did not, while an account moved, comes to it", async (t) => {
    const { on, old, fresh, accountId, move } = await begin(t, 2, 1);
    const { database } = on;
    // The cells' own accounts.
    for (const cell of [old, fresh]) {
      const account = { id: randomUUIDv7(), name: "x", entitlements: [], demurrageAlerting: false };
      await insertAccount(database, cell, { ...account, cell: cell.number, createdAt: new Date() });
    }
    await insertBroadcasts(database, old, [broadcast("waits in the old cell")]);
    let closing = false;
    const during = move(fresh, (step) => {
      if (step === "closing the account") closing = true;
      if (closing && step === "copying the rest") throw new Error("killed");
    });
    await assert.rejects(during, /killed/);
    // Both come to their end in one of the cells while the account is in neither.
    assert.deepEqual(await listReceivers(database, old, group, 10), [], "not in the old cell");
    await insertBroadcasts(database, old, [broadcast("ends in the old cell")]);
    await finishBroadcasts(database, old, group, 10, 1_000);
    await insertBroadcasts(database, fresh, [broadcast("ends in the new cell")]);
    await finishBroadcasts(database, fresh, group, 10, 1_000);
    await move();
    const { rows } = await on.queryIn(
      fresh,
      "select dedup_key as key from cell.broadcasts where last_account_id < $1 order by 1",
      [accountId],
    );
    assert.deepEqual(
      rows.map(({ key }) => String(key)),
      ["ends in the new cell", "ends in the old cell", "waits in the old cell"],
    );
    const [last] = (await on.queryIn(fresh, "select max(last_account_id::text) as id from cell.broadcasts"))
      .rows;
    const receivers = await listReceivers(database, fresh, { ...group, lastAccountId: last.id }, 10);
    assert.ok(receivers.includes(accountId), "it is among the next receivers");
    assert.equal((await on.queryIn(old, "select from cell.accounts where moving")).rows.length, 0);
  });
});
