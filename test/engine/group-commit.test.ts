import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  createGroupCommit,
  NOTHING_WRITTEN,
  type GroupCommitBounds,
  type WrittenBatch,
} from "../../src/engine/raise/group-commit.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { RaisedEvent } from "../../src/model/event.ts";

const BOUNDS: GroupCommitBounds = { batchEventsMax: 10, waitingEventsMax: 20, waitingBytesMax: 1_000 };
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
    new Promise<WrittenBatch>((resolve, reject) => {
      batches.push(written.length);
      letGo.push((failure) => (failure === undefined ? resolve(NOTHING_WRITTEN) : reject(failure)));
    });
  return { batches, letGo, write };
}

/** A wait for capacity that fails for the first call. */
function failsFirst(): () => Promise<void> {
  let faults = 1;
  return async () => {
    if (faults-- > 0) throw new Error("no capacity");
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("calls that share a commit", () => {
  test("gather while a batch is written, up to the batch's size, and a larger call goes by itself", async () => {
    const { batches, letGo, write } = heldWrite();
    const raise = createGroupCommit({ ...BOUNDS, waitingEventsMax: 100 }, ready, write);
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
    const raise = createGroupCommit(BOUNDS, ready, write);
    const first = raise(events(1));
    await turn();
    const large = raise(events(50));
    const refused = (error: unknown) => error instanceof StoreUnavailable && !error.commitUnknown;
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

  test("fill a batch and leave the next call to the next one", async () => {
    const { batches, letGo, write } = heldWrite();
    const raise = createGroupCommit(BOUNDS, ready, write);
    const calls = [raise(events(1)), raise(events(4)), raise(events(6)), raise(events(1))];
    await turn();
    letGo[0]?.();
    await turn();
    letGo[1]?.();
    await Promise.all(calls);
    assert.deepEqual(batches, [11, 1]);
    const whole = [raise(events(1)), raise(events(9)), raise(events(1))];
    await turn();
    letGo[2]?.();
    await turn();
    letGo[3]?.();
    await Promise.all(whole);
    assert.deepEqual(batches.slice(2), [10, 1]);
  });

  test("each learn how many of their events had been seen before, and what the others have made", async () => {
    const [first, second, third] = [events(2), events(3), events(1)];
    const seen = new Set([first[0]!, ...second]);
    const raise = createGroupCommit(BOUNDS, ready, async () => ({
      duplicates: seen,
      made: new Map([
        [first[1]!, 3],
        [third[0]!, 0],
      ]),
    }));
    assert.deepEqual(await Promise.all([raise(first), raise(second), raise(third)]), [
      { accepted: 1, duplicates: 1, deliveries: 3 },
      { accepted: 0, duplicates: 3, deliveries: 0 },
      { accepted: 1, duplicates: 0, deliveries: 0 },
    ]);
    const none = createGroupCommit(BOUNDS, ready, async () => NOTHING_WRITTEN);
    assert.deepEqual(await none(first), { accepted: 2, duplicates: 0, deliveries: 0 });
  });

  /** The outcome of these calls beside an open one, once the earlier ones have ended. */
  async function answersTo(
    calls: readonly RaisedEvent[][],
    earlier: readonly RaisedEvent[][],
    isReady: () => Promise<void>,
  ): Promise<readonly string[]> {
    const { letGo, write } = heldWrite();
    const raise = createGroupCommit(BOUNDS, isReady, write);
    const over = Promise.allSettled(earlier.map((call) => raise(call)));
    for (let batch = 0; batch <= earlier.length; batch += 1) {
      await turn();
      letGo[batch]?.();
    }
    await over;
    const waits = turn().then(() => "waits");
    const answers = calls.map((call) => Promise.race([raise(call).then(() => "written"), waits]));
    return Promise.all(answers.map((answer) => answer.catch((error: Error) => error.message)));
  }

  const bulk = (bytes: number) => events(1, "x".repeat(bytes));
  for (const [what, earlier, readyFor] of [
    ["at first", [], () => ready],
    ["after others have been written", [events(5), bulk(30)], () => ready],
    ["after others have failed", [events(5), bulk(30)], failsFirst],
  ] as const) {
    test(`wait up to the bounds, exactly, ${what}`, async () => {
      const expected = ["waits", "waits", "too many events wait for the database"];
      assert.deepEqual(await answersTo([events(1), events(19), events(1)], earlier, readyFor()), expected);
      assert.deepEqual(await answersTo([bulk(1), bulk(999), bulk(1)], earlier, readyFor()), expected);
    });
  }

  test("fail alone for what they hold themselves, and all together while the database is away", async () => {
    const poison = events(1, "poison");
    const raise = createGroupCommit(BOUNDS, ready, async (written) => {
      await turn();
      if (written.some(({ data }) => data === "poison")) throw new TypeError("a row that is refused");
      if (written.some(({ data }) => data === "away")) throw new StoreUnavailable("away");
      return NOTHING_WRITTEN;
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

  test("are answered, and the next ones served, after the wait for capacity has failed", async () => {
    let faults = 1;
    const raise = createGroupCommit(
      BOUNDS,
      async () => {
        if (faults-- > 0) throw new Error("no capacity, and never any");
      },
      async () => NOTHING_WRITTEN,
    );
    await assert.rejects(raise(events(1)), /never any/);
    assert.equal((await raise(events(2))).accepted, 2);
  });
});
