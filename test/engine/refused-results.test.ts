/** Results that the database refuses, or does not take for now. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { FAIL, idOf } from "./endpoint.ts";
import { failing, FULL, range, REFUSED, sorted, startSettler } from "./settling.ts";

describe("a result that the database refuses", () => {
  test("is found by halves, logged once, and set aside; all others are written", async () => {
    const { clock, settler, end, batches, seen, state, log } = startSettler();
    state.answer = failing(3);
    end([1, 2, 3, 4, 5]);
    await clock.advance(20);
    assert.deepEqual(batches(), [[1, 2, 3, 4, 5], [1, 2], [3, 4, 5], [3], [4, 5]]);
    for (const what of ["at first", "tried again, and not logged again"]) {
      assert.deepEqual([seen.written, settler.refusedCount()], [[1, 2, 4, 5], 1], what);
      const fields = log.lines.map((line) => line.fields);
      assert.deepEqual(fields, [{ err: REFUSED, delivery: idOf(3), endpoint: "e" }], what);
      settler.retryRefused();
      await clock.advance(20);
    }
    assert.equal(batches().length, 7);
  });

  test("is written with a plain description where the description is at fault", async () => {
    const { clock, settler, end, writings, seen, state } = startSettler();
    state.answer = (writing) => (writing.isPlain ? [] : failing(1)(writing));
    end([0, 1, 2], FAIL);
    await clock.advance(20);
    assert.deepEqual([sorted(seen.written), settler.refusedCount()], [[0, 1, 2], 0]);
    const plain = writings.filter(({ isPlain }) => isPlain);
    assert.deepEqual(
      plain.map(({ of }) => of),
      [[1]],
    );
  });

  test("means nothing any more once the node was replaced", async () => {
    const { clock, settler, seen, batches, state, end } = startSettler();
    state.answer = () => Promise.reject(REFUSED);
    end([1, 2]);
    await clock.advance(20);
    settler.replaced();
    assert.deepEqual([seen.lost, settler.refusedCount()], [[1, 2], 0]);
    const before = batches().length;
    settler.retryRefused();
    await clock.advance(20);
    assert.equal(batches().length, before);
  });
});

describe("a fault of the server's that may pass", () => {
  test("has all results wait while it lasts, without a word of each", async () => {
    const { clock, settler, state, seen, end, logged, loops } = startSettler();
    state.answer = () => Promise.reject(FULL);
    end(range(8));
    await clock.advance(59_000);
    assert.deepEqual([seen.written, settler.refusedCount()], [[], 0]);
    assert.deepEqual(logged(), ["warn: results wait in memory"]);
    assert.equal(loops.overdue(), null);
    await clock.advance(2_000);
    assert.equal(loops.overdue(), "settling in cell 0");
    state.answer = () => [];
    await clock.advance(1_000);
    assert.deepEqual([sorted(seen.written), loops.overdue()], [range(8), null]);
  });

  test("is no reason to try results apart before it has lasted", async () => {
    const { clock, batches, state, end } = startSettler();
    state.answer = () => Promise.reject(FULL);
    end(range(4));
    await clock.advance(20 + 50 + 100 + 200 + 500);
    assert.deepEqual(batches(), Array(5).fill(range(4)));
    await clock.advance(1_000);
    assert.deepEqual(batches().slice(5), [range(4), [1]], "then a single one is tried");
  });
});
