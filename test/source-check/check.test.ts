/** What every check says of servers, certificates, refusals and secrets: a kind of source that is nobody's. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { Type } from "typebox";

import type { CheckedKind } from "../../src/freight/source-check/check.ts";
import { answersFile } from "../../src/freight/source-check/kept-answers.ts";
import { passed } from "../../src/freight/source-check/step.ts";
import { noAnswerOf, type NoAnswer } from "../../src/freight/upstream/no-answer.ts";
import { createUpstream } from "../../src/freight/upstream/upstream.ts";
import { certificates, describeTrusting } from "../support/trusting.ts";
import { check, checkAgain, failureOf, results, withSource, type Reply } from "./replayed.ts";

type Gauge = { readonly url: string; readonly headers: Readonly<Record<string, string>> };
type Answer = NoAnswer | { readonly kind: "read"; readonly body: string };
type About = { readonly place: string };

const KEY = "k3y/of the+client";

/** Tide gauges: asked about a place, and one answer is what comes of it. */
const GAUGES: CheckedKind<Gauge, About, Answer, string, About> = {
  words: { whom: "gauge", file: "gauges file", subject: "place", address: "url" },
  advice: [],
  whoOf: (_, { place }) => ({ place }),
  apisOf: ({ url, headers }, { place }) => [
    { of: "its telegraph", why: "it comes by itself" },
    {
      of: place,
      secrets: { credentials: [headers], others: [KEY] },
      servers: [url],
      besides: ["https://127.0.0.1:1"],
      isNobodys: place === "nowhere" ? "--place" : null,
      async ask({ http, clock, random }) {
        const upstream = createUpstream("gauge", {}, { http, clock, random });
        const address = new URL(`${url}/${place}?key=${encodeURIComponent(KEY)}`);
        const answer = await upstream.get(address, { headers, timeoutMs: 5_000, bodyBytesMax: 1_000 });
        const body = answer.kind === "answered" ? answer.body : "";
        return noAnswerOf(answer, clock.nowMs()) ?? { kind: "read", body };
      },
      endOf: (answer, came) => (answer.kind === "read" ? passed(came.text(true)) : came.noAnswer(answer)),
      entry: { url, headers },
    },
  ],
  outcomeOf: ([answer]) => (answer?.kind === "read" ? answer.body : null),
  file: answersFile({
    form: "gauge-answers-1",
    field: "gauge",
    aboutSchema: { place: Type.String({ maxLength: 10 }) },
    aboutOf: (_, about) => about,
    nameOf: (_, { place }) => place,
    entryOf: (_, [gauge = {}]) => gauge,
    readEntries(text) {
      const [{ url }] = JSON.parse(text) as [{ url?: string }];
      if (url === undefined) return { kind: "invalid", problems: ["/0 lacks url"] };
      return { kind: "entries", entries: [{ url, headers: {} }] };
    },
  }),
};

const folder = mkdtempSync(join(tmpdir(), "boathook-check-"));
const headers = { "X-Key": "a-key-in-a-header" };

