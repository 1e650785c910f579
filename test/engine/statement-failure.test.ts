import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import { bisect, classifyFailure, type FailureKind } from "../../src/engine/statement-failure.ts";
import { createFailedClaims } from "../../src/engine/claim/failed-claims.ts";
import { STORE_FAULTS, StoreUnavailable, type StoreFault } from "../../src/model/errors.ts";

describe("what a failed statement says of its rows", () => {
  const verdict = (reason: StoreFault, inDoubt: boolean) =>
    classifyFailure(new StoreUnavailable("failed", { reason, commitUnknown: inDoubt }));

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
  });
});

describe("trying the halves of what fails as a whole", () => {
  test("does all but what fails alone, each once, in their order", async () => {
    const numbers = fc.uniqueArray(fc.nat({ max: 200 }), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(numbers, fc.nat({ max: 5 }), async (items, every) => {
        const isBad = (item: number) => item % (every + 1) === 0;
        const done: number[] = [];
        const failing = await bisect(items, async (some): Promise<FailureKind | "done"> => {
          if (some.some(isBad)) return "refused";
          done.push(...some);
          return "done";
        });
        // A single item is not tried: the whole was, and it is the whole.
        const [first] = items;
        const expected = items.length === 1 ? [first] : items.filter(isBad);
        assert.deepEqual(failing, expected);
        assert.deepEqual(done, items.length === 1 ? [] : items.filter((item) => !isBad(item)));
      }),
    );
  });

  test("finds one bad item of a thousand in twenty tries", async () => {
    let tries = 0;
    const items = Array.from({ length: 1_000 }, (_, index) => index);
    const failing = await bisect(items, async (some) => {
      tries += 1;
      return some.includes(437) ? "server_fault" : "done";
    });
    assert.deepEqual(failing, [437]);
    assert.ok(tries <= 20, `${tries} tries`);
  });

  test("stops where the database cannot be reached", async () => {
    const tried: number[][] = [];
    const failing = await bisect([1, 2, 3, 4], async (some) => {
      tried.push([...some]);
      return some.length === 1 ? "unreachable" : "refused";
    });
    assert.equal(failing, null);
    assert.deepEqual(tried, [[1, 2], [1]]);
  });
});

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
