/** The queue: what a node may claim, what is due when, and what goes back. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { listRecentDeliveries } from "../../src/store/deliveries/deliveries-read.ts";
import { deliveryListClaimed } from "../../src/store/deliveries/deliveries.sql.ts";
import { queueClamp, queueCount, queueNextDue, queueSweep } from "../../src/store/deliveries/queue.sql.ts";
import { claimDue, releaseDeliveries } from "../../src/store/deliveries/queue.ts";
import { dateOf, idOf, plain, storeRows, timeOf } from "./store-rows.ts";

const NODE = 7;
const OTHER_NODE = 8;
const NOW = 5_000;
const INACTIVE = { active: false, inactive_since: dateOf(0) };

describe("the queue", () => {
  const rows = storeRows();
  beforeEach(async () => {
    await rows.account(1);
    await rows.node(NODE);
    await rows.node(OTHER_NODE);
    for (const id of [1, 2, 3, 4]) await rows.endpoint(id);
  });

  type Waiting = readonly [id: number, endpoint: number, dueMs: number, node?: number];
  const wait = async (...all: readonly Waiting[]) => {
    for (const [id, endpoint, dueMs, node = null] of all) {
      await rows.delivery(id, { endpoint_id: idOf(endpoint), attempt_count: id % 5 });
      await rows.queued(id, { endpoint_id: idOf(endpoint), due_at: dateOf(dueMs), node });
    }
  };
  const queue = () => rows.read("select delivery_id, due_at, node from cell.queue order by 1");
  const claim = (node: number, ...wanted: readonly (readonly [endpoint: number, limit: number])[]) => {
    const asked = wanted.map(([endpoint, limit]) => ({ endpointId: idOf(endpoint), limit }));
    return claimDue(rows.database, rows.cell, node, asked, timeOf(NOW));
  };
  /** By endpoint, when the earliest of it is due. */
  const dueOf = (found: readonly { readonly endpointId: string; readonly dueAt: Date | null }[]) =>
    plain(
      found
        .toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1))
        .map(({ endpointId, dueAt }) => [endpointId, dueAt]),
    );

  test("a claim takes of each endpoint what has been due longest, as much as there is room for", async () => {
    await wait([11, 1, 4_000], [12, 1, 3_000], [13, 1, NOW], [14, 1, NOW + 1]);
    await wait([21, 2, 1_000], [22, 2, NOW], [23, 2, 500, OTHER_NODE], [24, 2, NOW + 1], [31, 3, 100]);
    const waiting = await queue();
    assert.deepEqual(await claim(OTHER_NODE + 1, [1, 5]), [], "a node that has been replaced gets nothing");
    assert.deepEqual(await queue(), waiting);
    const claimed = (await claim(NODE, [1, 2], [2, 5])).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    assert.deepEqual(plain(claimed.map(({ id }) => id)), [11, 12, 21, 22]);
    assert.deepEqual(await queue(), [
      [11, 4_000, NODE],
      [12, 3_000, NODE],
      [13, NOW, null],
      [14, NOW + 1, null],
      [21, 1_000, NODE],
      [22, NOW, NODE],
      [23, 500, OTHER_NODE],
      [24, NOW + 1, null],
      [31, 100, null],
    ]);
    assert.deepEqual(plain(await deliveryListClaimed(rows.database, rows.cell, OTHER_NODE)), [
      { id: 23, endpointId: 2 },
    ]);
    const { body, ...held } = claimed[1]!;
    const sent = { type: "eta_changed", attemptCount: 2, node: NODE, queued: true };
    assert.deepEqual(plain(held), { id: 12, endpointId: 1, ...sent });
    const { id, data, occurred_at: occurredAt } = JSON.parse(body);
    assert.deepEqual([id, data, Date.parse(occurredAt)], [idOf(12), { n: 12 }, timeOf(12)]);
  });

  test("a claim gives no delivery that has ended", async () => {
    await rows.delivery(11, { status: "dead" });
    await rows.queued(11);
    assert.deepEqual(await claim(NODE, [1, 5]), []);
  });

  test("a release gives back what the node holds, once, and nothing of others", async () => {
    await rows.delivery(1, { node: NODE });
    await wait([2, 1, 100, NODE], [4, 1, 100, OTHER_NODE], [6, 1, 100, NODE], [9, 1, 100]);
    await rows.delivery(3, { node: OTHER_NODE });
    await rows.delivery(5, { node: NODE });
    await rows.delivery(7, { status: "dead" });
    await rows.delivery(8);
    // In two places, which must not be: it keeps nothing else back.
    await rows.run(`update cell.deliveries set node = ${NODE} where id = '${idOf(9)}'`);
    const release = () =>
      releaseDeliveries(rows.database, rows.cell, NODE, [1, 2, 3, 4, 7, 8, 9].map(idOf), timeOf(NOW));
    assert.deepEqual(plain(await release()), [1, 9]);
    const held = "select id, node from cell.deliveries where node is not null order by 1";
    assert.deepEqual(await rows.read(held), [
      [3, OTHER_NODE],
      [5, NODE],
    ]);
    const released = [
      [1, NOW, null],
      [2, 100, null],
      [4, 100, OTHER_NODE],
      [6, 100, NODE],
      [9, 100, null],
    ];
    assert.deepEqual(await queue(), released);
    assert.deepEqual(await release(), [], "they are not the node's any more");
    assert.deepEqual(await queue(), released);
  });

  test("the next due time of an endpoint is that of the earliest delivery that nobody has claimed", async () => {
    await wait([11, 1, 900], [12, 1, 800], [13, 1, 700, NODE], [21, 2, 600, NODE], [31, 3, 500]);
    assert.deepEqual(dueOf(await queueNextDue(rows.database, rows.cell, [idOf(1), idOf(2)])), [
      [1, 800],
      [2, null],
    ]);
  });

  test("a sweep finds each active endpoint with something due, and the earliest of it", async () => {
    await rows.endpoint(5, INACTIVE);
    await rows.endpoint(6);
    await wait([11, 1, 900], [12, 1, 800], [13, 1, 700, NODE], [21, 2, NOW], [22, 2, NOW + 9]);
    await wait([31, 3, NOW + 1], [41, 4, 100, NODE], [51, 5, 100], [61, 6, 200], [91, 9, 200]);
    assert.deepEqual(dueOf(await queueSweep(rows.database, rows.cell, timeOf(NOW))), [
      [1, 800],
      [2, NOW],
      [6, 200],
    ]);
  });

  test("the newest deliveries of an endpoint are listed, newest first, with its health", async () => {
    await wait([1, 1, 800], [2, 2, 900]);
    await rows.delivery(3, { status: "dead" });
    await rows.delivery(4);
    await rows.delivery(5, { endpoint_id: idOf(3) });
    const { recent, health } = await listRecentDeliveries(rows.database, rows.cell, idOf(1), 2);
    assert.deepEqual(plain(recent.map(({ id }) => id)), [4, 3]);
    assert.deepEqual([health?.active, health?.failureCount, health?.missedEvents], [true, 0, 0]);
    assert.equal((await listRecentDeliveries(rows.database, rows.cell, idOf(9), 2)).health, null);
  });

  test("is counted by product and by what each delivery waits for, so many rows at most", async () => {
    await rows.endpoint(5, { product: "air" });
    await rows.endpoint(6, INACTIVE);
    await rows.endpoint(7, { product: "rates", ...INACTIVE });
    await wait([11, 1, NOW], [12, 1, NOW - 1], [13, 1, NOW + 1], [14, 1, NOW + 2], [15, 1, NOW + 3]);
    await wait([16, 1, 0, NODE], [51, 5, 0, OTHER_NODE], [71, 7, 0]);
    await wait([61, 6, 0], [62, 6, NOW + 1], [63, 6, NOW + 1, NODE]);
    const count = (rowsMax: number) => queueCount(rows.database, rows.cell, { at: timeOf(NOW), rowsMax });
    assert.deepEqual(
      (await count(100)).toSorted((a, b) => (a.product < b.product ? -1 : 1)),
      [
        { product: "air", claimed: 1, due: 0, waiting: 0, parked: 0, oldestDue: null },
        { product: "rates", claimed: 0, due: 0, waiting: 0, parked: 1, oldestDue: null },
        { product: "tracking", claimed: 2, due: 2, waiting: 3, parked: 2, oldestDue: dateOf(NOW - 1) },
      ],
    );
    const counted = (await count(4)).map(
      ({ claimed, due, waiting, parked }) => claimed + due + waiting + parked,
    );
    assert.equal(
      counted.reduce((sum, one) => sum + one, 0),
      4,
    );
  });

  test("nothing waits for longer than its own wait allows, and what a clock may differ by is left", async () => {
    const [skewMs, waitsMs] = [100, [0, 1_000, 5_000]];
    const cases: readonly (readonly [attempts: number, dueMs: number, becomesMs: number, node?: number])[] = [
      [0, 101, 0],
      [0, 100, 100],
      [1, 1_101, 1_000],
      [1, 1_100, 1_100],
      [2, 5_101, 5_000],
      [5, 5_101, 5_000],
      [5, 5_100, 5_100],
      [1, 99_000, 99_000, NODE],
      [1, -50, -50],
    ];
    for (const [index, [attempts, dueMs, , node = null]] of cases.entries()) {
      await rows.delivery(index + 1, { attempt_count: attempts });
      await rows.queued(index + 1, { due_at: dateOf(NOW + dueMs), node });
    }
    await queueClamp(rows.database, rows.cell, { now: timeOf(NOW), waitsMs, skewMs });
    assert.deepEqual(
      await queue(),
      cases.map(([, , becomesMs, node = null], index) => [index + 1, NOW + becomesMs, node]),
    );
  });
});