describeTrusting("a check", () => {
  after(() => rmSync(folder, { recursive: true }));

  for (const [what, reply, result, found, advice] of [
    [
      "knows it not",
      { status: 404, body: {} },
      "failed",
      /^HTTP 404 \{\}: not found$/,
      /^The gauge does not know this place/,
    ],
    [
      "refuses us",
      { status: 401, body: "no" },
      "failed",
      /^HTTP 401 .* no$/,
      /refuses the credentials: check the keys in the gauges file/,
    ],
    [
      "forbids it",
      { status: 403, body: "no" },
      "failed",
      /^HTTP 403 .* no$/,
      /may not ask this: check the subscription/,
    ],
    [
      "goes elsewhere",
      { status: 302, body: "" },
      "failed",
      /^http_302: HTTP 302/,
      /Redirects are not followed.*: set url to/,
    ],
    [
      "is down",
      { status: 503, body: "" },
      "failed",
      /^http_503: /,
      /has an outage, or its API is elsewhere: try again, and check url/,
    ],
    [
      "is used up",
      { status: 429, headers: { "retry-after": "3600" }, body: "slow down" },
      "failed",
      /^http_429: HTTP 429 \(application\/json\) slow down$/,
      /^Wait 3600 s, as the gauge asks\. The quota is used up/,
    ],
    [
      "is too large",
      { body: "x".repeat(2_000) },
      "failed",
      /^too_large: too_large$/,
      /^The gauge has an outage/,
    ],
    ["is right", { body: "12 feet" }, "passed", /^HTTP 200, 7 bytes$/, /^$/],
  ] as const satisfies readonly (readonly [string, Reply, string, RegExp, RegExp])[]) {
    test(`of a source whose answer ${what} says so, and what to do`, async () => {
      await withSource({ reply: () => reply }, async ({ url, asked }) => {
        const { steps } = await check(GAUGES, { url, headers }, { place: "dover" });
        const question = steps.find(({ of }) => of === "dover")!;
        assert.equal(question.result, result);
        assert.match(question.found, found);
        assert.match(question.advice ?? "", advice);
        assert.deepEqual(question.asked, [`GET ${url}/dover?key=[hidden]`]);
        assert.equal(asked.length, 1, "it is not asked again");
      });
    });
  }

  test("says that nobody has what is asked about, as it should be, and how to ask about a real one", async () => {
    await withSource({ reply: () => ({ status: 404, body: {} }) }, async ({ url }) => {
      const { found, advice } = (await check(GAUGES, { url, headers }, { place: "nowhere" })).steps.at(-1)!;
      assert.match(found, /^HTTP 404 \{\}: nobody has this number/);
      assert.match(advice!, /^Ask about a real one with --place/);
    });
  });

  test("asks nothing of what comes by itself, and asks though a server beside the question is down", async () => {
    await withSource({ reply: () => ({ body: "12 feet" }) }, async ({ url }) => {
      const its = await check(GAUGES, { url, headers }, { place: "dover" });
      const [question, ...rest] = ["question skipped", "name passed", "tls passed", "name passed"];
      assert.deepEqual(results(its), [question, ...rest, "tls failed", "question passed"]);
      assert.deepEqual([its.passed, its.outcome], [false, "12 feet"]);
    });
  });

  test("ends before any credential is sent where a certificate is wrong, and says how", async () => {
    for (const [certificate, code, advice] of [
      [certificates.expired, "CERT_HAS_EXPIRED", /^The gauge's certificate has expired/],
      [
        certificates.wrongHost,
        "ERR_TLS_CERT_ALTNAME_INVALID",
        /another name's: check the address in the gauges file/,
      ],
      [certificates.selfSigned, "DEPTH_ZERO_SELF_SIGNED_CERT", /trusts nobody who signed it/],
      [certificates.untrusted, "UNABLE_TO_VERIFY_LEAF_SIGNATURE", /trusts nobody who signed it/],
      [certificates.notYetValid, "CERT_NOT_YET_VALID", /not valid yet/],
    ] as const) {
      const work = async ({ url, asked }: { readonly url: string; readonly asked: readonly unknown[] }) => {
        const its = await check(GAUGES, { url, headers }, { place: "dover" });
        const failure = failureOf(its)!;
        assert.equal(failure.step, "tls");
        assert.match(
          failure.found,
          new RegExp(`^${code}: TLSv1\\.\\d, certificate of .*, valid until \\d{4}-`),
        );
        assert.match(failure.advice!, advice);
        assert.deepEqual([its.steps.at(-1)?.result, asked.length], ["skipped", 0]);
      };
      await withSource({ reply: () => null }, work, certificate);
    }
  });

  test("names a server that is not there, and a name that nobody knows", async () => {
    const gone = await check(GAUGES, { url: "https://127.0.0.1:1", headers }, { place: "dover" });
    assert.equal(failureOf(gone)?.found, "ECONNREFUSED");
    const nameless = await check(GAUGES, { url: "https://gauge.invalid", headers }, { place: "dover" });
    assert.equal(failureOf(nameless)?.step, "name");
  });

  test("hides keys in what it shows and keeps, and what is kept answers the question again", async () => {
    const said = {
      feet: 12,
      echo: [KEY, encodeURIComponent(KEY), headers["X-Key"]],
      page: "/?key=signed-again",
    };
    const link = { link: '</dover?page=2&apiKey=signed-again>; rel="next"' };
    await withSource({ reply: () => ({ headers: link, body: said }) }, async ({ url }) => {
      const its = await check(GAUGES, { url, headers }, { place: "dover" }, { record: folder });
      assert.equal(its.recorded, join(folder, "dover.json"));
      const text = readFileSync(its.recorded, "utf8");
      for (const secret of [KEY, encodeURIComponent(KEY), headers["X-Key"]])
        assert.ok(!(JSON.stringify(its) + text).includes(secret), secret);
      assert.ok(!text.includes("signed-again"));
      const again = await checkAgain(GAUGES, text);
      assert.deepEqual(results(again), ["question skipped", "question passed"]);
      assert.equal(JSON.parse(again.outcome!).feet, 12);
    });
  });

  test("refuses a file that holds no answers, with the reason", () => {
    const exchanges = [{ method: "GET", url: "https://x.example/", status: 200, headers: {}, body: "" }];
    const gauge = { url: "https://x.example" };
    const whole = { form: "gauge-answers-1", at: "2026-11-02T12:00:00Z", place: "dover", gauge, exchanges };
    assert.equal(typeof GAUGES.file.read!(JSON.stringify(whole)), "object");
    for (const [value, problem] of [
      ["{", /^it holds no answers in the form gauge-answers-1$/],
      [[], /^it holds no answers/],
      [{ ...whole, place: "a long way off" }, /^it\.place /],
      [{ ...whole, exchanges: [] }, /^it\.exchanges /],
      [{ ...whole, at: "soon" }, /^it\.at /],
      [{ ...whole, gauge: {} }, /^its gauge is wrong: \/0 lacks url$/],
    ] as const) {
      const read = GAUGES.file.read!(typeof value === "string" ? value : JSON.stringify(value));
      assert.match(typeof read === "string" ? read : "it was read", problem);
    }
  });
});
