/** Requests that no client of good will sends: each ends in a 4xx that says what to change. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { before, describe, test } from "node:test";

import fc from "fast-check";

import { ofSuite } from "../support/suite.ts";
import { send, sendWithKey, createCaller, startService } from "../support/service.ts";
import { assertRefused } from "../support/answers.ts";
import { runs } from "../support/runs.ts";
import { anyText } from "../support/texts.ts";

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
    ["NUL in a text", '{"url":"https://e.example","description":"a\\u0000b"}', 400],
    ["NUL in an ignored field", '{"url":"https://e.example","x":"\\u0000"}', 400],
    ["half a surrogate pair", '{"url":"https://e.example","description":"\\ud800"}', 400],
    ["__proto__", '{"url":"https://e.example","__proto__":{"active":false}}', 400],
    ["invalid UTF-8", Buffer.from('{"url":"https://e.example","description":"\xff"}', "latin1"), 400],
    ["a text for a body", '"https://e.example"', 400],
    ["null for a body", "null", 400],
    ["an array for a body", '[{"url":"https://e.example"}]', 400],
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
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), hostile, async (route, body) => {
        const answer = await send(service.api, {
          ...route,
          payload: JSON.stringify(body),
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        });
        assert.ok(answer.status < 500, JSON.stringify(answer.body));
        assert.equal(answer.body.ok, answer.status < 400);
      }),
      { numRuns: runs(300) },
    );
    assert.deepEqual(service.log.lines, [], "no request causes an internal error");
  });

  test("any headers at all are answered by 2xx or 4xx", async () => {
    const text = fc.string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    });
    await fc.assert(
      fc.asyncProperty(text, text, text, async (authorization, version, apiKey) => {
        const headers = { authorization, "api-version": version, "x-api-key": apiKey };
        const answer = await send(service.api, { method: "GET", url: WEBHOOKS, headers });
        assert.ok(answer.status === 401 || answer.status === 400);
      }),
    );
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
