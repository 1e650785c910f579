/** Requests that are open for long, and what endpoint queues keep. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startDispatch } from "./dispatching.ts";
import { TARGET } from "./endpoint.ts";

describe("a request that has been open for long", () => {
  test("makes its endpoint queue degraded until it ends, and counts once", async () => {
    const { clock, dispatch, queue, hold, end, seen } = startDispatch();
    hold(queue(), "a");
    await clock.advance(999);
    dispatch.watch();
    assert.equal(queue().stalled, 0);
    hold(queue(), "young");
    await clock.advance(1);
    dispatch.watch();
    dispatch.watch();
    assert.deepEqual([queue().stalled, queue().degraded], [1, true]);
    hold(queue(), "b");
    assert.equal(seen.sent.length, 2, "a degraded endpoint queue has two open at most");
    end("a");
    assert.deepEqual([queue().stalled, queue().degraded], [0, false]);
    end("young");
    assert.equal(queue().stalled, 0);
  });

  test("lets its endpoint queue go on among the degraded", async () => {
    const { clock, dispatch, queue, hold, seen } = startDispatch({ settings: { openMax: 1 } });
    hold(queue(), "a", "b");
    assert.deepEqual(seen.sent, ["a"]);
    await clock.advance(1_000);
    dispatch.watch();
    assert.deepEqual(seen.sent, ["a", "b"]);
  });

  test("is an illness once it has outlived its time-out and ten seconds more", async () => {
    const { clock, dispatch, queue, hold, end } = startDispatch({ settings: { attemptTimeoutMs: 5_000 } });
    await clock.advance(60_000);
    assert.equal(dispatch.unhealthyReason(), null);
    hold(queue(), "a", "b");
    await clock.advance(15_000);
    assert.equal(dispatch.unhealthyReason(), null);
    await clock.advance(1);
    assert.equal(dispatch.unhealthyReason(), "an attempt has outlived its time-out");
    end("a");
    end("b");
    assert.equal(dispatch.unhealthyReason(), null);
  });
});

describe("endpoint queues", () => {
  test("that should shed release their excess while memory is short", () => {
    const state = { isCrowded: false };
    const { dispatch, queue, hold, seen } = startDispatch({
      ports: { isMemoryShort: () => state.isCrowded },
    });
    const ids = ["1", "2", "3", "4", "5", "6"];
    hold(queue({ id: "failing", failureCount: 3 }), "s", ...ids);
    hold(queue({ id: "empty", failureCount: 3 }), "e");
    hold(queue({ id: "healthy" }), "w", "x", "y", "z", ...ids);
    dispatch.watch();
    assert.deepEqual(seen.paused, []);
    state.isCrowded = true;
    dispatch.watch();
    assert.deepEqual(seen.paused, ["failing 5,6"]);
  });

  test("are the same for the same endpoint, and forgotten when they are idle and too many", () => {
    const { dispatch, queue, hold } = startDispatch({ settings: { endpointQueuesMax: 2 } });
    const busy = queue({ id: "busy" });
    hold(busy, "a");
    assert.equal(queue({ id: "busy" }), busy);
    queue({ id: "idle" });
    dispatch.evict();
    assert.deepEqual([...dispatch.queues()].length, 2, "as many as may be");
    queue({ id: "third" });
    dispatch.evict();
    assert.deepEqual([...dispatch.queues()], [busy]);
    assert.deepEqual([dispatch.queueOf("busy"), dispatch.queueOf("idle")], [busy, undefined]);
  });

  test("are opened again where their account has moved to, once nothing of them is left in the old cell", () => {
    const { dispatch, queue, hold, end } = startDispatch();
    hold(queue(), "a");
    assert.throws(() => queue({}, 1), /busy in another cell/);
    end("a");
    const moved = queue({}, 1);
    assert.equal(moved.member.cell.number, 1);
    assert.deepEqual([...dispatch.queues()], [moved]);
  });

  test("release what they have not started", () => {
    const { dispatch, queue, hold } = startDispatch();
    hold(queue(), "a", "b", "c", "d", "e", "f");
    assert.deepEqual(
      dispatch.takeWaiting(queue()).map(({ id }) => id),
      ["e", "f"],
    );
    assert.deepEqual(dispatch.takeWaiting(queue()), []);
  });

  test("go on when they are woken", () => {
    const { dispatch, queue, hold, seen } = startDispatch();
    queue().target = { ...TARGET, active: false };
    hold(queue(), "a");
    assert.deepEqual(seen.sent, []);
    queue().target = TARGET;
    dispatch.wake(queue());
    dispatch.pump();
    assert.deepEqual(seen.sent, ["a"]);
  });

  test("are counted once, however many healthy and degraded ones have requests open", () => {
    const { dispatch, queue, hold } = startDispatch({ settings: { openMax: 2, degradedOpenMax: 1 } });
    hold(queue({ id: "w" }), "a", "b", "c");
    hold(queue({ id: "s", failureCount: 1 }), "d", "e");
    assert.equal(dispatch.openCount(), 3);
  });
});
