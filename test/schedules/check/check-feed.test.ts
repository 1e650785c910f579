/** What a check says of a feed whose carrier does not answer as it should. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { describeTrusting } from "../../support/trusting.ts";
import { csService } from "../sources/answers.ts";
import { check, withSource, type Reply } from "../../source-check/replayed.ts";
import { CALL, feedAt, NEXT, PAGE, pagesOf } from "./checked-feed.ts";
import { FEED_CHECK } from "../../../src/products/schedules/check/feed-check.ts";

describeTrusting("a check of a feed", () => {
  for (const [what, pages, result, found, advice] of [
    ["is right", [PAGE], "passed", /^HTTP 200, \d+ bytes, calls: 1$/, /^$/],
    ["is right on two pages", [{ ...PAGE, ...NEXT }, PAGE], "passed", /, calls: 1 in 2 answers$/, /^$/],
    ["has no calls", [{ body: [] }], "passed", /, calls: 0$/, /has no calls: check that the carrier knows/],
    ["is not there", [{ status: 404, body: {} }], "passed", /^HTTP 404 /, /A wrong address looks the same/],
    [
      "has a call without a port",
      [{ body: [csService("FE1", [CALL, {}])] }],
      "passed",
      /, calls: 1$/,
      /skipped/,
    ],
    [
      "refuses the question",
      [{ status: 400, body: { errors: [{ errorCodeMessage: "limit is too large" }] } }],
      "failed",
      /is answered with 400: .*limit is too large/,
      /check url, `kind`, `parameters`/,
    ],
    [
      "is no JSON",
      [{ body: "<html>" }],
      "failed",
      /^HTTP 200, 6 bytes \(application\/json\) <html>: is no JSON$/,
      /check url/,
    ],
    [
      "is a page to log in at",
      [{ headers: { "content-type": "text/html" }, body: "<html>\n<h1>Log\u0007 in</h1>" }],
      "failed",
      /^HTTP 200, 23 bytes \(text\/html\) <html> <h1>Log\ufffd in<\/h1>: is no JSON$/,
      /check url/,
    ],
    [
      "has nothing of use",
      [{ body: [csService("FE1", [{}])] }],
      "failed",
      /, calls: 0$/,
      /check that `kind`/,
    ],
    [
      "goes on at another server",
      [{ ...PAGE, headers: { link: '<https://elsewhere.example/2>; rel="next"' } }],
      "failed",
      /^next_page_elsewhere: HTTP 200, \d+ bytes, calls: 1$/,
      /^Some pages came, and not all.* no further page of it/,
    ],
  ] as const) {
    test(`whose answer ${what} says so, and what to do`, async () => {
      await withSource(pagesOf(...(pages as readonly Reply[])), async ({ url, asked }) => {
        const checked = await check(FEED_CHECK, feedAt(url), {});
        const last = checked.steps.at(-1)!;
        assert.deepEqual([last.step, last.of], ["question", "carrierServiceCode=FE1"]);
        assert.equal(last.result, result, JSON.stringify(last));
        assert.equal(checked.passed, result === "passed");
        assert.match(last.found, found);
        assert.match(last.advice ?? "", advice);
        assert.ok(asked.every((one) => one.url.searchParams.get("carrierServiceCode") === "FE1"));
      });
    });
  }
});
