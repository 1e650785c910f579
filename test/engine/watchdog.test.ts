/** How it is noticed when no attempt starts although one could. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createWatchdog } from "../../src/engine/dispatch/watchdog.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { startDispatch } from "./dispatching.ts";
import { columns } from "../support/columns.ts";

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
  assert.deepEqual(columns(log.lines, "level", "fields", "message"), [
    ["error", { idleMs: 5_000 }, "deliveries are ready and no attempt starts"],
    ["warn", {}, "attempts start again"],
  ]);
});
