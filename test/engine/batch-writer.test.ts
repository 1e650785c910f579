/** Batches of rows, and what becomes of each row, with a database that answers by hand. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { createBatchWriter, type BatchBounds, type BatchSteps } from "../../src/engine/batch-writer.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";

const AWAY = new StoreUnavailable("away");
const FULL = new StoreUnavailable("full", { commitUnknown: false, reason: "disk_full" });
const REFUSED = new Error("a row that is refused");

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

type Answer = (rows: readonly number[]) => Promise<unknown> | undefined;

/** Fails the batches with one of these rows. */
const failing =
  (bad: readonly number[], cause: Error = REFUSED): Answer =>
  (rows) =>
    rows.some((row) => bad.includes(row)) ? Promise.reject(cause) : undefined;

function start(bounds: Partial<BatchBounds> = {}, steps: Partial<BatchSteps<number>> = {}) {
  const clock = manualClock();
  const loops = createLoopMonitor(clock, recordingLog());
  const loop = loops.watch("writing", 60_000);
  loop.idle();
  const state = { answer: (() => undefined) as Answer, retryMs: null as number | null };
  const seen = {
    batches: [] as (readonly number[])[],
    written: [] as number[],
    repeated: [] as number[],
    refused: [] as number[],
    away: [] as (readonly [rows: readonly number[], tries: number])[],
  };
  const writer = createBatchWriter<number>({ batchMax: 10, gatherMs: 0, ...bounds }, clock, {
    async write(rows, isRepeated) {
      seen.batches.push(rows);
      await state.answer(rows);
      return () => {
        seen.written.push(...rows);
        if (isRepeated) seen.repeated.push(...rows);
      };
    },
    onRefused: (row) => void seen.refused.push(row),
    onAway(rows, _cause, tries) {
      seen.away.push([rows, tries]);
      return state.retryMs;
    },
    loop,
    ...steps,
  });
  const add = (...rows: readonly number[]) => rows.map((row) => writer.add(row));
  return { clock, loops, writer, add, seen, state };
}

describe("a batch", () => {
  test("is written at once where nothing gathers, with all that one turn of the event loop adds", async () => {
    const { clock, add, seen } = start();
    add(1, 2);
    await clock.rest();
    assert.deepEqual([seen.batches, seen.written, seen.repeated], [[[1, 2]], [1, 2], []]);
  });

  test("gathers for a moment after its first row", async () => {
    const { clock, add, seen } = start({ gatherMs: 20 });
    add(1);
    await clock.advance(19);
    add(2);
    assert.deepEqual(seen.batches, []);
    await clock.advance(1);
    add(3);
    await clock.advance(19);
    assert.deepEqual(seen.batches, [[1, 2]]);
    await clock.advance(1);
    assert.deepEqual(seen.batches, [[1, 2], [3]]);
  });

  test("that is full does not wait, and what is left gathers again", async () => {
    const { clock, add, seen } = start({ gatherMs: 20, batchMax: 3 });
    add(1, 2);
    await clock.advance(5);
    add(3);
    await clock.rest();
    assert.deepEqual(seen.batches, [[1, 2, 3]]);
    add(4);
    await clock.advance(19);
    assert.equal(seen.batches.length, 1);
    await clock.advance(1);
    assert.deepEqual(seen.batches, [[1, 2, 3], [4]]);
    assert.equal(clock.pending(), 0);
  });

  test("gathers while the one before is written", async () => {
    const { clock, add, seen, state } = start();
    const answered = Promise.withResolvers<void>();
    state.answer = () => answered.promise;
    add(1);
    await clock.rest();
    add(2);
    add(3);
    await clock.rest();
    assert.deepEqual(seen.batches, [[1]]);
    answered.resolve();
    await clock.rest();
    assert.deepEqual(seen.batches, [[1], [2, 3]]);
  });

  test("has rows of one kind, in the order in which they came", async () => {
    const sharesBatch = (row: number, first: number) => row % 2 === first % 2;
    const { clock, add, seen } = start({}, { sharesBatch });
    add(1, 3, 2, 5);
    await clock.rest();
    assert.deepEqual(seen.batches, [[1, 3], [2], [5]]);
  });

  test("counts rows by their size; the last one may go beyond the bound", async () => {
    const { clock, add, seen } = start({}, { sizeOf: (row) => ({ count: row, bytes: 0 }) });
    add(4, 30, 6, 5, 1);
    await clock.rest();
    assert.deepEqual(seen.batches, [[4, 30], [6, 5], [1]]);
  });

  test("is taken when it may begin", async () => {
    const ready = Promise.withResolvers<void>();
    const { clock, add, seen } = start({}, { ready: () => ready.promise });
    add(1);
    await clock.rest();
    add(2);
    assert.deepEqual(seen.batches, []);
    ready.resolve();
    await clock.rest();
    assert.deepEqual(seen.batches, [[1, 2]]);
  });
});

