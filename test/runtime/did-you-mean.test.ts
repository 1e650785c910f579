import assert from "node:assert/strict";
import { test } from "node:test";

import { didYouMean } from "../../src/runtime/did-you-mean.ts";

const ONE: readonly [what: string, typed: string, name: string, isNear: boolean][] = [
  ["the name itself", "serve", "serve", true],
  ["the beginning of a name", "d", "deliveries", true],
  ["nothing", "", "demo", false],
  ["the end of a name alone", "ies", "deliveries", false],
  ["one letter too few", "ab", "abc", true],
  ["one letter too many", "abxc", "abc", true],
  ["one letter too many at the end", "abcd", "abc", true],
  ["one letter replaced", "axc", "abc", true],
  ["the last letter replaced", "abx", "abc", true],
  ["two neighbours swapped at the end", "acb", "abc", true],
  ["two neighbours swapped at the start", "bac", "abc", true],
  ["two neighbours swapped and one letter too many", "xacb", "abc", false],
  ["letters swapped that are no neighbours", "cba", "abc", false],
  ["two letters replaced in a name of five", "axcye", "abcde", false],
  ["two letters replaced in a name of six", "axcyef", "abcdef", true],
  ["three letters replaced in a name of six", "axcyez", "abcdef", false],
  ["a letter moved behind another", "xa", "ab", false],
  ["one letter replaced in a name of two", "ax", "ab", true],
  ["both letters replaced in a name of two", "xy", "ab", false],
];

for (const [what, typed, name, isNear] of ONE) {
  test(`${what} is ${isNear ? "near" : "too far from"} a name: ${typed || '""'}, ${name}`, () => {
    assert.equal(didYouMean(typed, [name]), isNear ? name : null);
  });
}

test("the nearest of several names is meant, and the first of those as near", () => {
  assert.equal(didYouMean("abcdef", ["abcxyf", "abcdex", "abcdey"]), "abcdex");
  assert.equal(didYouMean("abcdef", ["abcdex", "abcxyf"]), "abcdex");
});

test("where there is no name, none is meant", () => {
  assert.equal(didYouMean("a", []), null);
});
