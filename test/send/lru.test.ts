import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createLru } from "../../src/engine/send/lru.ts";

/** What is left of these after they were put in, in order, and some were got. */
function left(entriesMax: number, steps: string): string {
  const lru = createLru<string>(entriesMax);
  for (const key of steps) {
    if (key === key.toLowerCase()) lru.set(key, key);
    else assert.equal(lru.get(key.toLowerCase()), key.toLowerCase());
  }
  return [...new Set(steps.toLowerCase())].filter((key) => lru.get(key) !== undefined).join("");
}

describe("a bounded map forgets", () => {
  test("nothing until it is full, and then what was put in first", () => {
    assert.equal(left(3, "abc"), "abc");
    assert.equal(left(3, "abcd"), "bcd");
    assert.equal(left(3, "abcde"), "cde");
  });

  test("not what was used since", () => {
    assert.equal(left(3, "abcAd"), "acd");
    assert.equal(left(3, "abcad"), "acd");
    assert.equal(left(4, "abcAde"), "acde");
  });

  test("a deleted entry, which leaves room", () => {
    const lru = createLru<number>(2);
    lru.set("a", 1);
    lru.set("b", 2);
    lru.delete("b");
    lru.set("c", 3);
    assert.deepEqual(["a", "b", "c"].map(lru.get), [1, undefined, 3]);
  });

  test("nothing for a read of a missing entry", () => {
    const lru = createLru<number>(2);
    lru.set("a", 1);
    lru.set("b", 2);
    assert.equal(lru.get("c"), undefined);
    lru.set("a", 3);
    assert.deepEqual(["a", "b"].map(lru.get), [3, 2]);
  });

  test("the older value of a key", () => {
    const lru = createLru<number>(2);
    lru.set("a", 1);
    lru.set("a", 2);
    assert.equal(lru.get("a"), 2);
  });

  test("in the order of use only once it is more than half full: until then a hit costs nothing more", () => {
    assert.equal(left(4, "abAcde"), "bcde");
    assert.equal(left(4, "abcAde"), "acde");
  });
});
