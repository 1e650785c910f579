/** What a check says of a feed whose carrier does not answer as it should. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { certificates, describeTrusting } from "../../support/trusting.ts";
import { csService } from "../sources/answers.ts";
import { answers, CALL, check, feedAt, NEXT, PAGE, results, withCarrier, type Page } from "./checked-feed.ts";

const folder = mkdtempSync(join(tmpdir(), "boathook-feed-check-"));

describeTrusting("a check of a feed", () => {
  after(() => rmSync(folder, { recursive: true }));

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
    [
      "goes elsewhere",
      [{ status: 302, headers: { location: "/" }, body: "" }],
      "failed",
      /^http_302: /,
      /set url to/,
    ],
    [
      "is used up",
      [{ status: 429, headers: { "retry-after": "60" }, body: "slow down" }],
      "failed",
      /^http_429: HTTP 429 \(application\/json\) slow down$/,
      /^Wait 60 s, as the carrier asks\. The quota is used up/,
    ],
    [
      "is forbidden",
      [{ status: 403, body: "no" }],
      "failed",
      /^HTTP 403 \(application\/json\) no$/,
      /may not ask this: check the subscription/,
    ],
  ] as const) {
    test(`whose answer ${what} says so, and what to do`, async () => {
      const carrier = answers(...(pages as readonly Page[]));
      await withCarrier(carrier, async (url) => {
        const checked = await check(feedAt(url));
        const last = checked.steps.at(-1)!;
        assert.deepEqual([last.step, last.of], ["question", "carrierServiceCode=FE1"]);
        assert.equal(last.result, result, JSON.stringify(last));
        assert.equal(checked.passed, result === "passed");
        assert.match(last.found, found);
        assert.match(last.advice ?? "", advice);
        assert.ok(carrier.asked.every((asked) => asked.includes("carrierServiceCode=FE1")));
      });
    });
  }

  test("what was asked is shown with its query, without keys, page by page", async () => {
    const carrier = answers({ ...PAGE, ...NEXT }, PAGE);
    await withCarrier(carrier, async (url) => {
      const { steps } = await check(feedAt(url, { parameters: { apiKey: "the-key-of-a-user" } }));
      const { asked } = steps.at(-1)!;
      assert.equal(asked.length, 2);
      const dates = /startDate=\d{4}-\d\d-\d\d&endDate=\d{4}-\d\d-\d\d/;
      for (const one of asked) {
        assert.ok(one.startsWith(`GET ${url}/cs/v1/vessel-schedules?carrierServiceCode=FE1&`), one);
        assert.match(one, dates);
        assert.match(one, /&apiKey=\[hidden\]/);
      }
      assert.match(asked[1]!, /cursor=2/);
      assert.deepEqual(
        steps.slice(0, -1).map((step) => step.asked),
        [[], []],
      );
    });
  });

  test("an expired certificate ends it before any credential is sent", async () => {
    const carrier = answers(PAGE);
    await withCarrier(
      carrier,
      async (url) => {
        const checked = await check(feedAt(url));
        assert.deepEqual(results(checked), ["name passed", "tls failed", "question skipped"]);
        assert.deepEqual(carrier.asked, []);
      },
      certificates.expired,
    );
  });

  test("a feed that is pushed has nothing to ask", async () => {
    const { url: _, services: __, ...pushed } = feedAt("https://heron.example");
    const checked = await check(pushed, { record: folder });
    assert.deepEqual(
      [results(checked), checked.passed, checked.recorded],
      [["question skipped"], true, null],
    );
  });
});
