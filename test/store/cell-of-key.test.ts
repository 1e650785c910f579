import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { cellOfKey } from "../../src/store/cell-of-key.ts";

const COUNTS = fc.integer({ min: 1, max: 200 });

test("every key falls to a cell that there is, always the same", () => {
  fc.assert(
    fc.property(fc.string(), COUNTS, (key, count) => {
      const number = cellOfKey(key, count);
      assert.ok(Number.isInteger(number) && number >= 0 && number < count, `${number}`);
      assert.equal(cellOfKey(key, count), number);
    }),
  );
});

test("with one cell more, a key stays or falls to the new one", () => {
  fc.assert(
    fc.property(fc.string(), COUNTS, (key, count) => {
      const after = cellOfKey(key, count + 1);
      assert.ok(after === cellOfKey(key, count) || after === count, `${after}`);
    }),
  );
});

test("cells share alike in keys that differ little", () => {
  const keys = Array.from({ length: 50_000 }, (_, serial) => `MSCU${1_000_000 + serial}`);
  for (const count of [2, 8, 100]) {
    const shares = Map.groupBy(keys, (key) => cellOfKey(key, count));
    assert.equal(shares.size, count);
    const even = keys.length / count;
    for (const [number, share] of shares) {
      // Six standard deviations.
      const apart = Math.abs(share.length - even);
      assert.ok(apart < 6 * Math.sqrt(even), `${number} of ${count} has ${share.length}, not ${even}`);
    }
  }
});

test("what is stored is found by every later build", () => {
  const placed = ["CSQU3054383", "MSCU1234566", "17612345675", "IMO9321483", "HRN0040001"].map((key) =>
    [2, 8, 100].map((count) => cellOfKey(key, count)),
  );
  assert.deepEqual(placed, [
    [1, 1, 42],
    [1, 7, 24],
    [1, 3, 57],
    [0, 0, 60],
    [0, 2, 20],
  ]);
});