describe("a row", () => {
  test("waits up to the bounds, exactly; one always may", async () => {
    const sizeOf = (row: number) => ({ count: row % 100, bytes: Math.floor(row / 100) });
    const { clock, add, writer } = start(
      { gatherMs: 20, batchMax: 1_000, waitingMax: 20, waitingBytesMax: 5 },
      { sizeOf },
    );
    for (const what of ["at first", "after others were written"]) {
      assert.deepEqual(add(99, 1), [true, false], what);
      await clock.advance(20);
      assert.deepEqual(add(1, 19, 2), [true, true, false], what);
      await clock.advance(20);
      assert.deepEqual(add(600, 100), [true, false], what);
      await clock.advance(20);
      assert.deepEqual(add(201, 301, 101), [true, true, false], what);
      writer.remove(301);
      assert.deepEqual(add(301), [true], "what was removed waits no more");
      await clock.advance(20);
    }
  });

  test("is not added twice while it waits", async () => {
    const { clock, add, seen } = start({ gatherMs: 20, waitingMax: 2 });
    assert.deepEqual(add(1, 1, 2, 3), [true, true, true, false]);
    await clock.advance(40);
    assert.deepEqual(seen.written, [1, 2]);
  });

  test("that is removed is not written any more, neither from the batch that is being halved", async () => {
    const { clock, add, seen, state, writer } = start({ gatherMs: 20 });
    add(1, 2);
    writer.remove(1);
    await clock.advance(20);
    assert.deepEqual(seen.batches, [[2]]);
    state.answer = (rows) => {
      if (rows.length === 4) for (const row of [5, 6]) writer.remove(row);
      return rows.length > 1 ? Promise.reject(REFUSED) : undefined;
    };
    add(3, 4, 5, 6);
    await clock.advance(20);
    assert.deepEqual(seen.batches.slice(1), [[3, 4, 5, 6], [3], [4]]);
    assert.deepEqual([seen.written, seen.refused], [[2, 3, 4], []]);
  });
});

describe("rows that the database refuses together", () => {
  test("are halved: all are written but the rows that are refused alone, in their order", async () => {
    const numbers = fc.uniqueArray(fc.nat({ max: 200 }), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(numbers, fc.nat({ max: 5 }), async (rows, every) => {
        const isBad = (row: number) => row % (every + 1) === 0;
        const { add, seen, state, writer } = start({ batchMax: 60 });
        state.answer = failing(rows.filter(isBad));
        add(...rows);
        await writer.flush();
        assert.deepEqual(seen.refused, rows.filter(isBad));
        assert.deepEqual(
          seen.written,
          rows.filter((row) => !isBad(row)),
        );
        assert.deepEqual(
          [seen.repeated.length, writer.refusedCount()],
          [seen.refused.length && seen.written.length, 0],
        );
      }),
    );
  });

  test("cost twenty statements where one of a thousand is at fault", async () => {
    const { add, seen, state, writer } = start({ batchMax: 1_000 });
    state.answer = failing([437]);
    add(...range(0, 1_000));
    await writer.flush();
    assert.deepEqual([seen.refused, seen.written.length], [[437], 999]);
    assert.ok(seen.batches.length <= 21, `${seen.batches.length} statements`);
  });

  test("wait as one batch from where the store goes away between two halves", async () => {
    const { clock, add, seen, state } = start({}, {});
    state.retryMs = 50;
    state.answer = (rows) => (rows.length === 1 ? Promise.reject(AWAY) : failing([2])(rows));
    add(1, 2, 3, 4);
    await clock.rest();
    assert.deepEqual(seen.batches, [[1, 2, 3, 4], [1, 2], [1]]);
    assert.deepEqual(seen.away, [[[1, 2, 3, 4], 0]]);
    state.answer = () => undefined;
    await clock.advance(50);
    assert.deepEqual([seen.batches.slice(3), seen.repeated], [[[1, 2, 3, 4]], [1, 2, 3, 4]]);
  });
});

