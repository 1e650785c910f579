import assert from "node:assert/strict";
import { test } from "node:test";

import { patternsIn, slownessOf } from "../../scripts/patterns.ts";

const LINEAR = ["^a+$", "^[a-z]{1,40}-(?:b|c)*$", "a{3}b", String.raw`^\s*(?:x\s*)?y`, "[+*(?]|(", "x?y?z"];
const SLOW = ["a+$", "(a+)+$", "^(?:a|a)*$", String.raw`^\s*x?\s*y`, "<([^>]*)>;[^,]*next"];

for (const source of LINEAR) {
  test(`/${source}/ is linear`, async () => {
    assert.equal(await slownessOf({ source: source.replace("|(", String.raw`|\(`), flags: "" }), null);
  });
}

for (const source of SLOW) {
  test(`/${source}/ is slow on some texts`, async () => {
    assert.match((await slownessOf({ source, flags: "" })) ?? "", /polynomial|exponential/);
  });
}

test("of a pattern with a look-around nobody can tell", async () => {
  assert.match(
    (await slownessOf({ source: String.raw`\B(?=(?:\d{3})+$)`, flags: "" })) ?? "",
    /nobody can tell/,
  );
});

test("literals, constructed patterns and those of schemas are found, with the parts that the file knows", () => {
  const text = [
    "const LETTER = `[a-z]`;",
    String.raw`const a = /\d/u.test(b), c = new RegExp(LETTER + "+", "g"), d = RegExp(/e/.source);`,
    String.raw`const f = { pattern: "^\\d$" }, g = new RegExp(String.raw${"`"}\s${"${unknown}"}${"`"});`,
  ].join("\n");
  assert.deepEqual(
    patternsIn({ path: "a.ts", text }).map(({ line, source, flags }) => `${line}: /${source}/${flags}`),
    ["2: /\\d/u", "2: /[a-z]+/g", "2: /e/", "2: /e/", "3: /^\\d$/u", "3: /\\sx/"],
  );
});
