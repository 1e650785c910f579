import assert from "node:assert/strict";
import { test } from "node:test";

import { badWordsIn } from "../../scripts/words/check.ts";

const FOUND: readonly [path: string, text: string, line: number, word: string][] = [
  ["src/a.ts", "const a = 1;\n// the lane of an endpoint", 2, "lane"],
  ["src/a.ts", "/**\n * Whoever raised it waits.\n */", 2, "Whoever"],
  ["src/a.ts", "/**\n * It takes\n * in the rest.\n */", 2, "takes\n   in"],
  ["src/a.ts", 'throw new Error("a look-up failed");', 1, "look-up"],
  ["src/a.ts", "const text = `${name}: those that wait`;", 1, "those that"],
  ["src/a.sql", "select 1;\n-- the papers of a shipment", 2, "papers"],
  ["docs/a.md", "# A\n\nIt is under way.", 3, "under way"],
];

for (const [path, text, line, word] of FOUND) {
  test(`${JSON.stringify(word)} is found in ${path}: ${JSON.stringify(text)}`, () =>
    assert.deepEqual(badWordsIn({ path, text }).map((found) => [found.line, found.found])[0], [line, word]));
}

const ALLOWED: readonly [path: string, text: string][] = [
  ["src/a.ts", "const lane = agenda.papers;"],
  ["src/a.ts", 'import { a } from "./lane.ts";'],
  ["src/a.ts", "// `lane` is what the database calls it, lane_rate_updated the event"],
  ["src/products/rates/a.ts", "// one lane, one rate"],
  ["src/a.ts", "// a trade lane"],
  ["docs/a.md", "```\nlane\n```\n\n[a page](lane.md)"],
];

for (const [path, text] of ALLOWED) {
  test(`nothing is found in ${path}: ${JSON.stringify(text)}`, () =>
    assert.deepEqual(badWordsIn({ path, text }), []));
}
