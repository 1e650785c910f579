import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { lengthOf, shift } from "../../src/engine/dispatch/fifo.ts";
import {
  isIdle,
  shouldShed,
  type EndpointQueue,
  mayStart,
  recordFailure,
  recordSuccess,
  capacityOf,
  takeExcess,
} from "../../src/engine/dispatch/endpoint-queue.ts";
import { laneOf } from "./endpoint.ts";

/** The lane with these of its fields as they are given. */
const as = (lane: EndpointQueue, fields: Partial<EndpointQueue>): EndpointQueue =>
  Object.assign(lane, fields);

describe("a lane opens", () => {
  test("wide and well where nothing has failed", () => {
    const { concurrencyMax, failures, degraded, coolingDown, blocked, inPool, open, stalled, reserved } =
      laneOf();
    assert.deepEqual(
      {
        concurrencyMax: concurrencyMax,
        failures,
        degraded: degraded,
        coolingDown: coolingDown,
        blocked,
        inPool: inPool,
        open,
        stalled,
        reserved,
      },
      {
        concurrencyMax: 4,
        failures: 0,
        degraded: false,
        coolingDown: false,
        blocked: false,
        inPool: { healthy: false, degraded: false },
        open: 0,
        stalled: 0,
        reserved: 0,
      },
    );
  });

  test("narrow and suspect where something has", () => {
    const { concurrencyMax, failures, degraded } = laneOf({ failureCount: 3 });
    assert.deepEqual([concurrencyMax, failures, degraded], [1, 3, true]);
  });
});

describe("the room of a lane", () => {
  for (const [what, lane, free, room] of [
    ["is eight and a quarter of what is free", laneOf(), 100, 33],
    ["rounds that quarter down", laneOf(), 103, 33],
    ["is never more than what is free", laneOf(), 5, 5],
    ["is none where nothing is free", laneOf(), 0, 0],
    ["is less what is ready", laneOf({ ready: 3 }), 100, 30],
    ["is less what is reserved", as(laneOf(), { reserved: 3 }), 100, 30],
    ["is none where it is full", as(laneOf({ ready: 20 }), { reserved: 20 }), 100, 0],
    ["is four where it is suspect", laneOf({ failureCount: 1 }), 100, 4],
    ["is less what is ready where it is suspect", laneOf({ failureCount: 1, ready: 1 }), 100, 3],
    ["is none where its endpoint is inactive", laneOf({ active: false }), 100, 0],
  ] as const) {
    test(what, () => assert.equal(capacityOf(lane, free), room));
  }
});

describe("a lane may open a request", () => {
  for (const [what, lane, may] of [
    ["where something is ready", laneOf({ ready: 1 }), true],
    ["up to its width", as(laneOf({ ready: 1 }), { open: 3 }), true],
    ["but not beyond its width", as(laneOf({ ready: 1 }), { open: 4 }), false],
    ["but not where nothing is ready", laneOf(), false],
    ["but not while it rests", as(laneOf({ ready: 1 }), { coolingDown: true }), false],
    ["but not where its endpoint is inactive", laneOf({ ready: 1, active: false }), false],
    ["up to two where it is suspect", as(laneOf({ ready: 1 }), { degraded: true, open: 1 }), true],
    ["but not a third where it is suspect", as(laneOf({ ready: 1 }), { degraded: true, open: 2 }), false],
    [
      "but not a second where it is suspect and narrow",
      as(laneOf({ ready: 1, failureCount: 1 }), { open: 1 }),
      false,
    ],
  ] as const) {
    test(what, () => assert.equal(mayStart(lane), may));
  }
});

describe("a lane", () => {
  test("widens by one with a success while more waits, up to its bound, and forgets its failures", () => {
    const waiting = as(laneOf({ ready: 1 }), { failures: 2 });
    recordSuccess(waiting, 5);
    assert.deepEqual([waiting.concurrencyMax, waiting.failures], [5, 0]);
    recordSuccess(waiting, 5);
    assert.equal(waiting.concurrencyMax, 5);
    const done = as(laneOf(), { failures: 2 });
    recordSuccess(done, 5);
    assert.deepEqual([done.concurrencyMax, done.failures], [4, 0]);
  });

  test("halves with a failure, down to one", () => {
    const lane = as(laneOf(), { concurrencyMax: 9 });
    const widths = [1, 2, 3, 4].map((failures) => {
      recordFailure(lane);
      assert.equal(lane.failures, failures);
      return lane.concurrencyMax;
    });
    assert.deepEqual(widths, [4, 2, 1, 1]);
  });

  test("is stuck with a request that stalls, or at the third failure", () => {
    const stuck = [{}, { stalled: 1 }, { failures: 2 }, { failures: 3 }].map((fields) =>
      shouldShed(as(laneOf(), fields)),
    );
    assert.deepEqual(stuck, [false, true, false, true]);
  });

  test("gives back what it has beyond four, the youngest", () => {
    const lane = laneOf({ ready: 8 });
    shift(lane.ready);
    const ids = takeExcess(lane).map(({ id }) => id);
    assert.deepEqual(ids, ["d5", "d6", "d7"]);
    assert.equal(lengthOf(lane.ready), 4);
    assert.deepEqual(takeExcess(lane), []);
  });

  test("is idle when nothing is ready, reserved, open or blocked", () => {
    assert.equal(isIdle(laneOf()), true);
    assert.equal(isIdle(laneOf({ ready: 1 })), false);
    for (const fields of [{ reserved: 1 }, { open: 1 }, { blocked: true }]) {
      assert.equal(isIdle(as(laneOf(), fields)), false);
    }
  });
});
