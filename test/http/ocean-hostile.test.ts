/** Requests to the container routes that no client of good will sends: each ends in a 4xx. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import fc from "fast-check";

import { record } from "../ocean/records.ts";
import { ofSuite } from "../support/suite.ts";
import { sendWithKey, createCaller, send, type Method } from "../support/service.ts";
import { CONTAINERS, PUBLIC, startOceanService } from "./ocean-service.ts";
import { assertRefused } from "../support/answers.ts";
import { runs } from "../support/runs.ts";
import { anyText } from "../support/texts.ts";

/** Ids that are nobody's, and what is none. */
const ODD = [
  "%",
  "_",
  "%00",
  "..",
  "..%2f..%2f",
  "%2e%2e",
  ";",
  "'%20or%201=1--",
  "x".repeat(5_000),
  "null",
  "0",
  "-1",
];

describe("hostile requests about containers", () => {
  const service = ofSuite(() => startOceanService());
  let key: string;
  let id: string;
  before(async () => {
    ({ key } = await createCaller(service, "tracking"));
    id = await service.track(key, "CSQU3054383");
    await service.learn(id, record());
  });

  const start = (payload: string) => sendWithKey(service, key, "POST", CONTAINERS, payload);

  for (const [what, body, code] of [
    ["NUL in the reference", '{"reference":"CSQU3054383\\u0000"}', "INVALID_REQUEST"],
    ["half a surrogate pair", '{"reference":"CSQU305\\ud800"}', "INVALID_REQUEST"],
    ["__proto__", '{"reference":"CSQU3054383","__proto__":{"carrier":"HRNL"}}', "INVALID_REQUEST"],
    ["SQL", '{"reference":"x\'; drop table shipments; --"}', "INVALID_REFERENCE"],
    ["wildcards", '{"reference":"%_%_%_%"}', "INVALID_REFERENCE"],
    ["line breaks for a header", '{"reference":"CSQU3054383\\r\\nx: y"}', "INVALID_REFERENCE"],
    ["markup", '{"reference":"<script>alert(1)</script>"}', "INVALID_REFERENCE"],
    ["letters that only look right", '{"reference":"\u0421SQU3054383"}', "INVALID_REFERENCE"],
    [
      "a letter that grows in upper case",
      '{"reference":"\u00df\u00df\u00df\u00df\u00df"}',
      "INVALID_REFERENCE",
    ],
    ["a reference of 60,000", JSON.stringify({ reference: "A".repeat(60_000) }), "INVALID_REFERENCE"],
    ["a carrier of SQL", '{"reference":"CSQU3054383","carrier":"\' or 1=1"}', "INVALID_REQUEST"],
    [
      "a carrier of 60,000",
      JSON.stringify({ reference: "ABCDE", carrier: "A".repeat(60_000) }),
      "INVALID_REQUEST",
    ],
  ] as const)
    test(`tracking ${what} is refused, with a message that repeats little of it`, async () => {
      const answer = await start(body);
      assertRefused(answer, 400, code);
      assert.ok(answer.body.error.message.length < 300);
    });

  test("anything at all for a path, a filter or a body is answered by 2xx or 4xx, with the version", async () => {
    const text = fc.oneof(anyText(), fc.string(), fc.constantFrom(...ODD, id, "pending"));
    const routes = fc.constantFrom<readonly [Method, (one: string, other: string) => string]>(
      ["GET", (one) => `${CONTAINERS}/${one}`],
      ["DELETE", (one) => `${CONTAINERS}/${one}x`],
      ["POST", (one) => `${CONTAINERS}/${one}/recheck`],
      ["GET", (one) => `${PUBLIC}/${one}`],
      ["GET", (one, other) => `${CONTAINERS}?status=${one}&carrier=${other}`],
      ["GET", (one, other) => `${CONTAINERS}?reference=${one}&cursor=${other}`],
      ["GET", (one, other) => `${CONTAINERS}?${one}=${other}`],
    );
    await fc.assert(
      fc.asyncProperty(routes, text, text, fc.boolean(), async ([method, url], one, other, encoded) => {
        const safe = (part: string) =>
          encoded ? encodeURIComponent(part.toWellFormed()) : encodeURI(part.toWellFormed());
        const headers = { authorization: `Bearer ${key}` };
        const answer = await send(service.api, { method, url: url(safe(one), safe(other)), headers });
        assert.ok(answer.status < 500, JSON.stringify(answer.body));
        assert.equal(answer.body.ok, answer.status < 400);
        assert.equal(answer.body.api_version, "2026-06-01");
      }),
      { numRuns: runs(400) },
    );
    const field = fc.constantFrom("reference", "carrier", "constructor", "toString", "id");
    await fc.assert(
      fc.asyncProperty(fc.dictionary(field, fc.jsonValue({ maxDepth: 3 })), async (body) => {
        const answer = await start(JSON.stringify(body));
        assert.ok(answer.status < 500, JSON.stringify(answer.body));
        assert.equal(answer.body.ok, answer.status < 400);
      }),
      { numRuns: runs(200) },
    );
    assert.deepEqual(service.log.lines, [], "no request causes an internal error");
  });

  test("an account lists and reads nothing of another's, whatever it asks for", async () => {
    const { key: other } = await createCaller(service, "tracking");
    const { body: own } = await service.ask(key, "GET", "?limit=1");
    const cursor = Buffer.from("f".repeat(32), "hex").toString("base64url");
    for (const search of [
      "",
      "?reference=CSQU3054383",
      "?status=in_transit",
      "?carrier=HRNL",
      `?cursor=${cursor}`,
    ]) {
      assert.deepEqual((await service.ask(other, "GET", search)).body.data, []);
    }
    assert.equal(own.data.length, 1);
  });
});