describe("while the store is away", () => {
  test("a batch is tried again after each wait, and what is added between two tries goes after it", async () => {
    const { clock, loops, add, seen, state } = start();
    state.answer = () => Promise.reject(AWAY);
    state.retryMs = 1_000;
    add(1);
    await clock.advance(2_500);
    add(2);
    assert.deepEqual(
      seen.away,
      range(0, 3).map((tries) => [[1], tries]),
    );
    await clock.advance(57_500);
    assert.equal(loops.overdue(), null);
    await clock.advance(1);
    assert.equal(loops.overdue(), "writing");
    state.answer = () => undefined;
    await clock.advance(1_000);
    assert.deepEqual([seen.written, seen.repeated, loops.overdue()], [[1, 2], [1], null]);
    await clock.advance(120_000);
    assert.equal(loops.overdue(), null, "nothing is expected while nothing waits");
  });

  test("rows that are given up are written no more unless they are added again", async () => {
    const { clock, add, seen, state, writer } = start();
    state.answer = () => Promise.reject(AWAY);
    add(1, 2);
    await writer.flush();
    state.answer = () => undefined;
    await clock.advance(60_000);
    assert.deepEqual([seen.batches, seen.away], [[[1, 2]], [[[1, 2], 0]]]);
    add(1);
    await writer.flush();
    assert.deepEqual(seen.written, [1]);
  });

  test("a flush waits until the rows are written, and a stop ends it", async () => {
    for (const stops of [false, true]) {
      const { clock, loops, add, seen, state, writer } = start({ gatherMs: 20 });
      state.answer = () => Promise.reject(AWAY);
      state.retryMs = 1_000;
      add(1);
      let isFlushed = false;
      const flushed = writer.flush().then(() => (isFlushed = true));
      await clock.advance(5_500);
      assert.equal(isFlushed, false);
      if (stops) writer.stop();
      else state.answer = () => undefined;
      await clock.advance(500);
      assert.deepEqual([await flushed, seen.written, loops.overdue()], [true, stops ? [] : [1], null]);
      const tries = seen.batches.length;
      if (stops) add(2);
      await clock.advance(120_000);
      assert.deepEqual([seen.batches.length, loops.overdue()], [tries, null]);
    }
  });

  test("a stop takes back what gathers", async () => {
    const { clock, add, seen, writer } = start({ gatherMs: 20 });
    add(1);
    writer.stop();
    assert.equal(clock.pending(), 0);
    await clock.advance(1_000);
    assert.deepEqual(seen.batches, []);
    await writer.flush();
  });
});

