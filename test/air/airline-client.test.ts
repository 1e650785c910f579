import assert from "node:assert/strict";
import { test } from "node:test";

import type { AirlineSource } from "../../src/products/air/sources/airlines/airline-schema.ts";
import {
  withClient,
  AWB,
  FSA,
  fsr,
  oneRecord,
  outcomeOf,
  type SentRequest,
  type Reply,
} from "./with-client.ts";
import { textsIn, type Envelope } from "../../src/products/air/sources/status-request/answer-texts.ts";

test("a status request is sent as a message, and the answer is the waybill's statement", () =>
  withClient(
    fsr(),
    () => ({ body: FSA }),
    async ({ poll, sent }) => {
      const answer = await poll();
      assert.ok(answer.kind === "statement");
      assert.deepEqual(answer.problems, []);
      const { awb, origin, destination, pieces, weightKg, events } = answer.statement;
      assert.deepEqual([awb, origin, destination, pieces, weightKg], [AWB, "DXB", "FRA", 10, 250]);
      assert.deepEqual(
        events.map(({ code, station, at }) => [code, station, at?.local]),
        [["RCS", "DXB", "2026-11-01T09:30:00"]],
      );
      const [{ method, url, body, request }] = sent as [SentRequest];
      assert.deepEqual([method, url, body], ["POST", "/fsr", "FSR\r\n176-12345675\r\n"]);
      assert.equal(request.headers["content-type"], "text/plain; charset=utf-8");
      assert.equal((await poll(answer.digest)).kind, "unchanged");
    },
  ));

test("a message of the airline's own, its headers and its token go with the request", async () => {
  const message = '{"number":"{awb}","{other}":1}';
  const source = (url: string): readonly AirlineSource[] => [
    {
      kind: "fsr",
      url: `${url}/fsr/{prefix}`,
      message,
      contentType: "application/json",
      answer: { format: "json", at: "result.fsa" },
      headers: { ACCEPT: "application/vnd.falcon+json", "Api-Key": "k" },
      oauth: { tokenUrl: `${url}/token`, clientId: "id", clientSecret: "secret" },
    },
  ];
  const reply = ({ url }: SentRequest): Reply =>
    url === "/token"
      ? { body: { access_token: "t0ken", expires_in: 60 } }
      : { body: { result: { fsa: [FSA] } } };
  await withClient(source, reply, async ({ poll, sent }) => {
    assert.equal(outcomeOf(await poll()), "statement");
    const { url, body, request } = sent[1]!;
    assert.deepEqual([url, body], ["/fsr/176", '{"number":"17612345675","{other}":1}']);
    const { accept, authorization, "api-key": key, "content-type": type } = request.headers;
    assert.deepEqual(
      [accept, authorization, key, type],
      ["application/vnd.falcon+json", "Bearer t0ken", "k", "application/json"],
    );
  });
});

test("an airline may be polled by GET, and answer in XML", async () => {
  const source = (url: string): readonly AirlineSource[] => [
    {
      kind: "fsr",
      method: "GET",
      url: `${url}/track/{prefix}?serial={serial}`,
      answer: { format: "xml", at: "imp" },
    },
  ];
  await withClient(
    source,
    () => ({ body: `<r><x:imp>${FSA}</x:imp></r>` }),
    async ({ poll, sent }) => {
      assert.equal(outcomeOf(await poll()), "statement");
      assert.deepEqual([sent[0]?.method, sent[0]?.url], ["GET", "/track/176?serial=12345675"]);
    },
  );
});

test("an airline that does not know the waybill differs from one whose answer is unusable", async () => {
  for (const [reply, outcome] of [
    [{ status: 404 }, "not_found"],
    [{ status: 204 }, "not_found"],
    [{ body: "" }, "not_found"],
    [{ body: "FNA/1\r\nACK/NO RECORD FOUND\r\n" }, "not_found"],
    [{ body: "FSA/14\r\n176-12345675\r\nOSI/NO RECORD FOUND\r\n" }, "not_found"],
    [{ body: FSA.replaceAll("12345675", "12345686") }, "other_waybill"],
    [{ body: "<html>maintenance</html>" }, "not_fsa"],
    [{ body: "x".repeat(1024 * 1024 + 1) }, "too_large"],
    [{ status: 401 }, "not_permitted"],
    [{ status: 302, headers: { location: "/elsewhere" } }, "http_302"],
    [{ status: 503 }, "http_503"],
  ] as const) {
    await withClient(
      fsr(),
      () => reply,
      async ({ poll }) => {
        assert.equal(outcomeOf(await poll()), outcome, JSON.stringify(reply).slice(0, 80));
      },
    );
  }
});

test("unreadable parts of an answer are reported with their place, and the rest counts", () =>
  withClient(
    fsr(),
    () => ({ body: `${FSA}XYZ/WHATEVER\r\n` }),
    async ({ poll }) => {
      const answer = await poll();
      assert.ok(answer.kind === "statement");
      assert.equal(answer.statement.events.length, 1);
      assert.match(answer.problems.join(), /^line 4, column \d+: /);
    },
  ));

test("several messages of a waybill are one statement", async () => {
  const later = FSA.replace("RCS/01NOV0930/DXB", "RCF/EK045/02NOV0930/FRA").replace("/FALCON", "");
  await withClient(
    fsr(),
    () => ({ body: `${FSA}\r\n${later}` }),
    async ({ poll }) => {
      const answer = await poll();
      assert.deepEqual(answer.kind === "statement" && answer.statement.events.map(({ code }) => code), [
        "RCS",
        "RCF",
      ]);
    },
  );
});

