/** Requests that are open for long, and what lanes keep. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startDispatch } from "./dispatching.ts";
import { TARGET } from "./endpoint.ts";

describe("a request that has been open for long", () => {
  test("makes its lane suspect until it ends, and counts once", async () => {
    const { clock, dispatch, lane, hold, end, seen } = startDispatch();
    hold(lane(), "a");
    await clock.advance(999);
    dispatch.watch();
    assert.equal(lane().stalled, 0);
    hold(lane(), "young");
    await clock.advance(1);
    dispatch.watch();
    dispatch.watch();
    assert.deepEqual([lane().stalled, lane().degraded], [1, true]);
    hold(lane(), "b");
    assert.equal(seen.sent.length, 2, "a suspect lane has two open at most");
    end("a");
    assert.deepEqual([lane().stalled, lane().degraded], [0, false]);
    end("young");
    assert.equal(lane().stalled, 0);
  });

  test("lets its lane go on among the suspect", async () => {
    const { clock, dispatch, lane, hold, seen } = startDispatch({ settings: { openMax: 1 } });
    hold(lane(), "a", "b");
    assert.deepEqual(seen.sent, ["a"]);
    await clock.advance(1_000);
    dispatch.watch();
    assert.deepEqual(seen.sent, ["a", "b"]);
  });

  test("is an illness once it has outlived its time-out and ten seconds more", async () => {
    const { clock, dispatch, lane, hold, end } = startDispatch({ settings: { attemptTimeoutMs: 5_000 } });
    await clock.advance(60_000);
    assert.equal(dispatch.unhealthyReason(), null);
    hold(lane(), "a", "b");
    await clock.advance(15_000);
    assert.equal(dispatch.unhealthyReason(), null);
    await clock.advance(1);
    assert.equal(dispatch.unhealthyReason(), "an attempt has outlived its time-out");
    end("a");
    end("b");
    assert.equal(dispatch.unhealthyReason(), null);
  });
});

describe("lanes", () => {
  test("that are stuck give back what they may not keep while memory is short", () => {
    const state = { isCrowded: false };
    const { dispatch, lane, hold, seen } = startDispatch({ ports: { isMemoryShort: () => state.isCrowded } });
    const ids = ["1", "2", "3", "4", "5", "6"];
    hold(lane({ id: "stuck", failureCount: 3 }), "s", ...ids);
    hold(lane({ id: "empty", failureCount: 3 }), "e");
    hold(lane({ id: "well" }), "w", "x", "y", "z", ...ids);
    dispatch.watch();
    assert.deepEqual(seen.stuck, []);
    state.isCrowded = true;
    dispatch.watch();
    assert.deepEqual(seen.stuck, ["stuck 5,6"]);
  });

  test("are the same for the same endpoint, and forgotten when they are idle and too many", () => {
    const { dispatch, lane, hold } = startDispatch({ settings: { endpointQueuesMax: 2 } });
    const busy = lane({ id: "busy" });
    hold(busy, "a");
    assert.equal(lane({ id: "busy" }), busy);
    lane({ id: "idle" });
    dispatch.evict();
    assert.deepEqual([...dispatch.queues()].length, 2, "as many as may be");
    lane({ id: "third" });
    dispatch.evict();
    assert.deepEqual([...dispatch.queues()], [busy]);
    assert.deepEqual([dispatch.queueOf("busy"), dispatch.queueOf("idle")], [busy, undefined]);
  });

  test("give back what they have not started", () => {
    const { dispatch, lane, hold } = startDispatch();
    hold(lane(), "a", "b", "c", "d", "e", "f");
    assert.deepEqual(
      dispatch.takeWaiting(lane()).map(({ id }) => id),
      ["e", "f"],
    );
    assert.deepEqual(dispatch.takeWaiting(lane()), []);
  });

  test("go on when they are woken", () => {
    const { dispatch, lane, hold, seen } = startDispatch();
    lane().target = { ...TARGET, active: false };
    hold(lane(), "a");
    assert.deepEqual(seen.sent, []);
    lane().target = TARGET;
    dispatch.wake(lane());
    dispatch.pump();
    assert.deepEqual(seen.sent, ["a"]);
  });

  test("are counted once, however many well and suspect ones have requests open", () => {
    const { dispatch, lane, hold } = startDispatch({ settings: { openMax: 2, degradedOpenMax: 1 } });
    hold(lane({ id: "w" }), "a", "b", "c");
    hold(lane({ id: "s", failureCount: 1 }), "d", "e");
    assert.equal(dispatch.openCount(), 3);
  });
});
