import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import type { HttpPort } from "../../../src/freight/upstream/http.ts";
import { answerText, watchHttp, type Exchange } from "../../../src/freight/source-check/exchanges.ts";
import { keepAnswers } from "../../../src/freight/source-check/kept-answers.ts";
import { CARRIER_CHECK, secretsOf } from "../../../src/products/ocean/check/carrier-check.ts";
import { tokensIn, type Mask } from "../../../src/freight/source-check/secrets.ts";
import { maskOf } from "../../../src/freight/source-check/check.ts";
import { NOTHING_KNOWN } from "../../../src/products/ocean/sources/known-references.ts";
import { HERON } from "../shipping-lines.ts";
import { column } from "../../support/columns.ts";

const ACCOUNT = "01a1fc98-3684-702d-8add-9c7eb13bfa2f";
const SECRETS = {
  header: "of a header",
  key: "of a key",
  otherKey: "of another key",
  id: "of an id",
  secret: 'of a "secret" & more',
  tokenHeader: "of a token's header",
  keyFile: "/etc/of-a-key.pem",
  parameter: "of a parameter",
  account: "of an account",
  accountSecret: "of an account's secret",
  callback: "b2YgYSBjYWxsYmFjaywgMTYgYnl0ZXM=",
  portCalls: "of port calls",
};

const carrier = {
  ...HERON,
  headers: { "X-Id": SECRETS.header, "API-Version": "2.2.0" },
  apiKeys: { header: "X-Key", values: [SECRETS.key, SECRETS.otherKey] },
  oauth: {
    tokenUrl: "https://login.heron.example/token",
    clientId: SECRETS.id,
    clientSecret: SECRETS.secret,
    scope: "tracking.read",
    headers: { "X-Key": SECRETS.tokenHeader },
    assertion: { keyFile: SECRETS.keyFile, algorithm: "RS256" },
    tokenField: "jwt",
  },
  parameters: { apiKey: SECRETS.parameter, limit: "1000" },
  accounts: {
    [ACCOUNT]: {
      headers: { "X-Account": SECRETS.account },
      oauth: {
        tokenUrl: "https://login.heron.example/token",
        clientId: "id",
        clientSecret: SECRETS.accountSecret,
      },
    },
  },
  callbackSecrets: [SECRETS.callback],
  portCalls: { baseUrl: "https://calls.heron.example", headers: { "X-Key": SECRETS.portCalls } },
} as const;

test("each credential of an entry is hidden, as it is, in an address and in JSON; what is public is not", () => {
  const { hide } = maskOf(secretsOf(carrier as unknown as typeof HERON));
  for (const [name, secret] of Object.entries(SECRETS)) {
    for (const text of [secret, encodeURIComponent(secret), JSON.stringify({ secret })]) {
      assert.ok(!hide(`before ${text} after`).includes(text.slice(0, -1)), `${name}: ${text}`);
    }
  }
  const said = "2.2.0 1000 RS256 tracking.read https://login.heron.example/token jwt X-Key";
  assert.equal(hide(said), said);
});

test("tokens that a server gives are hidden from then on", () => {
  const mask = maskOf(secretsOf(HERON));
  const body = '{"jwt":"first-of-all","refresh_token":"second-of-all","expires_in":300}';
  assert.deepEqual(tokensIn(body, "jwt"), ["first-of-all", "second-of-all"]);
  assert.deepEqual(tokensIn("<html>"), []);
  tokensIn(body, "jwt").forEach(mask.add);
  assert.equal(mask.hide("Bearer first-of-all, second-of-all"), "Bearer [hidden], [hidden]");
});

test("what a request shows is hidden, however the server repeats it", async () => {
  const mask = maskOf(secretsOf(carrier as unknown as typeof HERON));
  const basic = Buffer.from(`${SECRETS.id}:${SECRETS.secret}`).toString("base64");
  const echo: HttpPort = async (_, { headers, form }) => ({
    kind: "answered",
    status: 400,
    header: () => null,
    body: JSON.stringify([headers, form]),
  });
  const { http, exchanges } = watchHttp(echo, [carrier.oauth], mask);
  const bounds = { timeoutMs: 1_000, bodyBytesMax: 1_000 };
  await http(new URL("https://x.example"), { ...bounds, headers: { authorization: `Basic ${basic}` } });
  await http(new URL(carrier.oauth.tokenUrl), {
    ...bounds,
    headers: {},
    form: { client_assertion: "a.signed.assertion" },
  });
  const shown = exchanges.map((one) => answerText(one, mask)).join(" ");
  assert.ok(!shown.includes(basic) && !shown.includes("a.signed"), shown);
  assert.deepEqual(column(exchanges, "isToken"), [false, true]);
});

/** What is kept of answers about a box of Heron's. */
const kept = (folder: string, exchanges: readonly Exchange[], mask: Mask) =>
  keepAnswers(folder, CARRIER_CHECK.file, {
    entry: HERON,
    about: { reference: { text: "HRNU4000017", type: "container_id" }, others: NOTHING_KNOWN, account: null },
    asked: [{ entry: HERON, exchanges, mask }],
    atMs: 0,
  });

test("a kept answer takes the place of a link or a file that others may read", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-kept-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const elsewhere = join(folder, "elsewhere");
  writeFileSync(elsewhere, "mine");
  const file = join(folder, "HRNL-HRNU4000017.json");
  const answer = { kind: "answered", status: 200, header: () => null, body: '[{"n":1}]' } as const;
  const exchanges = [{ url: new URL(HERON.baseUrl), method: "GET" as const, isToken: false, answer }];
  symlinkSync(elsewhere, file);
  await kept(folder, exchanges, maskOf(secretsOf(HERON)));
  assert.equal(readFileSync(elsewhere, "utf8"), "mine");
  chmodSync(file, 0o644);
  await kept(folder, exchanges, maskOf(secretsOf(HERON)));
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("what is kept of an answer has no credentials, and no queries of addresses", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-kept-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const event = {
    eventType: "TRANSPORT",
    self: `https://api.heron.example/events?key=${SECRETS.key}&x=1`,
    note: SECRETS.secret,
  };
  const answered = (body: object, isToken = false, status = 200) => ({
    url: new URL(HERON.baseUrl),
    method: "GET" as const,
    isToken,
    answer: { kind: "answered", status, header: () => null, body: JSON.stringify(body) } as const,
  });
  const exchanges = [
    answered({ events: [event] }),
    answered([event], true),
    answered([event], false, 500),
    answered([{ n: 2 }]),
  ];
  const mask = maskOf(secretsOf(carrier as unknown as typeof HERON));
  const file = await kept(folder, exchanges, mask);
  assert.deepEqual(JSON.parse(readFileSync(file!, "utf8")), [
    { eventType: "TRANSPORT", self: "https://api.heron.example/events", note: "[hidden]" },
    { n: 2 },
  ]);
  assert.equal(await kept(folder, [answered([event], true)], mask), null);
});
