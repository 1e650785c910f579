/** What a check shows of what came back, and what it says to do where nothing did. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { test } from "node:test";

import { adviceOn } from "../../src/freight/source-check/advice.ts";
import { checkTls, connectionAdvice, connectionCode } from "../../src/freight/source-check/connection.ts";
import { answerText, requestsOf, type Exchange } from "../../src/freight/source-check/exchanges.ts";
import { createMask } from "../../src/freight/source-check/secrets.ts";
import type { SourceWords } from "../../src/freight/source-check/step.ts";
import { realClock } from "../support/real-clock.ts";

const KEY = "the-key-of-a-user";
const mask = createMask([[KEY]]);
const WORDS: SourceWords = { whom: "carrier", file: "carriers file", subject: "box", address: "url" };

type Sent = {
  readonly body: string;
  readonly type?: string;
  readonly status?: number;
  readonly isToken?: true;
};

const exchange = ({ body, type, status = 200, isToken }: Sent): Exchange => ({
  url: new URL("https://api.heron.example/events"),
  method: "GET",
  isToken: isToken === true,
  answer: {
    kind: "answered",
    status,
    header: (name) => (name === "content-type" ? (type ?? null) : null),
    body,
  },
});

for (const [what, sent, shown] of [
  ["JSON of the right status", { body: '{"a":1}', type: "application/json" }, "HTTP 200, 7 bytes"],
  [
    "a page to log in at",
    { body: "<html>\n  <h1>Log in</h1>", type: "text/html; charset=utf-8" },
    "HTTP 200, 24 bytes (text/html; charset=utf-8) <html> <h1>Log in</h1>",
  ],
  [
    "a gateway's text without a type",
    { body: "no\u001b[2J\u202e route" },
    "HTTP 200, 15 bytes no\ufffd[2J\ufffd route",
  ],
  ["nothing at all", { body: "", type: "text/plain" }, "HTTP 200, 0 bytes (text/plain)"],
  [
    "a gateway's refusal",
    { body: "Bad gateway", type: "text/plain", status: 502 },
    "HTTP 502 (text/plain) Bad gateway",
  ],
  [
    "a refusal in JSON",
    { body: '{"error":"no"}', type: "application/json", status: 400 },
    'HTTP 400 {"error":"no"}',
  ],
  [
    "a key in Base64 where the text is cut",
    { body: `${"x".repeat(195)}${Buffer.from(KEY).toString("base64")}` },
    `HTTP 200, 219 bytes ${"x".repeat(195)}[hidd…`,
  ],
  [
    "an address with a key",
    { body: `<a href="/in?key=abc&amp;to=${KEY}">` },
    'HTTP 200, 47 bytes <a href="/in?key=[hidden]&amp;to=[hidden]">',
  ],
  [
    "a token that is no JSON",
    { body: "access_token=a-secret-of-the-server", type: "text/plain", isToken: true },
    "HTTP 200, 35 bytes (text/plain)",
  ],
  [
    "a page in place of a token",
    { body: "<!DOCTYPE html><title>Sign in</title>", type: "text/html", isToken: true },
    "HTTP 200, 37 bytes (text/html) <!DOCTYPE html><title>Sign in</title>",
  ],
] as const satisfies readonly (readonly [string, Sent, string])[]) {
  test(`of an answer that could not be used, a check shows what it is: ${what}`, () =>
    assert.equal(answerText(exchange(sent), mask), shown));
}

test("of an answer that was used only the size is shown", () =>
  assert.equal(
    answerText(exchange({ body: "FSA/14", type: "text/plain" }), mask, true),
    "HTTP 200, 6 bytes",
  ));

test("a request is shown with its method and its query, without secrets", () => {
  const url = new URL(`https://api.heron.example/boxes/${KEY}?limit=100&signature=abc&eta=2026-11-23`);
  assert.deepEqual(requestsOf([{ ...exchange({ body: "" }), method: "POST", url }], mask), [
    "POST https://api.heron.example/boxes/[hidden]?limit=100&signature=[hidden]&eta=2026-11-23",
  ]);
});

test("where no connection came about, the code says what to do", () => {
  for (const [code, advice] of [
    ["ECONNREFUSED", /^Nothing listens at this address and port: check host and port in the carriers file/],
    ["ENOTFOUND", /^Nobody knows this name/],
    ["EAI_AGAIN", /name servers/],
    ["ETIMEDOUT", /firewall or proxy/],
    ["EHOSTUNREACH", /firewall or proxy/],
    ["ENETUNREACH", /firewall or proxy.*routes/],
    ["UND_ERR_CONNECT_TIMEOUT", /firewall or proxy/],
    ["ECONNRESET", /closed the connection: check the port/],
    ["ERR_SSL_WRONG_VERSION_NUMBER", /speaks no TLS/],
    ["not_recorded", /^The kept answers have none/],
    [null, /firewall or proxy/],
  ] as const) {
    const said = connectionAdvice(code, WORDS);
    assert.match(said, advice, String(code));
    if (code === "ECONNREFUSED" || code === "ENOTFOUND") assert.doesNotMatch(said, /firewall|proxy/);
    const answer = { kind: "unavailable", reason: "oauth_connection", retryAfterMs: null } as const;
    const last = { kind: "failed", reason: "connection", cause: code === null ? null : { code } } as const;
    assert.equal(adviceOn(answer, WORDS, [], last), said, "a question and a token say the same");
  }
  const each = ["ENETUNREACH", "ECONNREFUSED"].map((code) => Object.assign(new Error(code), { code }));
  assert.equal(
    connectionCode(Object.assign(new AggregateError(each), { code: "ENETUNREACH" })),
    "ECONNREFUSED",
  );
});

test("a port where nothing listens, and one without TLS, are distinguished", async () => {
  const gone = createTcpServer();
  const plain = createServer();
  for (const server of [gone, plain]) await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const urlOf = (server: typeof gone): URL =>
    new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [nobody, unencrypted] = [urlOf(gone), urlOf(plain)];
  await new Promise((done) => gone.close(done));
  try {
    const refused = await checkTls(nobody, realClock, WORDS);
    assert.equal(refused.found, "ECONNREFUSED");
    assert.match(refused.advice!, /^Nothing listens/);
    assert.match((await checkTls(unencrypted, realClock, WORDS)).advice!, /speaks no TLS/);
  } finally {
    plain.closeAllConnections();
    await new Promise((done) => plain.close(done));
  }
});