test("the years of a replayed airline are inferred from its own clock", async () => {
  const headers = { date: "Sat, 02 Nov 2024 12:00:00 GMT" };
  for (const [asOf, year] of [
    ["now", "2026"],
    ["answer-date", "2024"],
  ] as const) {
    await withClient(
      fsr(),
      () => ({ body: FSA, headers }),
      async ({ poll }) => {
        const answer = await poll();
        assert.ok(answer.kind === "statement");
        assert.equal(answer.statement.events[0]?.at?.local.slice(0, 4), year);
        assert.equal(answer.dateMs, Date.UTC(2024, 10, 2, 12));
      },
      { asOf },
    );
  }
});

test("sources are polled in order until one has a statement; without any, the worst failure counts", async () => {
  const both = (url: string): readonly AirlineSource[] => [
    ...oneRecord(url),
    { kind: "push" },
    ...fsr()(url),
  ];
  const reply = ({ url }: SentRequest): Reply => (url === "/fsr" ? { body: FSA } : { status: 404 });
  await withClient(both, reply, async ({ poll, sent }) => {
    assert.equal(outcomeOf(await poll()), "statement");
    assert.equal(sent.length, 2);
  });
  const down = ({ url }: SentRequest): Reply => (url === "/fsr" ? { status: 404 } : { status: 500 });
  await withClient(both, down, async ({ poll }) => assert.equal(outcomeOf(await poll()), "http_500"));
  await withClient(
    () => [{ kind: "push" }],
    () => ({}),
    async ({ poll, sent, client }) => {
      assert.equal(outcomeOf(await poll()), "not_found");
      assert.deepEqual([sent.length, client.isBreakerOpen("176")], [0, false]);
    },
  );
});

test("the breaker opens for an airline that is down, and a quota holds for all prefixes of the airline", async () => {
  await withClient(
    fsr(),
    () => ({ status: 503 }),
    async ({ poll, client, clock, sent }) => {
      const outcomes: string[] = [];
      for (let count = 0; count < 7; count += 1) outcomes.push(outcomeOf(await poll()));
      assert.deepEqual(outcomes, [...Array<string>(5).fill("http_503"), "breaker_open", "breaker_open"]);
      assert.deepEqual(
        [client.isBreakerOpen("176"), client.isBreakerOpen("901"), client.isBreakerOpen("999")],
        [true, true, false],
      );
      assert.equal(sent.length, 5);
      await clock.advance(5_000);
      assert.equal(client.isBreakerOpen("176"), false);
    },
  );
  await withClient(
    fsr({ quota: { perMinute: 1 } }),
    () => ({ body: FSA }),
    async ({ poll, client, airline }) => {
      assert.equal(outcomeOf(await poll()), "statement");
      const answer = await client.fetch(airline, "90112345675");
      assert.deepEqual(answer, { kind: "unavailable", reason: "quota", retryAfterMs: 60_000 });
    },
  );
});

const json = (at: string): Envelope => ({ format: "json", at });
const xml: Envelope = { format: "xml", at: "Message" };
const ENTITIES = "&#99999999;&nothing;&#x110000;";

for (const [what, body, envelope, texts] of [
  ["without an envelope, the answer", "FSA/14\r\n", undefined, ["FSA/14\r\n"]],
  ["without an envelope, no blanks", " \r\n", undefined, []],
  ["a member", '{"message":"FSA"}', json("message"), ["FSA"]],
  ["texts of a list", '{"data":{"messages":["one","two",3,""]}}', json("data.messages"), ["one", "two"]],
  ["members of a list", '{"items":[{"text":"one"},{},{"text":"two"}]}', json("items.text"), ["one", "two"]],
  ["members of an answer that is a list", '[{"text":"one"}]', json("text"), ["one"]],
  ["nothing at another path", '{"error":"none"}', json("data.messages"), []],
  ["nothing past null", '{"data":null}', json("data.messages"), []],
  ["nothing that is inherited", "{}", json("__proto__.toString"), []],
  ["no JSON", "<html>", json("message"), "not_json"],
  ["an element", "<r><Message>FSA/14\nX</Message></r>", xml, ["FSA/14\nX"]],
  [
    "elements of any prefix, and their entities",
    '<s:r xmlns:s="u"><s:Message id="1">a &lt;&#38;&#x26; b</s:Message><s:Message>c</s:Message></s:r>',
    xml,
    ["a <&& b", "c"],
  ],
  ["CDATA", "<r><Message><![CDATA[FSA <&amp;>]]>&#13;</Message></r>", xml, ["FSA <&amp;>\r"]],
  ["no empty element", "<r><Message/><Messages>no</Messages><Message>yes</Message></r>", xml, ["yes"]],
  ["entities that are none", `<r><Message>${ENTITIES}</Message></r>`, xml, [ENTITIES]],
  ["no element that never closes", "<r><Message>never closed", xml, []],
  ["no page", "<!doctype html><html><body>maintenance</body></html>", xml, "not_xml"],
  ["no XML", "maintenance", xml, "not_xml"],
  ["none of many that never close", `<r>${"<Message>".repeat(100_000)}`, xml, []],
] as const) {
  test(`messages of an answer: ${what}`, () => assert.deepEqual(textsIn(body, envelope), texts));
}
