import assert from "node:assert/strict";
import { createSecretKey } from "node:crypto";
import { describe, test } from "node:test";

import { createDispatch, type Dispatch, type DispatchPorts } from "../../src/engine/dispatch/dispatch.ts";
import { createInvariants } from "../../src/engine/invariants.ts";
import type { EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { createWatchdog } from "../../src/engine/dispatch/watchdog.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { deliveryOf, TARGET } from "./endpoint.ts";

const DELIVERY = deliveryOf("d");

function start(ports: Partial<DispatchPorts> = {}, maySend = () => true) {
  const clock = manualClock();
  const log = recordingLog();
  const dispatch: Dispatch = createDispatch(DEFAULT_ENGINE_SETTINGS, {
    send: () => undefined,
    headerTag: (product) => product,
    signingKey: () => createSecretKey(Buffer.alloc(32)),
    onEnded: () => undefined,
    onUnsent: (queue, delivery) => dispatch.enqueue(queue, delivery),
    isMemoryShort: () => false,
    onExcess: () => undefined,
    invariants: createInvariants(clock, log),
    clock,
    log,
    ...ports,
  });
  const queue: EndpointQueue = dispatch.openQueue(TARGET, {
    cell: { number: 0, schema: "c", directory: "d" },
    node: 1,
    maySend,
  });
  /** As the engine does: a look every quarter of a second. */
  const watch = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 250) {
      await clock.advance(250);
      dispatch.watch();
    }
  };
  const errors = () => log.lines.filter(({ level }) => level === "error").map(({ message }) => message);
  return { dispatch, queue, watch, errors };
}

describe("the watchdog of attempts", () => {
  test("finds an endpoint queue that has lost its turn within seconds, says so, and gives it a new one", async () => {
    let sent = 0;
    const { dispatch, queue, watch, errors } = start({ send: () => void (sent += 1) });
    // What no code path does: the endpoint queue counts as listed, and is not.
    queue.inPool.healthy = true;
    dispatch.enqueue(queue, DELIVERY);
    dispatch.pump();
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
    const idle = start();
    await idle.watch(60_000);
    assert.equal(idle.dispatch.unhealthyReason(), null);

    const open = start();
    for (let count = 0; count < 5; count += 1) open.dispatch.enqueue(open.queue, DELIVERY);
    open.dispatch.pump();
    await open.watch(15_000);
    assert.equal(open.dispatch.unhealthyReason(), null, "five deliveries, four open requests");

    const adrift = start({}, () => false);
    adrift.dispatch.enqueue(adrift.queue, DELIVERY);
    await adrift.watch(60_000);
    assert.equal(adrift.dispatch.unhealthyReason(), null);
  });

  test("reports a sender that throws every time, and an attempt that never ends", async () => {
    const throwing = start({
      send() {
        throw new Error("no sender");
      },
    });
    throwing.dispatch.enqueue(throwing.queue, DELIVERY);
    throwing.dispatch.pump();
    await throwing.watch(4_000);
    assert.equal(throwing.dispatch.unhealthyReason(), null);
    await throwing.watch(2_000);
    assert.equal(throwing.dispatch.unhealthyReason(), "the sender fails whenever an attempt starts");
    assert.equal(throwing.dispatch.openCount(), 0);

    const endless = start();
    endless.dispatch.enqueue(endless.queue, DELIVERY);
    endless.dispatch.pump();
    await endless.watch(20_000);
    assert.equal(endless.dispatch.unhealthyReason(), null);
    await endless.watch(500);
    assert.equal(endless.dispatch.unhealthyReason(), "an attempt has outlived its time-out");
  });

  test("forgets a sender that threw once, also where nothing is to be sent afterwards", async () => {
    let faults = 1;
    const { dispatch, queue, watch } = start({
      send() {
        if (faults-- > 0) throw new Error("once");
      },
      onUnsent: () => undefined,
    });
    dispatch.enqueue(queue, DELIVERY);
    dispatch.pump();
    await watch(3_600_000);
    assert.equal(dispatch.unhealthyReason(), null);
  });

  test("a pump that fails keeps the places of the others", async () => {
    let faults = 1;
    let sent = 0;
    const { dispatch, queue, errors } = start({ send: () => void (sent += 1) }, () => {
      if (faults-- > 0) throw new Error("a fault in a turn");
      return true;
    });
    dispatch.enqueue(queue, DELIVERY);
    dispatch.pump();
    assert.equal(sent, 0);
    assert.deepEqual(errors(), ["starting attempts failed; the next pump goes on"]);
    dispatch.pump();
    assert.equal(sent, 1);
  });
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
