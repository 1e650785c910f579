import assert from "node:assert/strict";
import { test } from "node:test";

import { importsIn, parseSource, stringsIn } from "../../scripts/source.ts";

const programOf = (text: string) => parseSource({ path: "a.ts", text }).program;

const IMPORTS: readonly [text: string, target: string, names: readonly string[]][] = [
  ['import a, { b as c } from "./x.ts";', "./x.ts", ["default", "b"]],
  ['import type * as a from "./x.ts";', "./x.ts", ["*"]],
  ['import "./x.ts";', "./x.ts", []],
  ['type A = import("./x.ts").B;', "./x.ts", ["B"]],
  ['const a = await import("./x.ts");', "./x.ts", ["*"]],
  ['export { a as b } from "./x.ts";', "./x.ts", ["a"]],
  ['export * from "./x.ts";', "./x.ts", ["*"]],
];

for (const [text, target, names] of IMPORTS) {
  test(`what ${text} imports`, () =>
    assert.deepEqual(
      [...importsIn(programOf(text))].map((found) => [found.target, found.names]),
      [[target, names]],
    ));
}

test("strings are literals and templates, no import paths", () => {
  const text = 'import { a } from "./x.ts";\nconst b = `c${"d"}e`;\ntype F = "g";\nconst h = /i/;';
  assert.deepEqual(
    [...stringsIn(programOf(text))].map((piece) => piece.text),
    ["c e", "d", "g"],
  );
});

test("a file that does not parse is an error with its path", () =>
  assert.throws(() => programOf("const = 1;"), /a\.ts/));
