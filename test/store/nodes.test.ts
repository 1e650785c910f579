/** Nodes: heartbeats, locks, what a replaced node leaves behind, and which changes each node has received. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import {
  publishInvalidation,
  latestInvalidation,
  acknowledgeInvalidation,
  unacknowledgedBy,
} from "../../src/store/endpoints/invalidations.ts";
import { notifyDue } from "../../src/store/deliveries/queue.ts";
import {
  recordHeartbeat,
  endSessionsOf,
  isNodeLockFree,
  registerNode,
  lockNode,
  takeOverNode,
} from "../../src/store/nodes/nodes.ts";
import { nodeList } from "../../src/store/nodes/nodes.sql.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { until } from "../faults/until.ts";
import { idOf, plain, storeRows, timeOf } from "./store-rows.ts";

const NOW = 5_000;

describe("nodes", () => {
  const rows = storeRows();
  beforeEach(async () => {
    await rows.run("update cell.changes set number = 0");
    await rows.account(1);
    await rows.endpoint(1);
  });

  const queue = () => rows.read("select delivery_id, endpoint_id, due_at, node from cell.queue order by 1");

  test("a node joins with every earlier change marked as received, and sends heartbeats until it is replaced", async () => {
    const { database, cell } = rows;
    await rows.run("update cell.changes set number = 41");
    await rows.node(90_000, { beat: 5 });
    const id = await registerNode(database, cell, timeOf(NOW), idOf(3));
    const node = () =>
      rows.read(`select started_at, beat, oldest_held, seen_change from cell.nodes where id = ${id}`);
    assert.deepEqual(await node(), [[NOW, "0", 3, "41"]]);
    const other = { id: 90_000, heartbeat: 5, server: null };
    const peers = [other];
    const beaten = await recordHeartbeat(database, cell, id, idOf(4));
    assert.deepEqual(beaten, { latestChange: 41, peers });
    assert.deepEqual(await node(), [[NOW, "1", 4, "41"]]);
    assert.deepEqual(await nodeList(database, cell, id), peers, "the other is as it was");
    await rows.node(90_001, { beat: 7 });
    await recordHeartbeat(database, cell, 90_001, idOf(4), "east");
    const both = [other, { id: 90_001, heartbeat: 8, server: "east" }];
    assert.deepEqual((await recordHeartbeat(database, cell, id, idOf(4)))?.peers, both);
    assert.deepEqual(await nodeList(database, cell, id), both);
    await rows.run("delete from cell.nodes where id >= 90000");
    assert.deepEqual((await recordHeartbeat(database, cell, id, idOf(4)))?.peers, []);
    assert.equal(await recordHeartbeat(database, cell, 90_002, idOf(4)), null);
  });

  test("a take-over puts all that the node held into the queue, down to the oldest, and removes the node", async () => {
    await rows.node(7, { oldest_held: idOf(2) });
    await rows.node(8);
    // The last one is in two places, which must not be; it keeps nothing else back.
    for (const [id, node] of [
      [2, 7],
      [3, 7],
      [4, 8],
      [10, 7],
    ] as const)
      await rows.delivery(id, { node });
    for (const id of [5, 6]) await rows.delivery(id).then(() => rows.queued(id, { node: id + 2 }));
    await rows.delivery(9, { status: "dead" });
    await rows.queued(10);
    assert.equal(await takeOverNode(rows.database, rows.cell, 7, timeOf(NOW)), 3);
    assert.deepEqual(await queue(), [
      [2, 1, NOW, null],
      [3, 1, NOW, null],
      [5, 1, 0, null],
      [6, 1, 0, 8],
      [10, 1, 0, null],
    ]);
    const held = "select id, node from cell.deliveries where node is not null";
    assert.deepEqual(await rows.read(held), [[4, 8]]);
    assert.deepEqual(await rows.read("select id from cell.nodes"), [[8]]);
    assert.equal(await takeOverNode(rows.database, rows.cell, 7, timeOf(NOW)), null, "it is gone");
  });

  test("a node whose row is held by another transaction is not taken over, and not waited for", async () => {
    await rows.node(7);
    const taken = await rows.database.transaction(async (tx) => {
      const text = `update "${rows.cell.schema}".nodes set beat = 1 where id = 7`;
      await tx.rows({ name: "hold", text }, []);
      return takeOverNode(rows.database, rows.cell, 7, timeOf(NOW));
    });
    assert.equal(taken, null);
    assert.deepEqual(await rows.read("select id from cell.nodes"), [[7]]);
  });

  test("a node's lock is free when its connection is closed, and each node has its own", async () => {
    const { database, cell } = rows;
    const own = await database.dedicated(cell, assert.fail);
    const other = await database.dedicated(cell, assert.fail);
    await lockNode(own, cell, 7);
    assert.deepEqual(
      [await isNodeLockFree(other, cell, 7), await isNodeLockFree(other, cell, 8)],
      [false, true],
    );
    assert.equal(await isNodeLockFree(own, cell, 8), true, "who asked does not keep it");
    await own.close();
    await until(() => isNodeLockFree(other, cell, 7), "the lock is free", 10_000);
    await other.close();
  });

  test("the sessions of the process that holds a node's lock are ended, and nobody else's", async () => {
    const { cell } = rows;
    const lost: string[] = [];
    const openAs = async (sessionName: string, node: number) => {
      const onIdleError = () => lost.push(sessionName);
      const pool = { sessionName, connectionsMax: 2, connectTimeoutMs: 10_000, onIdleError };
      const database = openDatabase(rows.address, pool);
      const lock = await database.dedicated(cell, () => lost.push(`lock of ${node}`));
      await lockNode(lock, cell, node);
      await latestInvalidation(database, cell);
      return { database, lock };
    };
    const frozen = await openAs("boathook frozen", 7);
    const other = await openAs("boathook other", 8);
    const foreign = await openAs("frozen by somebody else", 9);
    // Locks of other purposes with the same number, and one that waits for the node's.
    const key = `hashtext('"${cell.schema}".nodes')`;
    const text = `select pg_advisory_lock(1, 7), pg_advisory_lock((${key}::bigint << 32) | 7)`;
    await other.lock.rows({ name: "other locks", text }, []);
    const waiting = lockNode(other.lock, cell, 7);
    await endSessionsOf(other.database, cell, 7);
    await waiting;
    await until(() => lost.length >= 2, "both sessions have ended", 10_000);
    for (const alive of [rows.database, other.lock, foreign.lock]) await latestInvalidation(alive, cell);
    assert.deepEqual(lost.toSorted(), ["boathook frozen", "lock of 7"]);
    await endSessionsOf(other.database, cell, 8);
    await endSessionsOf(other.database, cell, 9);
    await latestInvalidation(foreign.database, cell);
    assert.deepEqual(lost.toSorted(), ["boathook frozen", "lock of 7", "lock of 8"]);
    await foreign.lock.close();
    for (const { database } of [frozen, other, foreign]) await database.close();
  });

  test("changes are numbered and sent to all nodes, and the store lists the nodes that they have not reached", async () => {
    const { database, cell } = rows;
    const heard: string[] = [];
    const listening = await database.dedicated(cell, assert.fail);
    await listening.listen("boathook_changes", (payload) => heard.push(payload));
    await rows.node(7);
    await rows.node(8);
    await rows.node(9, { seen_change: 1 });
    assert.equal(await publishInvalidation(database, cell, idOf(1), idOf(2)), 1);
    assert.equal(await publishInvalidation(database, cell, idOf(1), idOf(3)), 2);
    assert.equal(await latestInvalidation(database, cell), 2);
    await notifyDue(database, cell, [idOf(4), idOf(5)]);
    await until(() => heard.length === 3, "three notices", 10_000);
    assert.deepEqual(heard, [
      `"${cell.schema}".changes 1 ${idOf(1)} ${idOf(2)}`,
      `"${cell.schema}".changes 2 ${idOf(1)} ${idOf(3)}`,
      `"${cell.schema}".queue ${idOf(4)} ${idOf(5)}`,
    ]);
    await listening.close();
    const unseen = async (number: number) =>
      (await unacknowledgedBy(database, cell, 7, number)).toSorted((a, b) => a - b);
    assert.deepEqual([await unseen(1), await unseen(2)], [[8], [8, 9]]);
    await acknowledgeInvalidation(database, cell, 8, 2);
    await acknowledgeInvalidation(database, cell, 8, 1);
    assert.deepEqual([await unseen(1), await unseen(2), await unseen(3)], [[], [9], [8, 9]]);
    assert.deepEqual(plain(await rows.read("select id, seen_change from cell.nodes order by 1")), [
      [7, "0"],
      [8, "2"],
      [9, "1"],
    ]);
  });
});
