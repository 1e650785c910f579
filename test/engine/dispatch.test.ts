/** Which attempts start, what becomes of them, and how it is noticed when none does. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createWatchdog } from "../../src/engine/dispatch/watchdog.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { startDispatch, UNSENT } from "./dispatching.ts";
import { FAIL, OK, TARGET } from "./endpoint.ts";

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

describe("the watchdog of attempts", () => {
  test("finds an endpoint queue that has lost its turn within seconds, says so, and gives it a new one", async () => {
    let sent = 0;
    const { dispatch, queue, hold, watch, errors } = startDispatch({
      ports: { send: () => void (sent += 1) },
    });
    // What no code path does: the endpoint queue counts as listed, and is not.
    queue().inPool.healthy = true;
    hold(queue(), "d");
    await watch(4_750);
    assert.equal(dispatch.unhealthyReason(), null, "not before the time is over");
    await watch(500);
    assert.equal(dispatch.unhealthyReason(), "deliveries are ready and no attempt starts");
    assert.deepEqual(errors(), ["deliveries are ready and no attempt starts"]);
    await watch(500);
    assert.equal(sent, 1);
    assert.equal(dispatch.unhealthyReason(), null, "ready again");
  });

  test("is quiet while nothing waits, while requests are open, and while the node may not send", async () => {
    const idle = startDispatch();
    await idle.watch(60_000);
    assert.equal(idle.dispatch.unhealthyReason(), null);

    const open = startDispatch();
    open.hold(open.queue(), "a", "b", "c", "d", "e");
    await open.watch(15_000);
    assert.equal(open.dispatch.unhealthyReason(), null, "five deliveries, four open requests");

    const adrift = startDispatch({ maySend: () => false });
    adrift.hold(adrift.queue(), "a");
    await adrift.watch(60_000);
    assert.equal(adrift.dispatch.unhealthyReason(), null);
  });

  const throwing = (times: number) => () => {
    if (times-- > 0) throw new Error("no sender");
  };

  test("reports a sender that throws every time", async () => {
    const { dispatch, queue, hold, watch } = startDispatch({
      ports: { send: throwing(Infinity), onUnsent: (to, delivery) => dispatch.enqueue(to, delivery) },
    });
    hold(queue(), "a");
    await watch(4_000);
    assert.equal(dispatch.unhealthyReason(), null);
    await watch(2_000);
    assert.equal(dispatch.unhealthyReason(), "the sender fails whenever an attempt starts");
    assert.equal(dispatch.openCount(), 0);
  });

  test("forgets a sender that threw once, whether something is to be sent afterwards or not", async () => {
    for (const later of [["b"], []]) {
      const { clock, dispatch, queue, hold, watch } = startDispatch({ ports: { send: throwing(1) } });
      hold(queue(), "a");
      await clock.advance(1_000);
      hold(queue(), ...later);
      await watch(later.length === 0 ? 3_600_000 : 6_000);
      assert.equal(dispatch.unhealthyReason(), null);
    }
  });

  test("a pump that fails keeps the places of the others", () => {
    let faults = 1;
    const { dispatch, queue, hold, seen, errors } = startDispatch({
      maySend() {
        if (faults-- > 0) throw new Error("a fault in a turn");
        return true;
      },
    });
    hold(queue(), "a");
    assert.deepEqual(seen.sent, []);
    assert.deepEqual(errors(), ["starting attempts failed; the next pump goes on"]);
    dispatch.pump();
    assert.deepEqual(seen.sent, ["a"]);
  });
});

test("throws far apart, or with an attempt that started between them, are faults of their own", async () => {
  for (const [started, ...thrownAtMs] of [
    [null, 0, 10_000],
    [1_000, 0, 2_500, 5_000],
  ]) {
    const clock = manualClock();
    const watchdog = createWatchdog(clock, recordingLog());
    for (const atMs of thrownAtMs) clock.after(atMs!, watchdog.threw);
    if (started !== null) clock.after(started!, watchdog.started);
    await clock.advance(thrownAtMs.at(-1)!);
    assert.equal(watchdog.unhealthyReason(), null);
  }
});

test("what the watchdog finds is logged once, and its end as well", async () => {
  const [clock, log] = [manualClock(), recordingLog()];
  const watchdog = createWatchdog(clock, log);
  const look = async (passedMs: number, could = true) => {
    await clock.advance(passedMs);
    watchdog.check(() => could);
  };
  await look(0);
  await look(4_999);
  assert.equal(watchdog.unhealthyReason(), null);
  await look(1);
  await look(60_000);
  assert.equal(watchdog.unhealthyReason(), "deliveries are ready and no attempt starts");
  watchdog.started();
  await look(250);
  assert.equal(watchdog.unhealthyReason(), null);
  await look(250);
  await look(4_999, false);
  await look(1);
  await look(4_999);
  assert.equal(
    watchdog.unhealthyReason(),
    null,
    "the time counts from the last check at which nothing waited",
  );
  assert.deepEqual(
    log.lines.map(({ level, fields, message }) => [level, fields, message]),
    [
      ["error", { idleMs: 5_000 }, "deliveries are ready and no attempt starts"],
      ["warn", {}, "attempts start again"],
    ],
  );
});
