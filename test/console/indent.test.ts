/** A body as the console shows it to be read. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { indentJson } from "../../packages/console/src/ui/indent.ts";

test("it is indented as JSON.stringify does, and keeps the bytes of numbers and escapes", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(indentJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
    }),
  );
  assert.equal(
    indentJson('{"n":12345678901234567890.10,"s":"\\u0041 {,:}"}'),
    '{\n  "n": 12345678901234567890.10,\n  "s": "\\u0041 {,:}"\n}',
  );
});
