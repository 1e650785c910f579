/** Accounts that move to another cell: nothing is lost or changed, however often the move breaks off. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { beforeEach, describe, test } from "node:test";

import {
  finishBroadcasts,
  insertBroadcasts,
  listReceivers,
} from "../../src/freight/broadcasts/store/broadcasts.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { insertAccount } from "../../src/store/accounts/accounts.ts";
import { readChanges } from "../../src/store/accounts/changes.ts";
import { moveAccount } from "../../src/store/account-moves/move-account.ts";
import type { Move } from "../../src/store/account-moves/move.ts";
import type { Cell } from "../../src/store/cell.ts";
import { deleteEndpoint, insertEndpoint, updateEndpoint } from "../../src/store/endpoints/endpoints.ts";
import { readRoute, readTargets } from "../../src/store/endpoints/routes.ts";
import { query } from "../support/database.ts";
import { accountRows, dyingAfter, MOVED, NOTHING } from "./account-rows.ts";

/** Of no account: the cell's own, and what is left of endpoints that are gone. */
const STAYING =
  "air_messages air_statements announcements announcing broadcasts changes deleted_endpoints " +
  "imported_milestones migrations migrations_loading nodes reference_index";
/** Tables that refer to accounts, besides those of products. */
const OF_THE_STORE = ["endpoints", "shipments"];

