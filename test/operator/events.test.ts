/** `POST /v1/events`: the way in of every event. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import fc from "fast-check";

import { DATA_BYTES_MAX } from "../../src/model/event.ts";
import { assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { sendAsOperator, startService } from "../support/service.ts";
import { forAllAsync, runs } from "../support/runs.ts";
import { anyText } from "../support/texts.ts";

const ACCOUNT = "01900000-0000-7000-8000-00000000000a";
const INDEX = { index_id: "europe", dated: "2026-10-30", value: "1042.17" };
const event = { product: "rates", account_id: ACCOUNT, type: "index_refreshed", data: INDEX };

describe("raising events", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));
  beforeEach(() => {
    service.engine.raised.length = 0;
    service.engine.raiseResult = null;
  });

  const raise = (body: object | string) => sendAsOperator(service, "POST", "/v1/events", body);

  test("events are handed on as they were sent, and accepted with 202", async () => {
    const answer = await raise({
      events: [
        {
          ...event,
          account_id: ACCOUNT.toUpperCase(),
          data: { ...INDEX, lane: "CNSHA-NLRTM", usd: 1234.5, at: [null, true, "é"] },
          occurred_at: "2026-11-02T10:00:00.25+02:00",
          dedup_key: "k1",
        },
        event,
      ],
    });
    assert.deepEqual([answer.status, answer.body], [202, { accepted: 2, duplicates: 0, deliveries: 0 }]);
    const common = { product: "rates", accountId: ACCOUNT, type: "index_refreshed" };
    assert.deepEqual(service.engine.raised, [
      {
        ...common,
        data: `${JSON.stringify(INDEX).slice(0, -1)},"lane":"CNSHA-NLRTM","usd":1234.5,"at":[null,true,"é"]}`,
        occurredAtMs: Date.UTC(2026, 10, 2, 8, 0, 0, 250),
        references: ["EUROPE"],
        dedupKey: "k1",
      },
      {
        ...{ ...common, data: JSON.stringify(INDEX), occurredAtMs: service.clock.nowMs() },
        references: ["EUROPE"],
      },
    ]);
  });

  test("a field that events do not have is refused by name, and nothing is raised", async () => {
    for (const [body, message] of [
      [{ events: [event], dry_run: true }, /^body has no dry_run: it takes events$/],
      [{ events: [event, { ...event, dedupKey: "k" }] }, /^events\[1\] has no dedupKey: it takes product, /],
    ] as const)
      assertRefused(await raise(body), 400, "INVALID_REQUEST", message);
    assert.deepEqual(service.engine.raised, []);
  });

  test("numbers are handed on digit by digit, however many they have", async () => {
    const data = `${JSON.stringify(INDEX).slice(0, -1)},"index":12345678901234567890,"usd":12345678901234.56789,"far":1e400,"near":[0.1,1.50,-0]}`;
    const answer = await raise(
      `{"events":[{"product":"rates","account_id":"${ACCOUNT}","type":"index_refreshed","data":${data}}]}`,
    );
    assert.equal(answer.status, 202);
    assert.equal(service.engine.raised[0]!.data, data);
  });

  test("what the engine knows already is answered as duplicates, beside what it delivers", async () => {
    service.engine.raiseResult = { kind: "raised", accepted: 1, duplicates: 2, deliveries: 3 };
    const { body } = await raise({ events: [event, event, event] });
    assert.deepEqual(body, { accepted: 1, duplicates: 2, deliveries: 3 });
  });

  test("a thousand events are taken at once, one more is not", async () => {
    assert.equal((await raise({ events: Array.from({ length: 1_000 }, () => event) })).body.accepted, 1_000);
    const answer = await raise({ events: Array.from({ length: 1_001 }, () => event) });
    assert.equal(answer.status, 400);
    assert.match(answer.body.error.message, /1 to 1000 events, not 1001/);
  });

  test("an unknown account is refused by its id", async () => {
    service.engine.raiseResult = { kind: "unknown_account", accountId: ACCOUNT };
    const answer = await raise({ events: [event] });
    assertRefused(answer, 400, "INVALID_REQUEST", new RegExp(ACCOUNT));
  });

  const around = JSON.stringify({ ...INDEX, x: "" }).length;
  const wide = (bytes: number) => ({ ...INDEX, x: "é".repeat(Math.floor((bytes - around) / 2)) });
  const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
  const deep = (levels: number) => ({ ...INDEX, ...nested(levels) });

  test("data is taken up to its limits in bytes and levels", async () => {
    assert.equal((await raise({ events: [{ ...event, data: wide(DATA_BYTES_MAX) }] })).status, 202);
    assert.equal((await raise({ events: [{ ...event, data: deep(64) }] })).status, 202);
  });

  const [WHO, TIME, KEY] = [
    /^events\[1\]\.account_id must be/,
    /^events\[1\]\.occurred_at must be/,
    /^events\[1\]\.dedup_key must be/,
  ];
  for (const [what, wrong, message] of [
    ["no account", { account_id: undefined }, WHO],
    ["an account id that is none", { account_id: "7" }, WHO],
    ["an account id that is no text", { account_id: 7 }, WHO],
    ["no product", { product: undefined }, /^events\[1\]\.product must be a string/],
    ["an unknown product", { product: "rail" }, /^events\[1\]\.product must be one of tracking, air/],
    ["no type", { type: undefined }, /^events\[1\]\.type must be a string/],
    ["an unknown type", { type: "nope" }, /^events\[1\]\.type must be one of those rates emits/],
    ["ping", { type: "ping" }, /^events\[1\]\.type must be one of/],
    ["the reserved type", { product: "air", type: "awb_departed" }, /^events\[1\]\.type must be one of/],
    ["no data", { data: undefined }, /^events\[1\]\.data must be an object/],
    ["data that is an array", { data: [] }, /^events\[1\]\.data must be an object/],
    [
      "wrong data",
      { product: "tracking", type: "eta_changed" },
      /^events\[1\]\.data lacks container_id, new_eta$/,
    ],
    ["too much data", { data: wide(DATA_BYTES_MAX + 2) }, /^events\[1\]\.data is larger than 262144 bytes/],
    ["data nested too deeply", { data: deep(65) }, /^body\.events\[1\]\.data\.a.* is nested too deeply/],
    ["a time that is none", { occurred_at: "yesterday" }, TIME],
    ["a time without an offset", { occurred_at: "2026-11-02T10:00:00" }, TIME],
    ["a time that is a number", { occurred_at: 1 }, TIME],
    ["a time that is null", { occurred_at: null }, TIME],
    ["a day that never is", { occurred_at: "2026-02-30T10:00:00Z" }, TIME],
    ["a time before times", { occurred_at: "1969-12-31T23:59:59Z" }, TIME],
    ["a time more than a day ahead", { occurred_at: "2026-11-03T12:00:01Z" }, TIME],
    ["a leap second", { occurred_at: "2016-12-31T23:59:60Z" }, TIME],
    ["an empty dedup_key", { dedup_key: "" }, KEY],
    ["a dedup_key that is too long", { dedup_key: "x".repeat(201) }, KEY],
    ["a dedup_key that is no text", { dedup_key: 7 }, KEY],
    ["a dedup_key with NUL", { dedup_key: "\0" }, /^body\.events\[1\]\.dedup_key holds a NUL/],
    ["half a surrogate pair", { data: { x: "\ud800" } }, /^body\.events\[1\]\.data\.x holds half/],
  ] as const) {
    test(`an event with ${what} is refused by its place, and nothing of the array is raised`, async () => {
      const answer = await raise({ events: [event, { ...event, ...wrong }, event] });
      assertRefused(answer, 400, "INVALID_REQUEST", message);
      assert.equal(service.engine.raised.length, 0);
    });
  }

  test("a body without events is refused", async () => {
    for (const body of [
      "",
      "[]",
      "{}",
      '{"events":{}}',
      '{"events":[]}',
      '{"events":null}',
      "null",
      '{"events":[null]}',
      '{"events":[[]]}',
    ])
      assertRefused(await raise(body), 400, "INVALID_REQUEST");
  });

  test("a body beyond sixteen mebibytes is refused by its length alone", async () => {
    const answer = await raise(`{"events":[],"x":"${"x".repeat(16 * 1024 * 1024)}"}`);
    assertRefused(answer, 413, "PAYLOAD_TOO_LARGE");
  });

  test("any JSON at all is answered by 202 or 4xx", async () => {
    const fields = fc.record(
      {
        product: fc.oneof(fc.constantFrom("rates", "tracking", "constructor"), fc.jsonValue()),
        account_id: fc.oneof(fc.constant(ACCOUNT), fc.jsonValue()),
        type: fc.oneof(fc.constantFrom("index_refreshed", "eta_changed", "toString"), fc.jsonValue()),
        data: fc.oneof(
          fc.dictionary(anyText(), fc.jsonValue()).map((more) => ({ ...INDEX, ...more })),
          fc.jsonValue(),
        ),
        occurred_at: fc.oneof(fc.date({ noInvalidDate: true }).map(String), fc.jsonValue()),
        dedup_key: fc.oneof(anyText({ maxLength: 250 }), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(fc.record({ events: fc.array(fields, { maxLength: 3 }) }), fc.jsonValue());
    await forAllAsync(runs(300), body, async (sent) => {
      const { status } = await raise(JSON.stringify(sent));
      assert.ok(status === 202 || (status >= 400 && status < 500), String(status));
    });
    assert.deepEqual(service.log.lines, []);
  });
});
