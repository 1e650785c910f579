/** What a source's trouble is called, in every list and command that shows it. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { wordsOf } from "../../src/model/source-words.ts";

test("a poll's failure has the words of the answer that it came of", () => {
  for (const code of ["http_429", "http_503", "timeout", "quota", "breaker_open", "oauth_http_400"])
    assert.equal(wordsOf(`unavailable_${code}`), wordsOf(code), code);
  assert.match(wordsOf("unavailable_http_429"), /wants fewer requests/);
  assert.match(wordsOf("unavailable_breaker_open"), /failed several times in a row/);
});

test("every code has a sentence", () => {
  const codes = [
    ...[
      "not_found",
      "wrong_carrier",
      "wrong_carrier_not_asked",
      "not_permitted",
      "needs_booking",
      "broken_off",
    ],
    ...["unavailable_deadline", "unavailable_not_configured", "unavailable_not_json", "constructor", ""],
  ];
  for (const code of codes) assert.match(wordsOf(code), /^[A-Z][^_]+\.$/, code);
});
