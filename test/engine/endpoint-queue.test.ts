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
import { queueOf } from "./endpoint.ts";

/** The endpoint queue with these of its fields as they are given. */
const as = (queue: EndpointQueue, fields: Partial<EndpointQueue>): EndpointQueue =>
  Object.assign(queue, fields);

describe("an endpoint queue opens", () => {
  test("wide and healthy where nothing has failed", () => {
    const { concurrencyMax, failures, degraded, coolingDown, blocked, inPool, open, stalled, reserved } =
      queueOf();
    assert.deepEqual(
      {
        width: concurrencyMax,
        failures,
        degraded: degraded,
        resting: coolingDown,
        blocked,
        listed: inPool,
        open,
        stalled,
        reserved,
      },
      {
        width: 4,
        failures: 0,
        degraded: false,
        resting: false,
        blocked: false,
        listed: { healthy: false, degraded: false },
        open: 0,
        stalled: 0,
        reserved: 0,
      },
    );
  });

  test("narrow and degraded where something has", () => {
    const { concurrencyMax, failures, degraded } = queueOf({ failureCount: 3 });
    assert.deepEqual([concurrencyMax, failures, degraded], [1, 3, true]);
  });
});

describe("the capacity of an endpoint queue", () => {
  for (const [what, queue, free, capacity] of [
    ["is eight and a quarter of what is free", queueOf(), 100, 33],
    ["rounds that quarter down", queueOf(), 103, 33],
    ["is never more than what is free", queueOf(), 5, 5],
    ["is none where nothing is free", queueOf(), 0, 0],
    ["is less what is ready", queueOf({ ready: 3 }), 100, 30],
    ["is less what is reserved", as(queueOf(), { reserved: 3 }), 100, 30],
    ["is none where it is full", as(queueOf({ ready: 20 }), { reserved: 20 }), 100, 0],
    ["is four where it is degraded", queueOf({ failureCount: 1 }), 100, 4],
    ["is less what is ready where it is degraded", queueOf({ failureCount: 1, ready: 1 }), 100, 3],
    ["is none where its endpoint is inactive", queueOf({ active: false }), 100, 0],
  ] as const) {
    test(what, () => assert.equal(capacityOf(queue, free), capacity));
  }
});

describe("an endpoint queue may open a request", () => {
  for (const [what, queue, may] of [
    ["where something is ready", queueOf({ ready: 1 }), true],
    ["up to its width", as(queueOf({ ready: 1 }), { open: 3 }), true],
    ["but not beyond its width", as(queueOf({ ready: 1 }), { open: 4 }), false],
    ["but not where nothing is ready", queueOf(), false],
    ["but not while it rests", as(queueOf({ ready: 1 }), { coolingDown: true }), false],
    ["but not where its endpoint is inactive", queueOf({ ready: 1, active: false }), false],
    ["up to two where it is degraded", as(queueOf({ ready: 1 }), { degraded: true, open: 1 }), true],
    ["but not a third where it is degraded", as(queueOf({ ready: 1 }), { degraded: true, open: 2 }), false],
    [
      "but not a second where it is degraded and narrow",
      as(queueOf({ ready: 1, failureCount: 1 }), { open: 1 }),
      false,
    ],
  ] as const) {
    test(what, () => assert.equal(mayStart(queue), may));
  }
});

describe("an endpoint queue", () => {
  test("widens by one with a success while more waits, up to its bound, and forgets its failures", () => {
    const waiting = as(queueOf({ ready: 1 }), { failures: 2 });
    recordSuccess(waiting, 5);
    assert.deepEqual([waiting.concurrencyMax, waiting.failures], [5, 0]);
    recordSuccess(waiting, 5);
    assert.equal(waiting.concurrencyMax, 5);
    const done = as(queueOf(), { failures: 2 });
    recordSuccess(done, 5);
    assert.deepEqual([done.concurrencyMax, done.failures], [4, 0]);
  });

  test("halves with a failure, down to one", () => {
    const queue = as(queueOf(), { concurrencyMax: 9 });
    const widths = [1, 2, 3, 4].map((failures) => {
      recordFailure(queue);
      assert.equal(queue.failures, failures);
      return queue.concurrencyMax;
    });
    assert.deepEqual(widths, [4, 2, 1, 1]);
  });

  test("should shed with a stalled request, or at the third failure", () => {
    const stuck = [{}, { stalled: 1 }, { failures: 2 }, { failures: 3 }].map((fields) =>
      shouldShed(as(queueOf(), fields)),
    );
    assert.deepEqual(stuck, [false, true, false, true]);
  });

  test("releases what it has beyond four, the youngest", () => {
    const queue = queueOf({ ready: 8 });
    shift(queue.ready);
    const ids = takeExcess(queue).map(({ id }) => id);
    assert.deepEqual(ids, ["d5", "d6", "d7"]);
    assert.equal(lengthOf(queue.ready), 4);
    assert.deepEqual(takeExcess(queue), []);
  });

  test("is idle when nothing is ready, reserved, open or blocked", () => {
    assert.equal(isIdle(queueOf()), true);
    assert.equal(isIdle(queueOf({ ready: 1 })), false);
    for (const fields of [{ reserved: 1 }, { open: 1 }, { blocked: true }]) {
      assert.equal(isIdle(as(queueOf(), fields)), false);
    }
  });
});
