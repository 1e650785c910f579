import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createGroup, type GroupBounds } from "../../src/engine/group.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { RaisedEvent } from "../../src/model/event.ts";

const BOUNDS: GroupBounds = { batchEventsMax: 10, waitingEventsMax: 20, waitingBytesMax: 1_000 };
const NONE: ReadonlySet<RaisedEvent> = new Set();
const ready = () => Promise.resolve();

function events(count: number, data = "{}"): RaisedEvent[] {
  return Array.from({ length: count }, () => ({
    product: "tracking",
    accountId: "a",
    type: "t",
    data,
    occurredAtMs: 0,
  }));
}

/** A write that waits until it is let go. */
function heldWrite() {
  const batches: number[] = [];
  const letGo: ((failure?: Error) => void)[] = [];
  const write = (written: readonly RaisedEvent[]) =>
    new Promise<ReadonlySet<RaisedEvent>>((resolve, reject) => {
      batches.push(written.length);
      letGo.push((failure) => (failure === undefined ? resolve(NONE) : reject(failure)));
    });
  return { batches, letGo, write };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("calls that share a commit", () => {
  test("gather while a batch is under way, up to the batch's size, and a larger call goes by itself", async () => {
    const { batches, letGo, write } = heldWrite();
    const raise = createGroup({ ...BOUNDS, waitingEventsMax: 100 }, ready, write);
    const calls = [raise(events(1)), raise(events(6)), raise(events(6)), raise(events(30)), raise(events(1))];
    await turn();
    for (let batch = 0; batch < 3; batch += 1) {
      letGo[batch]?.();
      await turn();
    }
    assert.deepEqual(batches, [13, 30, 1]);
    assert.deepEqual(
      (await Promise.all(calls)).map(({ accepted }) => accepted),
      [1, 6, 6, 30, 1],
    );
  });

  test("are refused, to be tried again, when too many events or bytes wait; one call always may", async () => {
    const { letGo, write } = heldWrite();
    const raise = createGroup(BOUNDS, ready, write);
    const first = raise(events(1));
    await turn();
    const large = raise(events(50));
    const refused = (error: unknown) => error instanceof StoreUnavailable && !error.inDoubt;
    await assert.rejects(raise(events(1)), refused, "by events");
    letGo[0]?.();
    await turn();
    const bulky = raise(events(1, "x".repeat(5_000)));
    await assert.rejects(raise(events(1)), refused, "by bytes");
    letGo[1]?.();
    await turn();
    letGo[2]?.();
    assert.deepEqual(
      await Promise.all([first, large, bulky].map(async (call) => (await call).accepted)),
      [1, 50, 1],
    );
    const after = raise(events(20));
    await turn();
    letGo[3]?.();
    assert.equal((await after).accepted, 20, "what was answered waits no more");
  });

  test("fail alone for what they hold themselves, and all together while the database is away", async () => {
    const poison = events(1, "poison");
    const raise = createGroup(BOUNDS, ready, async (written) => {
      await turn();
      if (written.some(({ data }) => data === "poison")) throw new TypeError("a row that is refused");
      if (written.some(({ data }) => data === "away")) throw new StoreUnavailable("away");
      return NONE;
    });
    const first = raise(events(1));
    const settled = await Promise.allSettled([first, raise(events(2)), raise(poison), raise(events(3))]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ["fulfilled", "fulfilled", "rejected", "fulfilled"],
    );
    const away = [raise(events(1)), raise(events(1, "away")), raise(events(1))];
    const outcomes = await Promise.allSettled(away);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["rejected", "rejected", "rejected"],
    );
  });

  test("are answered, and the next ones served, after the wait for room has failed", async () => {
    let faults = 1;
    const raise = createGroup(
      BOUNDS,
      async () => {
        if (faults-- > 0) throw new Error("no room, and never any");
      },
      async () => NONE,
    );
    await assert.rejects(raise(events(1)), /never any/);
    assert.equal((await raise(events(2))).accepted, 2);
  });
});
