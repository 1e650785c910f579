/** The queue: what a node may claim, what is due when, and what goes back. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { clampQueue } from "../../src/store/deliveries/pruning.ts";
import {
  claimDue,
  listClaims,
  countQueue,
  readNextDue,
  releaseDeliveries,
  sweepQueue,
} from "../../src/store/deliveries/queue.ts";
import { dateOf, type StoreRows, idOf, openStoreRows, plain, timeOf } from "./store-rows.ts";

const NODE = 7;
const OTHER_NODE = 8;
const NOW = 5_000;

describe("the queue", () => {
  let rows: StoreRows;
  before(async () => {
    rows = await openStoreRows();
  });
  after(() => rows.drop());
  beforeEach(async () => {
    await rows.clear();
    await rows.account(1);
    await rows.node(NODE);
    await rows.node(OTHER_NODE);
    for (const id of [1, 2, 3, 4]) await rows.endpoint(id);
  });

  const waits = async (id: number, endpoint: number, dueMs: number, node: number | null = null) => {
    await rows.delivery(id, { endpoint_id: idOf(endpoint), attempt_count: id % 5 });
    await rows.queued(id, { endpoint_id: idOf(endpoint), due_at: dateOf(dueMs), node });
  };
  const queue = () => rows.read("select delivery_id, due_at, node from cell.queue order by 1");
  const claim = async (node: number, ...wanted: readonly (readonly [endpoint: number, limit: number])[]) => {
    const asked = wanted.map(([endpoint, limit]) => ({ endpointId: idOf(endpoint), limit }));
    return claimDue(rows.database, rows.cell, node, asked, timeOf(NOW));
  };

  describe("a claim", () => {
    test("takes of each endpoint what has been due longest, as much as there is room for", async () => {
      await waits(11, 1, 4_000);
      await waits(12, 1, 3_000);
      await waits(13, 1, NOW);
      await waits(14, 1, NOW + 1);
      await waits(21, 2, 1_000);
      await waits(22, 2, NOW);
      await waits(23, 2, 500, OTHER_NODE);
      await waits(24, 2, NOW + 1);
      await waits(31, 3, 100);
      const claimed = await claim(NODE, [1, 2], [2, 5]);
      assert.deepEqual(plain(claimed.map(({ id }) => id).toSorted()), [11, 12, 21, 22]);
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
    });

    test("gives all that sending takes", async () => {
      await waits(12, 1, NOW);
      const [held] = await claim(NODE, [1, 1]);
      assert.deepEqual(plain(held), {
        id: 12,
        endpointId: 1,
        type: "eta_changed",
        body: held!.body,
        attemptCount: 2,
        node: NODE,
        queued: true,
      });
      const body = JSON.parse(held!.body);
      assert.deepEqual([body.id, body.data], [idOf(12), { n: 12 }]);
      assert.equal(Date.parse(body.occurred_at), timeOf(12));
    });

    test("gives nothing to a node that has been replaced", async () => {
      await waits(11, 1, 0);
      assert.deepEqual(await claim(OTHER_NODE + 1, [1, 5]), []);
      assert.deepEqual(await queue(), [[11, 0, null]]);
    });

    test("gives no delivery that has ended", async () => {
      await rows.delivery(11, { status: "dead" });
      await rows.queued(11);
      assert.deepEqual(await claim(NODE, [1, 5]), []);
    });
  });

  test("a node's claims are its own", async () => {
    await waits(11, 1, 0, NODE);
    await waits(12, 2, 0, OTHER_NODE);
    await waits(13, 3, 0);
    assert.deepEqual(plain(await listClaims(rows.database, rows.cell, NODE)), [{ id: 11, endpointId: 1 }]);
  });

  test("a release gives back what the node holds, once, and nothing of others", async () => {
    await rows.delivery(1, { node: NODE });
    await waits(2, 1, 100, NODE);
    await rows.delivery(3, { node: OTHER_NODE });
    await waits(4, 1, 100, OTHER_NODE);
    await rows.delivery(5, { node: NODE });
    await waits(6, 1, 100, NODE);
    await rows.delivery(7, { status: "dead" });
    await rows.delivery(8);
    const release = () =>
      releaseDeliveries(rows.database, rows.cell, NODE, [1, 2, 3, 4, 7, 8].map(idOf), timeOf(NOW));
    assert.deepEqual(plain(await release()), [1]);
    assert.deepEqual(await rows.read("select id, node from cell.deliveries order by 1"), [
      [1, null],
      [2, null],
      [3, OTHER_NODE],
      [4, null],
      [5, NODE],
      [6, null],
      [7, null],
      [8, null],
    ]);
    const released = [
      [1, NOW, null],
      [2, 100, null],
      [4, 100, OTHER_NODE],
      [6, 100, NODE],
    ];
    assert.deepEqual(await queue(), released);
    assert.deepEqual(await release(), [], "they are not the node's any more");
    assert.deepEqual(await queue(), released);
  });

  test("a release gives back the others when one of them is in the queue as well", async () => {
    await waits(1, 1, 100);
    await rows.run(`update cell.deliveries set node = ${NODE}`);
    await rows.delivery(2, { node: NODE });
    await releaseDeliveries(rows.database, rows.cell, NODE, [idOf(1), idOf(2)], timeOf(NOW));
    assert.deepEqual(await queue(), [
      [1, 100, null],
      [2, NOW, null],
    ]);
  });

  test("the next due time of an endpoint is that of the earliest delivery that nobody has claimed", async () => {
    await waits(11, 1, 900);
    await waits(12, 1, 800);
    await waits(13, 1, 700, NODE);
    await waits(21, 2, 600, NODE);
    await waits(31, 3, 500);
    const due = plain(await readNextDue(rows.database, rows.cell, [idOf(1), idOf(2)])) as {
      endpointId: number;
    }[];
    assert.deepEqual(
      due.toSorted((a, b) => a.endpointId - b.endpointId),
      [
        { endpointId: 1, dueAt: 800 },
        { endpointId: 2, dueAt: null },
      ],
    );
  });

  test("a sweep finds each active endpoint with something due, and the earliest of it", async () => {
    await waits(11, 1, 900);
    await waits(12, 1, 800);
    await waits(13, 1, 700, NODE);
    await waits(21, 2, NOW);
    await waits(22, 2, NOW + 9);
    await waits(31, 3, NOW + 1);
    await waits(41, 4, 100, NODE);
    await rows.endpoint(5, { active: false, inactive_since: dateOf(0) });
    await waits(51, 5, 100);
    await rows.endpoint(6);
    await waits(61, 6, 200);
    await waits(91, 9, 200);
    const swept = plain(await sweepQueue(rows.database, rows.cell, timeOf(NOW))) as { endpointId: number }[];
    assert.deepEqual(
      swept.toSorted((a, b) => a.endpointId - b.endpointId),
      [
        { endpointId: 1, dueAt: 800 },
        { endpointId: 2, dueAt: NOW },
        { endpointId: 6, dueAt: 200 },
      ],
    );
  });

  test("is counted by product and by what each delivery waits for, so many rows at most", async () => {
    await rows.endpoint(5, { product: "air" });
    await rows.endpoint(6, { active: false, inactive_since: dateOf(0) });
    await waits(11, 1, NOW);
    await waits(12, 1, NOW - 1);
    await waits(13, 1, NOW + 1);
    await waits(14, 1, NOW + 2);
    await waits(15, 1, NOW + 3);
    await waits(16, 1, 0, NODE);
    await waits(51, 5, 0, OTHER_NODE);
    await waits(61, 6, 0);
    await waits(62, 6, NOW + 1);
    await waits(63, 6, NOW + 1, NODE);
    await rows.endpoint(7, { product: "rates", active: false, inactive_since: dateOf(0) });
    await waits(71, 7, 0);
    const count = async (rowsMax: number) => countQueue(rows.database, rows.cell, timeOf(NOW), rowsMax);
    const counted = (await count(100)).toSorted((a, b) => (a.product < b.product ? -1 : 1));
    assert.deepEqual(counted, [
      { product: "air", claimed: 1, due: 0, waiting: 0, parked: 0, oldestDue: null },
      { product: "rates", claimed: 0, due: 0, waiting: 0, parked: 1, oldestDue: null },
      { product: "tracking", claimed: 2, due: 2, waiting: 3, parked: 2, oldestDue: dateOf(NOW - 1) },
    ]);
    const total = (await count(4)).reduce(
      (sum, { claimed, due, waiting, parked }) => sum + claimed + due + waiting + parked,
      0,
    );
    assert.equal(total, 4);
  });

  test("nothing waits for longer than its own wait allows, and what a clock may differ by is left", async () => {
    const [skewMs, waitsMs] = [100, [0, 1_000, 5_000]];
    const late = async (id: number, attempts: number, dueMs: number, node: number | null = null) => {
      await rows.delivery(id, { attempt_count: attempts });
      await rows.queued(id, { due_at: dateOf(NOW + dueMs), node });
    };
    await late(1, 0, 101);
    await late(2, 0, 100);
    await late(3, 1, 1_101);
    await late(4, 1, 1_100);
    await late(5, 2, 5_101);
    await late(6, 5, 5_101);
    await late(7, 5, 5_100);
    await late(8, 1, 99_000, NODE);
    await late(9, 1, -50);
    await clampQueue(rows.database, rows.cell, timeOf(NOW), waitsMs, skewMs);
    assert.deepEqual(await queue(), [
      [1, NOW, null],
      [2, NOW + 100, null],
      [3, NOW + 1_000, null],
      [4, NOW + 1_100, null],
      [5, NOW + 5_000, null],
      [6, NOW + 5_000, null],
      [7, NOW + 5_100, null],
      [8, NOW + 99_000, NODE],
      [9, NOW - 50, null],
    ]);
  });
});
