import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createFailedClaims } from "../../src/engine/claim/failed-claims.ts";

describe("endpoints for which a claim failed", () => {
  test("are claimed for one by one, until that works", () => {
    const failedClaims = createFailedClaims(1_000);
    const putBack: string[] = [];
    const choose = (...due: string[]) => failedClaims.choose(due, (id) => putBack.push(id));
    assert.deepEqual(choose("a", "b"), ["a", "b"]);
    failedClaims.record(["a", "b"]);
    assert.deepEqual([choose("c", "b", "a"), putBack.splice(0)], [["b"], ["c", "a"]]);
    failedClaims.clear(["b"]);
    assert.deepEqual([choose("c", "b", "a"), putBack.splice(0)], [["a"], ["c", "b"]]);
    failedClaims.clear(["a"]);
    assert.deepEqual([choose("c", "b", "a"), putBack], [["c", "b", "a"], []]);
  });

  test("wait twice as long after each failure of their own, up to half a minute", () => {
    const failedClaims = createFailedClaims(1_000);
    failedClaims.record(["a", "b"]);
    assert.equal(failedClaims.waitMs("a"), 1_000, "the failure of many says nothing of one");
    const waits = Array.from({ length: 7 }, () => {
      failedClaims.record(["a"]);
      return failedClaims.waitMs("a");
    });
    assert.deepEqual(waits, [2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    assert.equal(failedClaims.waitMs("b"), 1_000);
    failedClaims.record(["a", "b"]);
    assert.equal(failedClaims.waitMs("a"), 1_000);
  });
});
