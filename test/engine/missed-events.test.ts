/** What inactive endpoints have missed is counted in one row for each, and once. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createMissedEvents } from "../../src/engine/raise/missed-events.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Database } from "../../src/store/database.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { idOf } from "../store/store-rows.ts";

describe("what inactive endpoints have missed", () => {
  function start() {
    const clock = manualClock();
    const written: number[] = [];
    const state = { answer: async (): Promise<void> => undefined };
    const database = {
      async rows(_statement: unknown, [ids, counts]: readonly Buffer[]) {
        // An array of one row: its count is the last number.
        assert.equal(ids!.readInt32BE(12), 1);
        await state.answer();
        written.push(counts!.readInt32BE(counts!.length - 4));
        return [];
      },
    } as unknown as Database;
    const cell = { number: 0, schema: "c", directory: "d" };
    return {
      clock,
      written,
      state,
      missed: createMissedEvents({ database, clock, log: recordingLog() }, cell),
    };
  }
  const ONE = new Map([[idOf(1), 1]]);

  test("adds up however often one of them misses something, also while the last counts are written", async () => {
    const { clock, written, state, missed } = start();
    for (let n = 0; n < 60_000; n += 1) missed.add(ONE);
    const answered = Promise.withResolvers<void>();
    state.answer = () => answered.promise;
    await clock.advance(1_000);
    missed.add(ONE);
    missed.add(ONE);
    answered.resolve();
    await clock.advance(1_000);
    assert.deepEqual(written, [60_000, 2]);
    missed.stop();
  });

  test("is written later where the database was away, and not again where it may have been written", async () => {
    const { clock, written, state, missed } = start();
    for (const commitUnknown of [false, true]) {
      missed.add(ONE);
      state.answer = () =>
        Promise.reject(new StoreUnavailable("away", { commitUnknown, reason: "unreachable" }));
      await clock.advance(1_000);
      state.answer = async () => undefined;
      await clock.advance(2_000);
    }
    assert.deepEqual(written, [1]);
    missed.stop();
  });
});
