/** Calls that share a statement, and what one that failed says. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createBatch, type BatchBounds } from "../../src/engine/batch-writer.ts";
import { classifyFailure } from "../../src/engine/statement-failure.ts";
import { STORE_FAULTS, StoreUnavailable, type StoreFault } from "../../src/model/errors.ts";
import { manualClock } from "../support/clock.ts";

const AWAY = new StoreUnavailable("away");
const FULL = new StoreUnavailable("full", { commitUnknown: false, reason: "disk_full" });
const REFUSED = new Error("a row that is refused");

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("calls that share a statement", () => {
  const BOUNDS: BatchBounds = { batchMax: 10, gatherMs: 0 };

  test("get each its own answer", async () => {
    const lengths = createBatch<string, number>(BOUNDS, manualClock(), async (texts) =>
      texts.map(({ length }) => length),
    );
    assert.deepEqual(await Promise.all([lengths("a"), lengths("bcd"), lengths("")]), [1, 3, 0]);
  });

  test("fail alone for what they hold themselves, and all together while the store is away", async () => {
    const batches: (readonly string[])[] = [];
    const write = createBatch<string, boolean>(BOUNDS, manualClock(), async (items) => {
      batches.push(items);
      for (const cause of [REFUSED, AWAY, FULL]) if (items.includes(cause.message)) throw cause;
      return items.map(() => true);
    });
    const outcomes = async (...items: readonly string[]) =>
      (await Promise.allSettled(items.map(write))).map((one) =>
        one.status === "fulfilled" ? "written" : (one.reason as Error).message,
      );
    assert.deepEqual(await outcomes("a", REFUSED.message, "b"), ["written", REFUSED.message, "written"]);
    for (const cause of [AWAY, FULL]) {
      const before = batches.length;
      assert.deepEqual(await outcomes("a", cause.message, "b"), Array(3).fill(cause.message));
      assert.equal(batches.length, before + 1, "it may have been carried out, so it is not repeated");
    }
  });

  test("are written once more where nothing was carried out, if the caller says so", async () => {
    for (const [cause, tries] of [
      [FULL, 2],
      [AWAY, 1],
    ] as const) {
      let tried = 0;
      const failOnce = async (items: readonly string[]) => {
        if (++tried === 1) throw cause;
        return items;
      };
      const write = createBatch<string, string>(BOUNDS, manualClock(), failOnce, { retriesOnce: true });
      assert.equal(await write("a").catch((error: Error) => error.message), tries === 2 ? "a" : "away");
      const failEach = async () => {
        tried += 1;
        throw cause;
      };
      tried = 0;
      const fail = createBatch<string, string>(BOUNDS, manualClock(), failEach, { retriesOnce: true });
      await assert.rejects(fail("a"), cause);
      assert.equal(tried, tries);
    }
  });

  test("are refused, to be tried again, when too much waits", async () => {
    const bounds = { ...BOUNDS, waitingMax: 3, waitingBytesMax: 100 };
    const sizeOf = (text: string) => ({ count: 1, bytes: text.length });
    const write = createBatch<string, string>(bounds, manualClock(), async (items) => items, { sizeOf });
    const overloaded = (error: unknown) =>
      error instanceof StoreUnavailable && error.reason === "overloaded" && !error.commitUnknown;
    const calls = ["a", "b", "c"].map(write);
    await assert.rejects(write("d"), overloaded);
    assert.deepEqual(await Promise.all(calls), ["a", "b", "c"]);
    const long = write("x".repeat(99));
    await assert.rejects(write("xy"), overloaded);
    assert.equal((await long).length, 99);
  });

  test("begin when they may", async () => {
    const isReady = Promise.withResolvers<void>();
    const write = createBatch<string, string>(BOUNDS, manualClock(), async (items) => items, {
      ready: () => isReady.promise,
    });
    const answer = write("a");
    assert.equal(await Promise.race([answer, turn().then(() => "waits")]), "waits");
    isReady.resolve();
    assert.equal(await answer, "a");
  });
});

describe("what a failed statement says of its rows", () => {
  const verdict = (reason: StoreFault, commitUnknown: boolean) =>
    classifyFailure(new StoreUnavailable("failed", { reason, commitUnknown }));

  test("nothing where the answer was lost, where the session was refused, or while the cell moves", () => {
    for (const reason of Object.keys(STORE_FAULTS) as StoreFault[])
      assert.equal(verdict(reason, true), "unreachable", reason);
    for (const reason of ["unreachable", "restarting", "too_many_connections", "moved"] as const)
      assert.equal(verdict(reason, false), "unreachable", reason);
  });

  test("something where the server answered with a fault that may pass", () => {
    for (const reason of ["disk_full", "file_error", "contention", "access_denied", "read_only"] as const)
      assert.equal(verdict(reason, false), "server_fault", reason);
  });

  test("that they are at fault in all other cases", () => {
    assert.equal(classifyFailure(new TypeError("a bug")), "refused");
    assert.equal(verdict("account_closed", false), "refused");
  });
});
