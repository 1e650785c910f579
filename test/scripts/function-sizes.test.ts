import assert from "node:assert/strict";
import { test } from "node:test";

import { functionSizes } from "../../scripts/function-sizes.ts";

const CASES: readonly [
  what: string,
  lines: readonly string[],
  sizes: readonly [line: number, ownLines: number][],
][] = [
  ["a function", ["function a() {", "  b();", "  c();", "}"], [[1, 2]]],
  ["a function with a return type", ["function a(): Map<string, { b: 1 }> {", "  b();", "}"], [[1, 1]]],
  ["an arrow function", ["const a = (b) => {", "  c();", "};"], [[1, 1]]],
  ["a method", ["return {", "  async a(b) {", "    c();", "  },", "};"], [[2, 1]]],
  ["a signature of several lines", ["function a(", "  b,", "): void {", "  c();", "}"], [[3, 1]]],
  [
    "a function in a function, whose lines are its own",
    ["function a() {", "  b();", "  function c() {", "    d();", "    e();", "  }", "}"],
    [
      [1, 3],
      [3, 2],
    ],
  ],
  [
    "blocks, which are none",
    ["if (a) {", "  b();", "} else if (c) {", "  d();", "}", "for (;;) {", "  e();", "}"],
    [],
  ],
  ["an if of several lines", ["if (", "  a &&", "  b", ") {", "  c();", "}"], []],
];

for (const [what, lines, sizes] of CASES) {
  test(`it measures ${what}`, () => {
    assert.deepEqual(
      functionSizes(lines.join("\n")).map(({ line, ownLines }) => [line, ownLines]),
      sizes,
    );
  });
}
