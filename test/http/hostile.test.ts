/** Requests that no client of good will sends: each ends in a 4xx that says what to change. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { before, describe, test } from "node:test";

import fc from "fast-check";

import { ofSuite } from "../support/suite.ts";
import { send, sendWithKey, createCaller, startService, type Method } from "../support/service.ts";
import { assertRefused } from "../support/answers.ts";
import { forAllAsync, runs } from "../support/runs.ts";
import { anyText } from "../support/texts.ts";
import { record } from "../ocean/records.ts";
import { CONTAINERS, PUBLIC, startOceanService } from "./ocean-service.ts";

const WEBHOOKS = "/tracking/v1/webhooks";

describe("hostile requests", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));
  let key: string;
  let id: string;
  before(async () => {
    ({ key } = await createCaller(service, "tracking"));
    id = (await sendWithKey(service, key, "POST", WEBHOOKS, { url: "https://example.com/" })).body.data.id;
  });

  const post = (payload: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
    send(service.api, {
      method: "POST",
      url: WEBHOOKS,
      payload,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    });

  const deep = (depth: number) => `{"url":"https://e.example","x":${"[".repeat(depth)}${"]".repeat(depth)}}`;

  for (const [what, body, status] of [
    ["JSON nested deeper than 64", deep(64), 400],
    ["JSON nested far deeper", deep(30_000), 400],
    ["NUL in an ignored field", '{"url":"https://e.example","x":"\\u0000"}', 400],
    ["broken JSON", '{"url":"https://e.example"', 400],
    ["too large a body", JSON.stringify({ url: "https://e.example", x: "x".repeat(70_000) }), 413],
  ] as const) {
    test(`${what} is ${status}`, async () => {
      const answer = await post(body);
      assert.equal(answer.status, status);
      assert.equal(answer.body.ok, false);
      assert.ok(answer.body.error.message.length > 0);
      if (status === 413) assert.match(answer.body.error.message, /more than 64 KiB/);
      assert.equal(answer.body.api_version, "2026-06-01");
    });
  }

  // A body that never ends: an answer that waited for it would never come.
  for (const [url, status] of [
    ["/nothing", 404],
    ["/tracking/v1/nothing", 404],
    ["/tracking/portal", 405],
    [WEBHOOKS, 401],
  ] as const)
    test(`what is refused whatever its body says is ${status} before the body comes: ${url}`, async () => {
      const payload = new Readable({ read: () => undefined });
      const headers = { "content-type": "application/json", "content-length": "50000" };
      const { statusCode } = await service.api.inject({ method: "POST", url, payload, headers });
      payload.destroy();
      assert.equal(statusCode, status);
    });

  test("JSON nested as deep as is allowed is read", async () => {
    assert.equal((await post(deep(63))).status, 201);
  });

  test("a body is JSON, with any charset, and an empty one is as good as none where none is needed", async () => {
    for (const type of ["text/plain", "application/xml", "nonsense", "multipart/form-data; boundary=x"]) {
      const answer = await post('{"url":"https://e.example"}', { "content-type": type });
      assertRefused(answer, 415, "UNSUPPORTED_MEDIA_TYPE", /application\/json/);
    }
    const typed = { "content-type": "application/json; charset=utf-8" };
    assert.equal((await post('{"url":"https://e.example"}', typed)).status, 201);
    for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
      const headers = { authorization: `Bearer ${key}`, "content-type": type, "content-length": "0" };
      const answer = await send(service.api, { method: "POST", url: `${WEBHOOKS}/${id}/test`, headers });
      assert.equal(answer.status, 202, type);
    }
  });

  test("any path is refused, or taken for what it says", async () => {
    const headers = { authorization: `Bearer ${key}` };
    for (const url of [
      ...[
        "/tracking/v1/webhooks/%",
        "/tracking/%c0%ae",
        "/tracking/v1/webhooks/%ff",
        "//tracking",
        "/tracking//v1",
      ],
      ...["/%00", "/tracking/v1/webhooks?%zz&limit=%", "/..", `/tracking/${"a/".repeat(5_000)}`, "*"],
    ]) {
      const answer = await send(service.api, { method: "GET", url, headers });
      assert.ok([200, 400, 404, 414].includes(answer.status), `${url}: ${answer.status}`);
      if (answer.status !== 200) assert.equal(typeof answer.body.error.message, "string");
    }
  });

  test("an id of any length is one that there is not", async () => {
    for (const length of [201, 250, 9_000]) {
      assertRefused(
        await sendWithKey(service, key, "GET", `${WEBHOOKS}/${"x".repeat(length)}`),
        404,
        "NOT_FOUND",
      );
    }
  });

  test("any JSON at all is answered by 2xx or 4xx, on every route that takes a body", async () => {
    const routes = [
      { method: "POST", url: WEBHOOKS },
      { method: "PATCH", url: `${WEBHOOKS}/${id}` },
      { method: "POST", url: `${WEBHOOKS}/${id}/test` },
    ] as const;
    const field = fc.constantFrom("url", "event_types", "description", "active", "constructor", "toString");
    const hostile = fc.oneof(
      fc.dictionary(field, fc.jsonValue({ maxDepth: 4 })),
      fc.jsonValue({ maxDepth: 6 }),
      fc.dictionary(anyText(), anyText()),
    );
    await forAllAsync(runs(300), fc.constantFrom(...routes), hostile, async (route, body) => {
      const answer = await send(service.api, {
        ...route,
        payload: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      });
      assert.ok(answer.status < 500, JSON.stringify(answer.body));
      assert.equal(answer.body.ok, answer.status < 400);
    });
    assert.deepEqual(service.log.lines, [], "no request causes an internal error");
  });

  test("any headers at all are answered by 2xx or 4xx", async () => {
    const text = fc.string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    });
    await forAllAsync(100, text, text, text, async (authorization, version, apiKey) => {
      const headers = { authorization, "api-version": version, "x-api-key": apiKey };
      const answer = await send(service.api, { method: "GET", url: WEBHOOKS, headers });
      assert.ok(answer.status === 401 || answer.status === 400);
    });
  });

  test("what comes too slowly is cut off", () => {
    for (const { server } of [service.api, service.ops]) {
      assert.deepEqual(
        [server.headersTimeout, server.requestTimeout, server.timeout],
        [10_000, 15_000, 60_000],
      );
    }
  });
});

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
    await forAllAsync(
      runs(400),
      routes,
      text,
      text,
      fc.boolean(),
      async ([method, url], one, other, encoded) => {
        const safe = (part: string) =>
          encoded ? encodeURIComponent(part.toWellFormed()) : encodeURI(part.toWellFormed());
        const headers = { authorization: `Bearer ${key}` };
        const answer = await send(service.api, { method, url: url(safe(one), safe(other)), headers });
        assert.ok(answer.status < 500, JSON.stringify(answer.body));
        assert.equal(answer.body.ok, answer.status < 400);
        assert.equal(answer.body.api_version, "2026-06-01");
      },
    );
    const field = fc.constantFrom("reference", "carrier", "constructor", "toString", "id");
    await forAllAsync(runs(200), fc.dictionary(field, fc.jsonValue({ maxDepth: 3 })), async (body) => {
      const answer = await start(JSON.stringify(body));
      assert.ok(answer.status < 500, JSON.stringify(answer.body));
      assert.equal(answer.body.ok, answer.status < 400);
    });
    assert.deepEqual(service.log.lines, [], "no request causes an internal error");
  });
});
