/** Who takes the next turn, and how many requests each pool may have open. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { push, shift } from "../../src/engine/dispatch/fifo.ts";
import { createInvariants } from "../../src/engine/invariants.ts";
import type { EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import { createHealthPools } from "../../src/engine/dispatch/health-pools.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { deliveryOf, queueOf } from "./endpoint.ts";

function start(openMax = 10, degradedOpenMax = 10) {
  const log = recordingLog();
  const invariants = createInvariants(manualClock(), log);
  const pools = createHealthPools({ openMax, degradedOpenMax: degradedOpenMax }, invariants);
  /** The endpoint queues that a turn starts requests of, in order; each request takes one delivery. */
  const turn = (): string => {
    const started: string[] = [];
    pools.startNext((queue) => {
      shift(queue.ready);
      pools.opened(queue);
      started.push(queue.target.id);
    });
    return started.join("");
  };
  return { pools, turn, invariants, log };
}

describe("endpoint queues take turns", () => {
  test("one request each, until each has none left to start", () => {
    const { pools, turn } = start();
    for (const [id, ready] of [
      ["a", 3],
      ["b", 1],
      ["c", 2],
    ] as const)
      pools.enlist(queueOf({ id, ready }));
    assert.equal(turn(), "abcaca");
    assert.equal(pools.openCount(), 6);
  });

  test("up to the bound of their pool, and go on where they stopped", () => {
    const { pools, turn } = start(3);
    const [a, b] = [queueOf({ id: "a", ready: 4 }), queueOf({ id: "b", ready: 4 })];
    pools.enlist(a);
    pools.enlist(b);
    assert.equal(turn(), "aba");
    assert.deepEqual([pools.hasCapacityFor(a), pools.openCount()], [false, 3]);
    pools.closed(a);
    assert.deepEqual([pools.hasCapacityFor(a), pools.openCount(), a.open], [true, 2, 1]);
    assert.equal(turn(), "b");
  });

  test("the healthy first, and each pool by its own bound", () => {
    const { pools, turn } = start(1, 2);
    pools.enlist(queueOf({ id: "s", failureCount: 1, ready: 2 }));
    pools.enlist(queueOf({ id: "t", failureCount: 1, ready: 2 }));
    pools.enlist(queueOf({ id: "u", failureCount: 1, ready: 2 }));
    pools.enlist(queueOf({ id: "w", ready: 3 }));
    assert.equal(turn(), "wst");
    assert.equal(pools.openCount(), 3);
  });

  test("once each, however often they are listed, and not with nothing to start", () => {
    const { pools, turn } = start(1);
    const [a, b, empty] = [
      queueOf({ id: "a", ready: 2 }),
      queueOf({ id: "b", ready: 1 }),
      queueOf({ id: "c" }),
    ];
    for (const queue of [a, a, empty, b]) pools.enlist(queue);
    assert.equal(turn(), "a");
    pools.closed(a);
    assert.equal(turn(), "b");
    assert.deepEqual(empty.inPool, { healthy: false, degraded: false });
    push(empty.ready, deliveryOf("late"));
    pools.enlist(empty);
    assert.deepEqual(empty.inPool, { healthy: true, degraded: false });
  });

  test("and one that may not send keeps its place, and is passed over once a turn", () => {
    let may = false;
    const { pools, turn } = start();
    pools.enlist(queueOf({ id: "a", ready: 1, maySend: () => may }));
    pools.enlist(queueOf({ id: "b", ready: 1 }));
    assert.equal(turn(), "b");
    may = true;
    assert.equal(turn(), "a");
  });

  test("and one that was paused since takes none", () => {
    const { pools, turn } = start();
    const queue = queueOf({ id: "a", ready: 1 });
    pools.enlist(queue);
    queue.coolingDown = true;
    assert.equal(turn(), "");
    assert.deepEqual(queue.inPool, { healthy: false, degraded: false });
    queue.coolingDown = false;
    pools.enlist(queue);
    assert.equal(turn(), "a");
  });
});

describe("an endpoint queue that is judged", () => {
  const changes: readonly [what: string, change: (queue: EndpointQueue) => void][] = [
    ["failed", (queue) => void (queue.failures = 1)],
    ["stalls", (queue) => void (queue.stalled = 1)],
  ];
  for (const [what, change] of changes) {
    test(`moves with its open requests when it ${what}, and back when it does not any more`, () => {
      const { pools, turn } = start(2, 1);
      const queue = queueOf({ id: "a", ready: 3 });
      pools.enlist(queue);
      pools.opened(queue);
      change(queue);
      pools.reassign(queue);
      assert.equal(queue.degraded, true);
      assert.equal(pools.hasCapacityFor(queue), false, "its request counts among the degraded");
      assert.equal(pools.hasCapacityFor(queueOf()), true);
      assert.equal(turn(), "", "its place among the healthy is void");
      queue.failures = 0;
      queue.stalled = 0;
      pools.reassign(queue);
      assert.equal(queue.degraded, false);
      assert.equal(pools.hasCapacityFor(queueOf({ failureCount: 1 })), true);
      pools.enlist(queue);
      assert.equal(turn(), "a");
      assert.equal(pools.openCount(), 2);
    });
  }

  test("stays where it is when nothing has changed", () => {
    const { pools } = start();
    const queue = queueOf();
    pools.opened(queue);
    pools.reassign(queue);
    assert.deepEqual([queue.degraded, pools.openCount()], [false, 1]);
  });
});

test("endpoint queues that have lost their places are given them again, each once", () => {
  const { pools, turn } = start();
  const [a, s] = [queueOf({ id: "a", ready: 1 }), queueOf({ id: "s", ready: 1, failureCount: 1 })];
  pools.enlist(a);
  a.inPool.degraded = true;
  s.inPool.degraded = true;
  s.inPool.healthy = true;
  pools.rebuild([s, a]);
  assert.deepEqual(
    [a.inPool, s.inPool],
    [
      { healthy: true, degraded: false },
      { healthy: false, degraded: true },
    ],
  );
  assert.equal(turn(), "as");
});

test("an endpoint queue that is not among those given has no place any more", () => {
  const { pools, turn } = start();
  const [a, b] = [queueOf({ id: "a", ready: 1 }), queueOf({ id: "b", ready: 1 })];
  pools.enlist(a);
  pools.enlist(b);
  pools.rebuild([b]);
  assert.equal(turn(), "b");
});

test("a request that ends twice is counted as a bug, and opens no capacity", () => {
  const { pools, invariants, log } = start();
  const [a, b] = [queueOf({ id: "a" }), queueOf({ id: "b" })];
  pools.opened(b);
  pools.closed(a);
  assert.deepEqual([a.open, pools.openCount()], [0, 1]);
  assert.equal(invariants.broken.get("open_count_not_negative"), 1);
  assert.deepEqual(log.lines[0]?.fields, { endpoint: "a", invariant: "open_count_not_negative", times: 1 });
  pools.closed(b);
  b.open = 1;
  pools.closed(b);
  assert.deepEqual([b.open, pools.openCount()], [1, 0]);
  assert.equal(invariants.broken.get("open_count_not_negative"), 2);
});