describe("an account that moves", () => {
  const rows = accountRows();
  let old: Cell;
  let fresh: Cell;
  let accountId: string;
  let before: Awaited<ReturnType<typeof rows.stored>>;
  beforeEach(async () => {
    [old, fresh] = rows.cells as readonly [Cell, Cell];
    await rows.on.queryEach(rows.cells, "truncate cell.accounts, cell.endpoints, cell.broadcasts cascade");
    accountId = await rows.fill();
    before = await rows.stored(old, accountId);
  });

  const move = (to: Cell, fields: Partial<Parameters<typeof moveAccount>[0]> = {}) =>
    moveAccount({ ...rows.ports, ...fields }, accountId, to);
  const states = async (cell: Cell) =>
    (await rows.on.queryIn(cell, "select moving, closed from cell.accounts where id = $1", [accountId])).rows;
  const OPEN = [{ moving: false, closed: false }];
  /** All of it is there, open, and nothing of it in the other cell. */
  const assertLivesIn = async (cell: Cell, other: Cell) => {
    assert.deepEqual(await rows.stored(cell, accountId), before);
    assert.deepEqual(await rows.stored(other, accountId), NOTHING);
    assert.deepEqual(await states(cell), OPEN);
  };
  /** Ends the move when the account has just been closed and all is copied: before it lives in the new cell. */
  const killAtTheFence = async () => {
    let closing = false;
    const progress: Move["progress"] = (step) => {
      if (step === "closing the account") closing = true;
      if (closing && step === "copying the rest") throw new Error("killed");
    };
    await assert.rejects(move(fresh, { progress }), /killed/);
  };

  test("takes every row and every column along, and leaves nothing; and back", async () => {
    const { number } = await readChanges(rows.on.database, old, 0);
    const moved = await move(fresh);
    assert.deepEqual({ ...moved, closedMs: 0 }, { from: 0, to: 1, closedMs: 0, undone: false });
    await assertLivesIn(fresh, old);
    const held = "select from cell.polls where leased_until is not null";
    assert.equal((await rows.on.queryIn(fresh, held)).rows.length, 0, "polls may be claimed");
    assert.deepEqual((await readChanges(rows.on.database, old, number)).changes, [
      { kind: "account", subject: accountId },
    ]);
    await assert.rejects(move(fresh), /lives in cell 1 already/);
    await move(old);
    await assertLivesIn(old, fresh);
    await assert.rejects(moveAccount(rows.ports, randomUUIDv7(), old), /there is no account/);
  });

  test("is known by every table of a cell: a new one must be named here, and moved or not", async () => {
    const found = await rows.on.queryIn(
      old,
      `select relname as name from pg_class
       where relnamespace = '${old.schema}'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
    );
    assert.deepEqual(
      found.rows.map(({ name }) => String(name)),
      [...Object.keys(MOVED), ...STAYING.split(" ")].toSorted(),
    );
  });

  test("knows what accounts own: a product's table with an account is in its manifest", async () => {
    const { rows: found } = await rows.on.queryIn(
      old,
      `select confrelid::regclass, conrelid::regclass::text as name from pg_constraint
       where contype = 'f' and confrelid = 'cell.accounts'::regclass and connamespace = '${old.schema}'::regnamespace`,
    );
    const named = found.map(({ name }) => String(name).split(".").at(-1)!);
    const declared = rows.ports.accountTables.map(({ name }) => name);
    assert.deepEqual(named.toSorted(), [...OF_THE_STORE, ...declared].toSorted());
  });

  test("arrives whole, wherever the command breaks off, and however often", async () => {
    let runs = 0;
    for (let isBroken = true; isBroken; runs += 1) {
      const database = dyingAfter(rows.on.database, 2 + runs * 4);
      isBroken = await move(fresh, { database }).then(
        () => false,
        (cause: Error) => assert.equal(cause.message, "killed") ?? true,
      );
    }
    assert.ok(runs > 10, `${runs} runs`);
    await assertLivesIn(fresh, old);
    const incomplete = "select bool_and(misses <> misses_indexed) as all from boathook.cells";
    assert.deepEqual((await query(rows.on.address, incomplete)).rows, [{ all: true }], "it is indexed again");
  });

  test("does not change when the move is undone wherever it broke off, and is not undone once it has moved", async () => {
    let undone = 0;
    for (let stop = 1; ; stop += 5) {
      let calls = 0;
      const progress = (step: string) => {
        calls += 1;
        if (step === "opening the account") throw new Error("too late");
        if (calls >= stop) throw new Error("killed");
      };
      const cause = await move(fresh, { progress }).then(
        () => assert.fail(),
        (error: Error) => error,
      );
      if (cause.message !== "killed") break;
      assert.equal((await move(old)).undone, true);
      undone += 1;
      await assertLivesIn(old, fresh);
    }
    assert.ok(undone > 2, `${undone} times`);
    await assert.rejects(move(old), /moves from cell 0 to cell 1: finish that first/);
    await move(fresh);
    await assertLivesIn(fresh, old);
  });

  test("refuses every change while it is closed, raises nothing, and reads as it was", async () => {
    await killAtTheFence();
    const { database } = rows.on;
    const owner = { accountId, product: "tracking" };
    const at = new Date();
    const endpointId = before["endpoints"]![0]!.id!;
    const endpoint = { ...owner, id: randomUUIDv7(), url: "https://x.test", eventTypes: [], description: "" };
    const isMoving = (cause: unknown) =>
      cause instanceof StoreUnavailable && cause.reason === "account_moving";
    for (const change of [
      () => updateEndpoint(database, old, owner, endpointId, { active: true }, at),
      () => deleteEndpoint(database, old, owner, endpointId, at),
      () =>
        insertEndpoint(database, old, { ...endpoint, createdAt: at, sealedSecretHash: Buffer.alloc(1) }, 100),
    ])
      await assert.rejects(change(), isMoving);
    assert.equal(await readRoute(database, old, accountId), null);
    const targets = await readTargets(database, old, [endpointId]);
    assert.deepEqual(
      targets.map(({ active }) => active),
      [false],
    );
    assert.deepEqual(await rows.stored(old, accountId), before);
  });

  test("is a receiver of the broadcasts that ended in either cell while it moved", async () => {
    const { database } = rows.on;
    const broadcast = (dedupKey: string) => ({
      ...{
        id: randomUUIDv7(),
        product: "tracking",
        type: "eta_changed",
        data: "{}",
        occurredAtMs: 0,
        dedupKey,
      },
    });
    const group = { product: "tracking", type: "eta_changed", lastAccountId: null, bytesMax: 0 };
    // The cells' own accounts.
    for (const cell of [old, fresh]) {
      const account = { id: randomUUIDv7(), name: "x", entitlements: [], demurrageAlerting: false };
      await insertAccount(database, cell, { ...account, cell: cell.number, createdAt: new Date() });
    }
    await insertBroadcasts(database, old, [broadcast("waits in the old cell")]);
    await killAtTheFence();
    assert.deepEqual(await listReceivers(database, old, group, 10), [], "not in the old cell");
    for (const [cell, name] of [
      [old, "old"],
      [fresh, "new"],
    ] as const) {
      await insertBroadcasts(database, cell, [broadcast(`ends in the ${name} cell`)]);
      await finishBroadcasts(database, cell, group, 10, 1_000);
    }
    await move(fresh);
    const left =
      "select dedup_key as key, last_account_id as last from cell.broadcasts where last_account_id < $1 order by 1";
    const found = (await rows.on.queryIn(fresh, left, [accountId])).rows as { key: string; last: string }[];
    assert.deepEqual(
      found.map(({ key }) => key),
      ["ends in the new cell", "ends in the old cell", "waits in the old cell"],
    );
    const lastAccountId = found
      .map(({ last }) => last)
      .toSorted()
      .at(-1)!;
    const receivers = await listReceivers(database, fresh, { ...group, lastAccountId }, 10);
    assert.ok(receivers.includes(accountId), "it is among the next receivers");
  });
});
