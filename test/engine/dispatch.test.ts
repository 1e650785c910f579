/** Which attempts start, and what becomes of them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startDispatch, UNSENT } from "./dispatching.ts";
import { FAIL, OK, TARGET } from "./endpoint.ts";
import { column } from "../support/columns.ts";

describe("attempts", () => {
  test("start as far as their endpoint queue is wide, and as others end", () => {
    const { dispatch, seen, queue, hold, end, requests } = startDispatch();
    hold(queue(), "a", "b", "c", "d", "e", "f", "g");
    assert.deepEqual(seen.sent, ["a", "b", "c", "d"]);
    assert.equal(dispatch.openCount(), 4);
    assert.equal(requests[0]!.headers[3], "TRACKING-Webhooks/1");
    end("b");
    assert.deepEqual(seen.ended, ["b 200"]);
    assert.deepEqual(seen.sent.slice(4), ["e", "f"], "one in its place, and one more after a success");
    assert.equal(queue().concurrencyMax, 5);
  });

  test("narrow their endpoint queue when they fail, and make it degraded until one succeeds", () => {
    const { seen, queue, hold, end } = startDispatch();
    hold(queue(), "a", "b", "c", "d", "e");
    end("a", FAIL);
    assert.deepEqual([queue().concurrencyMax, queue().degraded, queue().failures], [2, true, 1]);
    assert.equal(seen.sent.length, 4, "three are open, and two may be");
    end("b", { kind: "failed", statusCode: 200, error: { code: "timeout", text: "" } });
    assert.equal(queue().failures, 2);
    end("c", { kind: "answered", statusCode: 299 });
    assert.deepEqual([queue().degraded, queue().failures], [false, 0]);
    end("d", { kind: "answered", statusCode: 300 });
    assert.equal(queue().degraded, true);
    end("e", { kind: "answered", statusCode: 199 });
    assert.equal(queue().failures, 2);
    assert.deepEqual(seen.ended, ["a 500", "b 200", "c 299", "d 300", "e 199"]);
  });

  test("end once, however often the sender says so", () => {
    const { dispatch, seen, queue, hold, end, invariants, log } = startDispatch();
    hold(queue(), "a");
    end("a");
    end("a", FAIL);
    assert.deepEqual([seen.ended, dispatch.openCount()], [["a 200"], 0]);
    assert.equal(invariants.broken.get("attempt_ends_once"), 1);
    assert.deepEqual(log.lines[0]?.fields, { delivery: "a", invariant: "attempt_ends_once", times: 1 });
  });

  test("may end while they start, and each is still started", () => {
    const ended: string[] = [];
    const { queue, hold, dispatch } = startDispatch({
      ports: { send: (_request, done) => done(OK), onEnded: (_lane, { id }) => void ended.push(id) },
    });
    hold(queue(), "a", "b", "c", "d", "e", "f");
    assert.deepEqual(ended, ["a", "b", "c", "d", "e", "f"]);
    assert.equal(dispatch.openCount(), 0);
  });

  test("are made once more where their result was not taken", () => {
    const { queue, hold, end, seen, log } = startDispatch({
      ports: {
        onEnded() {
          throw new Error("no capacity for results");
        },
      },
    });
    hold(queue(), "a");
    end("a");
    assert.deepEqual(seen.unsent, ["a"]);
    const { level, fields } = log.lines[0]!;
    assert.deepEqual([level, (fields as { delivery: string }).delivery], ["error", "a"]);
  });

  test("do not start once it is stopped; open ones end", () => {
    const { dispatch, seen, queue, hold, end } = startDispatch();
    hold(queue(), "a", "b", "c", "d", "e");
    dispatch.stop();
    end("a");
    dispatch.pump();
    assert.deepEqual([seen.sent.length, dispatch.openCount(), seen.ended], [4, 3, ["a 200"]]);
  });
});

describe("an attempt that cannot be made", () => {
  test("counts for nobody, and its endpoint queue rests for a second", async () => {
    const { clock, seen, queue, hold, end } = startDispatch();
    hold(queue(), "a", "b");
    end("a", UNSENT);
    end("b", UNSENT);
    assert.equal(clock.pending(), 1, "it rests once, not once for each");
    assert.deepEqual([seen.unsent, queue().failures, queue().coolingDown], [["a", "b"], 0, true]);
    hold(queue(), "c");
    await clock.advance(999);
    assert.equal(seen.sent.length, 2);
    await clock.advance(1);
    assert.deepEqual([seen.sent.slice(2), queue().coolingDown], [["c"], false]);
  });

  test("lets its endpoint queue be degraded no more where it had stalled", async () => {
    const { clock, dispatch, queue, hold, end } = startDispatch();
    hold(queue(), "a");
    await clock.advance(1_000);
    dispatch.watch();
    assert.equal(queue().degraded, true);
    end("a", UNSENT);
    assert.equal(queue().degraded, false);
  });

  test("is logged once a minute, with why", async () => {
    const { clock, queue, hold, end, log } = startDispatch();
    hold(queue(), "a", "b", "c");
    end("a", UNSENT);
    await clock.advance(59_999);
    end("b", UNSENT);
    assert.equal(log.lines.length, 1);
    await clock.advance(1);
    end("c", UNSENT);
    const logged = log.lines.map(({ level, fields, message }) => [level, fields, message]);
    const line = (delivery: string) => [
      "error",
      { err: undefined, error: "out_of_sockets", delivery },
      "attempts cannot be made, and wait: No socket is left.",
    ];
    assert.deepEqual(logged, [line("a"), line("c")]);
  });

  test("because the sender throws waits like any other, and what it threw is logged", () => {
    const fault = new Error("no sender");
    const { dispatch, queue, hold, seen, log } = startDispatch({
      ports: {
        send() {
          throw fault;
        },
      },
    });
    hold(queue(), "a");
    assert.deepEqual([seen.unsent, dispatch.openCount(), queue().open], [["a"], 0, 0]);
    assert.deepEqual(log.lines[0]?.fields, { err: fault, error: "internal_error", delivery: "a" });
  });
});

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
    assert.deepEqual(column(dispatch.takeWaiting(queue()), "id"), ["e", "f"]);
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
