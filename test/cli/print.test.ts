/** What commands print of texts that others wrote. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { answerText } from "../../src/cli/answer-text.ts";
import { facts, jsonText, table } from "../../src/cli/print.ts";

test("control characters of carriers and clients reach no terminal", () => {
  const written = "Grey\u001b[31m Heron\u0007\u009b2J\r";
  for (const printed of [table([written], [["VESSEL", (name) => name]]), facts([["Vessel", written]])]) {
    assert.match(printed, /Grey\ufffd\[31m Heron\ufffd\ufffd2J\ufffd\n$/);
  }
  const answer = { body: written, headers: { at: written }, more: { name: written } };
  const sections = [{ of: "body" }, { of: "headers" }, { facts: { More: "more" } }];
  for (const printed of [answerText(answer, { command: "x", sections }), jsonText(answer)])
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(printed, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  assert.deepEqual(JSON.parse(jsonText(answer)), answer);
});
