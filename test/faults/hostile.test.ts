/** What no client should send, to a running service over real sockets: refused, never a 5xx, never a hang. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { killLeftDatabase } from "./postgres.ts";
import { drip, request, say, talkTo, type Talk } from "./raw-http.ts";
import { draw, folderFor, give, openScene, until, well } from "./scene.ts";
import { newClient, OPERATOR_TOKEN, register, startServe } from "./service.ts";

/** Longer than a request may take to arrive (15 s) and the look at it (2.5 s). */
const ANSWER_MS_MAX = 20_000;
const DEEP = 100_000;
const EVENT_FIELDS = `"product":"tracking","type":"vessel_departed"`;
const ID = "0199a2b4-7c00-7000-8000-000000000001";

/** Bodies that are refused wherever JSON is taken. */
const BODIES: Readonly<Record<string, string | Buffer>> = {
  "arrays a hundred thousand deep": "[".repeat(DEEP) + "]".repeat(DEEP),
  "objects a hundred thousand deep": `{"a":`.repeat(DEEP) + "1" + "}".repeat(DEEP),
  "arrays that never end": "[".repeat(DEEP),
  "no JSON": "{url: 1}",
  "half of it": `{"url":"https://exam`,
  "two values": `{}{}`,
  "a bare string": `"url"`,
  null: "null",
  "a number": "1e999",
  "invalid UTF-8": Buffer.from([0x7b, 0x22, 0x75, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
  "UTF-16": Buffer.from(`{"url":"https://example.com"}`, "utf16le"),
  "an overlong encoding": Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
  "a NUL byte": "{\u0000}",
  "__proto__ alone": `{"__proto__":{"url":"https://example.com"}}`,
  "constructor alone": `{"constructor":{"prototype":{"url":"https://example.com"}}}`,
  "two megabytes": `{"url":"https://example.com","description":"${"x".repeat(2 << 20)}"}`,
};

/** Values that are no good for any text field. */
const TEXTS: Readonly<Record<string, string>> = {
  "an escaped NUL": `"a\\u0000b"`,
  "a lone surrogate": `"\\ud800"`,
  "a number": "1",
  "an object": `{"__proto__":1}`,
  "an array": "[[]]",
};

test("hostile input is refused or cut off, and the service goes on", async (t) => {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  killLeftDatabase(t, dataFolder);
  const service = await startServe(t, scene, { BOATHOOK_DATA_DIR: dataFolder });
  const client = await newClient(service);
  const endpoint = await register(scene, service, client, well);
  const { publicUrl, opsUrl } = service;
  const webhooks = "/tracking/v1/webhooks";
  const key = `authorization: Bearer ${client.key}`;
  const operator = `authorization: Bearer ${OPERATOR_TOKEN}`;
  const event = (fields: string) =>
    `{"events":[{${EVENT_FIELDS},"account_id":"${client.accountId}",${fields}}]}`;
  const data = (more: string) =>
    `"data":{"container_id":"${ID}","previous_status":"in_transit","new_status":"at_berth"${more}}`;

  const cases: (readonly [name: string, url: string, talk: Talk])[] = [];
  for (const [name, body] of Object.entries(BODIES)) {
    cases.push(
      [`register: ${name}`, publicUrl, say(request("POST", webhooks, [key], body))],
      [`raise: ${name}`, opsUrl, say(request("POST", "/v1/events", [operator], body))],
      [`account: ${name}`, opsUrl, say(request("POST", "/v1/accounts", [operator], body))],
    );
  }
  for (const [name, value] of Object.entries(TEXTS)) {
    const raise = (fields: string) => say(request("POST", "/v1/events", [operator], event(fields)));
    cases.push(
      [`url: ${name}`, publicUrl, say(request("POST", webhooks, [key], `{"url":${value}}`))],
      [
        `account's name: ${name}`,
        opsUrl,
        say(request("POST", "/v1/accounts", [operator], `{"name":${value}}`)),
      ],
      [`container: ${name}`, opsUrl, raise(`"data":{"container_id":${value}}`)],
      [`event's time: ${name}`, opsUrl, raise(`${data("")},"occurred_at":${value}`)],
      [`event's key: ${name}`, opsUrl, raise(`${data("")},"dedup_key":${value}`)],
    );
    const change = request("PATCH", `${webhooks}/${endpoint.id}`, [key], `{"description":${value}}`);
    cases.push([`description: ${name}`, publicUrl, say(change)]);
  }
  cases.push(
    [
      "data that is deep",
      opsUrl,
      say(request("POST", "/v1/events", [operator], event(data(`,"x":${"[".repeat(70)}${"]".repeat(70)}`)))),
    ],
    [
      "data that is large",
      opsUrl,
      say(request("POST", "/v1/events", [operator], event(data(`,"x":"${"x".repeat(300_000)}"`)))),
    ],
    [
      "a thousand and one events",
      opsUrl,
      say(request("POST", "/v1/events", [operator], `{"events":[${"{},".repeat(1_000)}{}]}`)),
    ],
    ["an id with a NUL", publicUrl, say(request("GET", `${webhooks}/%00`, [key]))],
    ["an id that is no text", publicUrl, say(request("GET", `${webhooks}/%ff%fe`, [key]))],
    ["a broken escape", publicUrl, say(request("GET", `${webhooks}/%zz`, [key]))],
    ["a long id", publicUrl, say(request("GET", `${webhooks}/${"1".repeat(10_000)}`, [key]))],
    ["a way out", publicUrl, say(request("GET", "/tracking/../../../etc/passwd", [key]))],
    ["a cursor of nonsense", publicUrl, say(request("GET", `${webhooks}?cursor=%00&limit=1e9`, [key]))],
    ["an unheard-of method", publicUrl, say(request("BREW", webhooks, [key]))],
    ["a method of another kind", publicUrl, say(request("PUT", webhooks, [key], "{}"))],
    ["a key of odd bytes", publicUrl, say(request("GET", webhooks, ["authorization: Bearer \u00ff\u00fe"]))],
    [
      "an endless key",
      publicUrl,
      say(request("GET", webhooks, [`authorization: Bearer ${"k".repeat(12_000)}`])),
    ],
    [
      "two keys",
      publicUrl,
      say(request("GET", webhooks, ["authorization: Bearer a", "authorization: Bearer b"])),
    ],
    ["an unheard-of version", publicUrl, say(request("GET", webhooks, [key, "api-version: \u00e9"]))],
    ["headers without end", publicUrl, say(request("GET", webhooks, [`x-a: ${"x".repeat(20_000)}`]))],
    [
      "ten thousand headers",
      publicUrl,
      say(
        request(
          "GET",
          webhooks,
          Array.from({ length: 10_000 }, (_, n) => `x-${n}: 1`),
        ),
      ),
    ],
    ["a header with a NUL", publicUrl, say(request("GET", webhooks, ["x-a: a\u0000b"]))],
    ["a header without a name", publicUrl, say(request("GET", webhooks, [": nameless"]))],
    ["two lengths", publicUrl, say(request("POST", webhooks, [key, "content-length: 3"], "{}"))],
    [
      "a length and chunks",
      publicUrl,
      say(request("POST", webhooks, [key, "transfer-encoding: chunked"], "{}")),
    ],
    ["a length below nothing", publicUrl, say(request("POST", webhooks, [key, "content-length: -1"]))],
    [
      "another kind of body",
      publicUrl,
      say(request("POST", webhooks, [key, "content-type: text/xml", "content-length: 4"]), "<a/>"),
    ],
    [
      "a compressed body",
      publicUrl,
      say(request("POST", webhooks, [key, "content-encoding: gzip"], Buffer.from([0x1f, 0x8b, 8, 0]))),
    ],
    ["no HTTP", publicUrl, say("\u0016\u0003\u0001 hello\r\n\r\n")],
    ["HTTP of old", publicUrl, say("GET /\r\n\r\n")],
    ["no host", publicUrl, say(`GET ${webhooks} HTTP/1.1\r\n\r\n`)],
    ["a chunk of nonsense", publicUrl, say(chunked("zz\r\n{}\r\n0\r\n\r\n"))],
    ["a chunk too large to be", publicUrl, say(chunked("fffffffffffffffff\r\n{}\r\n"))],
    ["a chunk cut short", publicUrl, (socket) => socket.end(chunked(`ff\r\n{"url":`))],
    [
      "a body cut short",
      publicUrl,
      (socket) =>
        socket.end(
          `POST ${webhooks} HTTP/1.1\r\nhost: a\r\n${key}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`,
        ),
    ],
    ["headers cut short", publicUrl, (socket) => socket.end(`POST ${webhooks} HTTP/1.1\r\nhos`)],
    ["headers that drip", publicUrl, drip(`POST ${webhooks} HTTP/1.1\r\nhost: a\r\n`, "x-a: b\r\n", 200)],
    [
      "a body that drips",
      publicUrl,
      drip(
        `POST ${webhooks} HTTP/1.1\r\nhost: a\r\n${key}\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n`,
        " ",
        200,
      ),
    ],
    ["chunks that drip", opsUrl, drip(chunked(""), "1\r\n \r\n", 200)],
    ["silence after half a request", opsUrl, say("POST /v1/events HTTP/1.1\r\nhost: a\r\n")],
  );

  function chunked(chunks: string): string {
    return `POST ${webhooks} HTTP/1.1\r\nhost: a\r\n${key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`;
  }

  const wrong: string[] = [];
  await Promise.all(
    cases.map(async ([name, url, talk]) => {
      const { statuses, open, text } = await talkTo(url, talk, ANSWER_MS_MAX);
      const isRefused = statuses.length <= 1 && statuses.every((status) => status >= 400 && status < 500);
      if (open) wrong.push(`${name}: neither answered nor closed`);
      else if (!isRefused) wrong.push(`${name}: ${text.slice(0, 400)}`);
    }),
  );
  assert.deepEqual(wrong, []);

  await t.test("requests in one piece are answered in their order, each for itself", async () => {
    const keepAlive = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n${key}\r\n\r\n`;
    const pieces = [
      keepAlive(webhooks),
      keepAlive(`${webhooks}/nobody`),
      request("GET", `${webhooks}/${endpoint.id}`, [key]),
    ];
    const { statuses, open } = await talkTo(publicUrl, say(...pieces), ANSWER_MS_MAX);
    assert.deepEqual({ statuses, open }, { statuses: [200, 404, 200], open: false });
  });

  await t.test("everything still works", async () => {
    assert.equal((await fetch(`${opsUrl}/readyz`)).status, 200);
    assert.equal(await give(scene, service, draw(scene, 1)), true);
    await until(
      () => scene.receiver.arrivals.some((arrival) => arrival.answered === 200),
      "a delivery arrives",
    );
    await service.stop();
  });
});
