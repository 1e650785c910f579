/** What a check says of a feed whose carrier does not answer as it should. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { readRecording } from "../../../src/products/schedules/check/recording.ts";
import type { Feed } from "../../../src/products/schedules/sources/feed-schema.ts";
import { certificates, describeTrusting } from "../../support/trusting.ts";
import { csService, stamp, transportCall } from "../sources/answers.ts";
import { check, checkAgain, results, withCarrier } from "./checked-feed.ts";

const folder = mkdtempSync(join(tmpdir(), "boathook-feed-check-"));

type Page = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
};

/** The pages one after another, then the last one again. */
function answers(...pages: readonly Page[]): RequestListener & { readonly asked: string[] } {
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    const { status = 200, headers = {}, body } = pages[Math.min(asked.length, pages.length - 1)]!;
    asked.push(request.url!);
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));
  };
  return Object.assign(listener, { asked });
}

const CALL = transportCall("NLRTM", { timestamps: [stamp("ARRI", "EST", "2026-12-01T06:00:00Z")] });
const PAGE = { body: [csService("FE1", [CALL])] };

const feedAt = (url: string, more: Partial<Feed> = {}): Feed => ({
  name: "heron",
  carrier: "HRNL",
  kind: "cs-vessel-schedules",
  url: `${url}/cs/v1/vessel-schedules`,
  services: ["FE1", "FE2"],
  ...more,
});

describeTrusting("a check of a feed", () => {
  after(() => rmSync(folder, { recursive: true }));

  const next = { headers: { "next-page-cursor": "2" } };
  for (const [what, pages, result, found, advice] of [
    ["is right", [PAGE], "passed", /^HTTP 200, \d+ bytes, calls: 1$/, /^$/],
    ["is right on two pages", [{ ...PAGE, ...next }, PAGE], "passed", /, calls: 1 in 2 answers$/, /^$/],
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
      "is of another kind",
      [{ body: { hello: "you" } }],
      "failed",
      /is no list of vessel schedules/,
      /check url/,
    ],
    ["is no JSON", [{ body: "<html>" }], "failed", /is no JSON/, /check url/],
    [
      "breaks off",
      [
        { ...PAGE, ...next },
        { status: 500, body: "oh" },
      ],
      "failed",
      /^http_500: HTTP 500 oh, calls: 1 in \d answers$/,
      /^Some pages came, and not all/,
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
      "goes on at a page that is not there",
      [
        { ...PAGE, ...next },
        { status: 404, body: "gone" },
      ],
      "failed",
      /^http_404: HTTP 404 gone, calls: 1 in 2 answers$/,
      /^Some pages came, and not all/,
    ],
    [
      "goes on with something else",
      [{ ...PAGE, ...next }, { body: "<html>" }],
      "failed",
      /calls: 1 in 2 answers: .*is no JSON$/,
      /^Some pages came, and not all/,
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
      /^http_429: HTTP 429 slow down$/,
      /^Wait 60 s, as the carrier asks\. The quota is used up/,
    ],
    [
      "is forbidden",
      [{ status: 403, body: "no" }],
      "failed",
      /^HTTP 403 no$/,
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

  test("keys in the question are hidden in what is kept, which still answers the question", async () => {
    const key = "k3y/of the+carrier";
    const link = { headers: { link: '</cs/v1/vessel-schedules?cursor=2&apiKey=signed-again>; rel="next"' } };
    const cursor = { headers: { "next-page-cursor": "a-long-cursor-".repeat(5) } };
    const remarked = { body: [csService("FE1", [CALL]), { remark: key }] };
    const carrier = answers({ ...remarked, ...link }, { ...PAGE, ...cursor }, PAGE);
    await withCarrier(carrier, async (url) => {
      const feed = feedAt(url, { parameters: { apiKey: key }, secret: "a-secret-of-the-pusher" });
      const checked = await check(feed, { record: folder });
      const text = readFileSync(checked.recorded!, "utf8");
      for (const secret of [
        key,
        encodeURIComponent(key),
        "k3y%2Fof+the%2Bcarrier",
        "signed-again",
        feed.secret!,
      ]) {
        assert.ok(!text.includes(secret), secret);
        assert.ok(!JSON.stringify(checked).includes(secret), secret);
      }
      const recording = readRecording(text);
      assert.ok(typeof recording !== "string", JSON.stringify(recording));
      const again = await checkAgain(recording);
      assert.deepEqual(again.outcome, checked.outcome);
      assert.match(again.steps[0]!.found, / in 3 answers$/);
    });
  });

  test("a refusal or a part of an answer that repeats a key shows nothing of it", async () => {
    const key = "the-long-key-of-a-user-who-wants-to-keep-it";
    const refusal = { errors: [{ errorCodeMessage: `the key ${key} is over its limit` }] };
    const strange = { ...CALL, timestamps: [stamp("ARRI", "EST", key)] };
    const basic = `Basic ${Buffer.from(`heron:${key}`).toString("base64")}`;
    for (const pages of [
      [{ body: [csService("FE1", [CALL]), { remark: key }] }],
      [{ status: 400, body: refusal }],
      [
        { ...PAGE, ...next },
        { status: 400, body: refusal },
      ],
      [{ body: [csService("FE1", [CALL, strange])] }],
    ] as const) {
      await withCarrier(answers(...(pages as readonly Page[])), async (url) => {
        for (const more of [{ parameters: { authorization: key } }, { headers: { authorization: basic } }]) {
          const checked = await check(feedAt(url, more), { record: folder });
          const text = JSON.stringify(checked) + readFileSync(checked.recorded!, "utf8");
          assert.ok(!text.includes(key.slice(0, 12)), text);
        }
      });
    }
  });

  test("a key of three characters, and one that is repeated in Base64 or hex, are not kept; JSON stays JSON", async () => {
    const key = "k4%/";
    const echo = {
      remark: [Buffer.from(key), Buffer.from(`heron:${key}`)].flatMap((bytes) => [
        bytes.toString("base64"),
        bytes.toString("hex"),
      ]),
      party: 207,
      note: "207 of 2071",
    };
    await withCarrier(answers({ body: [csService("FE1", [CALL]), echo] }), async (url) => {
      const checked = await check(feedAt(url, { headers: { "x-key": key, "x-customer": "207" } }), {
        record: folder,
      });
      const { exchanges } = JSON.parse(readFileSync(checked.recorded!, "utf8"));
      const [, { remark, party, note }] = JSON.parse(exchanges[0].body);
      assert.deepEqual([remark[0], remark[1]], ["[hidden]", "[hidden]"]);
      assert.equal(remark.length, 4);
      for (const one of remark) assert.match(one, /\[hidden\]/);
      assert.deepEqual([party, note], ["[hidden]", "[hidden] of 2071"]);
    });
  });

  test("what holds no answers is refused with the reason", () => {
    const kept = { form: "boathook-schedule-answers-1", at: "2026-11-01T00:00:00Z", feed: {}, exchanges: [] };
    for (const [text, reason] of [
      ["{", /^it holds no answers in the form/],
      ["[]", /^it holds no answers in the form/],
      [JSON.stringify(kept), /exchanges/],
      [
        JSON.stringify({
          ...kept,
          exchanges: [{ method: "GET", url: "https://a.example/", status: 200, headers: {}, body: "" }],
        }),
        /^its feed is wrong: /,
      ],
    ] as const) {
      const read = readRecording(text);
      assert.ok(typeof read === "string");
      assert.match(read, reason);
    }
  });
});
