import assert from "node:assert/strict";
import { test } from "node:test";

import { sourceText } from "../../scripts/source-text.ts";

/** Code without blanks, so that a case is easy to read. */
function codeOf(source: string): string {
  return sourceText(source).code.replaceAll(/\s+/g, "");
}

const CASES: readonly [source: string, code: string][] = [
  ["a // b", "a"],
  ["a /* b \n c */ d", "ad"],
  ['a("b // c") d', 'a("")d'],
  ["a('it\\'s') b", "a('')b"],
  ["a(`b`) c", "a(``)c"],
  ["a(`b${c}d`) e", "a(`${c}`)e"],
  ["a(`b${{ c: `d${e}` }}f`) g", "a(`${{c:`${e}`}}`)g"],
  ["if (a) { b(`${c}`); }", "if(a){b(`${c}`);}"],
  ['a = /b"c/g; d', "a=/g;d"],
  ["a = /[/]'/; d", "a=/;d"],
  ["return /'/.test(a)", "return/.test(a)"],
  ["a / b; c / d", "a/b;c/d"],
  ["(a) / b // c", "(a)/b"],
  ['const a = "', 'consta="'],
  ["", ""],
];

for (const [source, code] of CASES) {
  test(`the code of ${JSON.stringify(source)} is ${JSON.stringify(code)}`, () => {
    assert.equal(codeOf(source), code);
  });
}

test("every character keeps its place, in one part only", () => {
  const source = 'const a = `x${b}`; // c\n/* d */ const e = "f" + /g/.source;\n';
  const { code, comments, strings } = sourceText(source);
  const merged = source.split("").map((_, index) => {
    const inked = [code, comments, strings]
      .map((part) => part.charAt(index))
      .filter((character) => character.trim() !== "");
    assert.ok(inked.length <= 1);
    return inked[0] ?? source.charAt(index);
  });
  assert.equal(merged.join(""), source);
});
