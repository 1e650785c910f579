/** Who takes the next turn, and how many requests each ring may have open. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { push, shift } from "../../src/engine/dispatch/fifo.ts";
import { createInvariants } from "../../src/engine/invariants.ts";
import type { EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import { createHealthPools } from "../../src/engine/dispatch/health-pools.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { deliveryOf, laneOf } from "./endpoint.ts";

function start(openMax = 10, suspectOpenMax = 10) {
  const log = recordingLog();
  const invariants = createInvariants(manualClock(), log);
  const rings = createHealthPools({ openMax, degradedOpenMax: suspectOpenMax }, invariants);
  /** The lanes that a turn starts requests of, in order; each request takes one delivery. */
  const turn = (): string => {
    const started: string[] = [];
    rings.startNext((lane) => {
      shift(lane.ready);
      rings.opened(lane);
      started.push(lane.target.id);
    });
    return started.join("");
  };
  return { rings, turn, invariants, log };
}

describe("lanes take turns", () => {
  test("one request each, until each has none left to start", () => {
    const { rings, turn } = start();
    for (const [id, ready] of [
      ["a", 3],
      ["b", 1],
      ["c", 2],
    ] as const)
      rings.enlist(laneOf({ id, ready }));
    assert.equal(turn(), "abcaca");
    assert.equal(rings.openCount(), 6);
  });

  test("up to the bound of their ring, and go on where they stopped", () => {
    const { rings, turn } = start(3);
    const [a, b] = [laneOf({ id: "a", ready: 4 }), laneOf({ id: "b", ready: 4 })];
    rings.enlist(a);
    rings.enlist(b);
    assert.equal(turn(), "aba");
    assert.deepEqual([rings.hasCapacityFor(a), rings.openCount()], [false, 3]);
    rings.closed(a);
    assert.deepEqual([rings.hasCapacityFor(a), rings.openCount(), a.open], [true, 2, 1]);
    assert.equal(turn(), "b");
  });

  test("the well first, and each ring by its own bound", () => {
    const { rings, turn } = start(1, 2);
    rings.enlist(laneOf({ id: "s", failureCount: 1, ready: 2 }));
    rings.enlist(laneOf({ id: "t", failureCount: 1, ready: 2 }));
    rings.enlist(laneOf({ id: "u", failureCount: 1, ready: 2 }));
    rings.enlist(laneOf({ id: "w", ready: 3 }));
    assert.equal(turn(), "wst");
    assert.equal(rings.openCount(), 3);
  });

  test("once each, however often they are listed, and not with nothing to start", () => {
    const { rings, turn } = start(1);
    const [a, b, empty] = [laneOf({ id: "a", ready: 2 }), laneOf({ id: "b", ready: 1 }), laneOf({ id: "c" })];
    for (const lane of [a, a, empty, b]) rings.enlist(lane);
    assert.equal(turn(), "a");
    rings.closed(a);
    assert.equal(turn(), "b");
    assert.deepEqual(empty.inPool, { healthy: false, degraded: false });
    push(empty.ready, deliveryOf("late"));
    rings.enlist(empty);
    assert.deepEqual(empty.inPool, { healthy: true, degraded: false });
  });

  test("and one that may not send keeps its place, and is passed over once a turn", () => {
    let may = false;
    const { rings, turn } = start();
    rings.enlist(laneOf({ id: "a", ready: 1, maySend: () => may }));
    rings.enlist(laneOf({ id: "b", ready: 1 }));
    assert.equal(turn(), "b");
    may = true;
    assert.equal(turn(), "a");
  });

  test("and one that was paused meanwhile takes none", () => {
    const { rings, turn } = start();
    const lane = laneOf({ id: "a", ready: 1 });
    rings.enlist(lane);
    lane.coolingDown = true;
    assert.equal(turn(), "");
    assert.deepEqual(lane.inPool, { healthy: false, degraded: false });
    lane.coolingDown = false;
    rings.enlist(lane);
    assert.equal(turn(), "a");
  });
});

describe("a lane that is judged", () => {
  const changes: readonly [what: string, change: (lane: EndpointQueue) => void][] = [
    ["failed", (lane) => void (lane.failures = 1)],
    ["stalls", (lane) => void (lane.stalled = 1)],
  ];
  for (const [what, change] of changes) {
    test(`moves with its open requests when it ${what}, and back when it does not any more`, () => {
      const { rings, turn } = start(2, 1);
      const lane = laneOf({ id: "a", ready: 3 });
      rings.enlist(lane);
      rings.opened(lane);
      change(lane);
      rings.reassign(lane);
      assert.equal(lane.degraded, true);
      assert.equal(rings.hasCapacityFor(lane), false, "its request counts among the suspect");
      assert.equal(rings.hasCapacityFor(laneOf()), true);
      assert.equal(turn(), "", "its place among the well is void");
      lane.failures = 0;
      lane.stalled = 0;
      rings.reassign(lane);
      assert.equal(lane.degraded, false);
      assert.equal(rings.hasCapacityFor(laneOf({ failureCount: 1 })), true);
      rings.enlist(lane);
      assert.equal(turn(), "a");
      assert.equal(rings.openCount(), 2);
    });
  }

  test("stays where it is when nothing has changed", () => {
    const { rings } = start();
    const lane = laneOf();
    rings.opened(lane);
    rings.reassign(lane);
    assert.deepEqual([lane.degraded, rings.openCount()], [false, 1]);
  });
});

test("lanes that have lost their places are given them anew, each once", () => {
  const { rings, turn } = start();
  const [a, s] = [laneOf({ id: "a", ready: 1 }), laneOf({ id: "s", ready: 1, failureCount: 1 })];
  rings.enlist(a);
  a.inPool.degraded = true;
  s.inPool.degraded = true;
  s.inPool.healthy = true;
  rings.rebuild([s, a]);
  assert.deepEqual(
    [a.inPool, s.inPool],
    [
      { healthy: true, degraded: false },
      { healthy: false, degraded: true },
    ],
  );
  assert.equal(turn(), "as");
});

test("a lane that is not among those given has no place any more", () => {
  const { rings, turn } = start();
  const [a, b] = [laneOf({ id: "a", ready: 1 }), laneOf({ id: "b", ready: 1 })];
  rings.enlist(a);
  rings.enlist(b);
  rings.rebuild([b]);
  assert.equal(turn(), "b");
});

test("a request that ends twice is counted as a bug, and opens no room", () => {
  const { rings, invariants, log } = start();
  const [a, b] = [laneOf({ id: "a" }), laneOf({ id: "b" })];
  rings.opened(b);
  rings.closed(a);
  assert.deepEqual([a.open, rings.openCount()], [0, 1]);
  assert.equal(invariants.broken.get("open_count_not_negative"), 1);
  assert.deepEqual(log.lines[0]?.fields, { endpoint: "a", invariant: "open_count_not_negative", times: 1 });
  rings.closed(b);
  b.open = 1;
  rings.closed(b);
  assert.deepEqual([b.open, rings.openCount()], [1, 0]);
  assert.equal(invariants.broken.get("open_count_not_negative"), 2);
});