describe("a server's fault that may pass", () => {
  test("has a single row tried, another each time, and where that is written the others are halved", async () => {
    const { clock, add, seen, state } = start({}, { faultsBeforeProbe: 1 });
    state.retryMs = 50;
    state.answer = () => Promise.reject(FULL);
    add(1, 2, 3, 4);
    await clock.advance(100);
    assert.deepEqual(seen.batches, [[1, 2, 3, 4], [1, 2, 3, 4], [2], [1, 2, 3, 4], [3]]);
    state.answer = failing([2, 3], FULL);
    await clock.advance(50);
    assert.deepEqual(seen.batches.slice(5), [[1, 2, 3, 4], [4], [1, 2, 3], [1], [2, 3], [2], [3]]);
    assert.deepEqual(
      [seen.written, seen.refused],
      [
        [4, 1],
        [2, 3],
      ],
    );
  });

  test("refuses nothing that is written once the fault has ended", async () => {
    const { clock, add, seen, state } = start({}, { faultsBeforeProbe: 0 });
    let isFull = true;
    state.answer = (rows) => {
      if (rows.length === 1) isFull = false;
      return isFull ? Promise.reject(FULL) : undefined;
    };
    add(1, 2);
    await clock.advance(0);
    assert.deepEqual([seen.refused, seen.written.toSorted((a, b) => a - b)], [[], [1, 2]]);
  });

  test("shows nothing by a single row, until others have come", async () => {
    const { clock, add, seen, state } = start({ batchMax: 3 }, { faultsBeforeProbe: 0 });
    state.retryMs = 50;
    state.answer = failing([1], FULL);
    add(1);
    await clock.advance(100);
    assert.deepEqual([seen.batches, seen.refused], [[[1], [1], [1]], []]);
    add(2, 3, 4);
    await clock.advance(50);
    assert.deepEqual([seen.refused, seen.written.toSorted((a, b) => a - b)], [[1], [2, 3, 4]]);
    assert.ok(seen.batches.every(({ length }) => length <= 3));
  });

  test("is the store's alone where no row is to be tried", async () => {
    const { add, seen, state, writer } = start();
    state.answer = failing([1], FULL);
    add(1, 2);
    await writer.flush();
    assert.deepEqual([seen.batches, seen.away], [[[1, 2]], [[[1, 2], 0]]]);
  });
});

describe("a refused row that is set aside", () => {
  const startKeeping = () => start({ batchMax: 1_000 }, { keepsRefused: true });

  test("is reported once, and written when it is taken at last", async () => {
    const { add, seen, state, writer } = startKeeping();
    state.answer = failing([2]);
    add(1, 2, 3);
    await writer.flush();
    for (const what of ["at first", "tried again"]) {
      assert.deepEqual([seen.refused, seen.written, writer.refusedCount()], [[2], [1, 3], 1], what);
      add(2);
      writer.retryRefused();
      await writer.flush();
    }
    const tries = seen.batches.length;
    state.answer = () => undefined;
    writer.retryRefused();
    await writer.flush();
    writer.retryRefused();
    await writer.flush();
    assert.deepEqual([seen.batches.slice(tries), seen.refused, writer.refusedCount()], [[[2]], [2], 0]);
  });

  test("is tried with twenty at a time, least recently tried first, and twice as many while all are written", async () => {
    const { add, seen, state, writer } = startKeeping();
    const bad = range(0, 100);
    state.answer = failing(bad);
    add(...bad);
    await writer.flush();
    state.answer = failing([25]);
    const retry = async () => {
      const before = seen.written.length;
      writer.retryRefused();
      writer.retryRefused();
      await writer.flush();
      return seen.written.slice(before);
    };
    assert.deepEqual(await retry(), [...range(0, 25), ...range(26, 60)], "twenty, and then forty");
    assert.deepEqual(await retry(), [...range(60, 80), ...range(80, 100)], "twenty again, and then the rest");
    assert.equal(writer.refusedCount(), 1);
    assert.deepEqual([await retry(), seen.refused.length], [[], 100]);
  });

  test("waits for the next call where the store goes away, and is none of its own any more once it is dropped", async () => {
    const { clock, add, seen, state, writer } = startKeeping();
    state.answer = failing([1, 2, 3]);
    add(1, 2, 3);
    await writer.flush();
    state.answer = () => Promise.reject(AWAY);
    writer.retryRefused();
    await writer.flush();
    assert.deepEqual([seen.batches.at(-1), writer.refusedCount()], [[1, 2, 3], 3]);
    writer.remove(1);
    const answered = Promise.withResolvers<void>();
    state.answer = () => answered.promise;
    writer.retryRefused();
    await clock.rest();
    assert.deepEqual([writer.dropRefused(), writer.refusedCount()], [[], 2], "they are being tried");
    answered.reject(REFUSED);
    await writer.flush();
    assert.deepEqual([writer.dropRefused(), writer.dropRefused(), writer.refusedCount()], [[2, 3], [], 0]);
  });
});
