import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { createOAuth } from "../../src/freight/upstream/oauth.ts";
import { manualClock } from "../support/clock.ts";
import { bodyOf, served } from "./serving.ts";
import type { OAuthSettings } from "../../src/freight/upstream/upstream-schema.ts";

type TokenEndpoint = {
  readonly asked: { readonly form: URLSearchParams; readonly authorization: string | undefined }[];
  /** What it answers; `?` stands for the number of the request. */
  status: number;
  body: string;
};

const CREDENTIALS = { clientId: "boat & hook", clientSecret: "s3cr:et" };
const TOKEN = { kind: "token", value: "token-1" };

/** A token endpoint whose tokens live a minute by default. */
async function asking(t: TestContext, settings: Partial<OAuthSettings> = {}) {
  const body = '{"access_token":"token-?","token_type":"Bearer","expires_in":60}';
  const endpoint: TokenEndpoint = { asked: [], status: 200, body };
  const { url, http } = await served(t, (request, response) => {
    void bodyOf(request).then((written) => {
      const form = new URLSearchParams(written);
      endpoint.asked.push({ form, authorization: request.headers.authorization });
      response.writeHead(endpoint.status).end(endpoint.body.replace("?", String(endpoint.asked.length)));
    });
  });
  const clock = manualClock();
  const written = { ...CREDENTIALS, tokenUrl: `${url}/token`, ...settings };
  const oauth = createOAuth(written, { http, clock, random: { fraction: () => 0.5 } });
  return { oauth, endpoint, clock };
}

test("a token is fetched once for all who ask at once, and kept", async (t) => {
  const asked = { scope: "events", audience: "https://api.example" };
  const { oauth, endpoint } = await asking(t, { ...asked, parameters: { tenant: "7" } });
  const tokens = await Promise.all([oauth.token(), oauth.token(), oauth.token()]);
  assert.deepEqual([...tokens, await oauth.token()], [TOKEN, TOKEN, TOKEN, TOKEN]);
  const credentials = { client_id: CREDENTIALS.clientId, client_secret: CREDENTIALS.clientSecret };
  assert.deepEqual(
    endpoint.asked.map(({ form }) => Object.fromEntries(form)),
    [{ grant_type: "client_credentials", ...credentials, ...asked, tenant: "7" }],
  );
});

test("with Basic authentication id and secret are in the header, encoded as RFC 6749 has it", async (t) => {
  const { oauth, endpoint } = await asking(t, { clientAuthentication: "basic" });
  assert.deepEqual(await oauth.token(), TOKEN);
  const [{ authorization, form }] = endpoint.asked as [TokenEndpoint["asked"][0]];
  const written = authorization?.replace(/^Basic /, "") ?? "";
  assert.equal(Buffer.from(written, "base64").toString(), "boat+%26+hook:s3cr%3Aet");
  assert.deepEqual(Object.fromEntries(form), { grant_type: "client_credentials" });
});

test("a token is renewed before it expires, and serves to its end when that fails", async (t) => {
  const { oauth, endpoint, clock } = await asking(t);
  await oauth.token();
  await clock.advance(53_999);
  assert.deepEqual(await oauth.token(), TOKEN);
  endpoint.status = 503;
  await clock.advance(1);
  assert.deepEqual([await oauth.token(), await oauth.token()], [TOKEN, TOKEN]);
  assert.equal(endpoint.asked.length, 2, "a failure is kept for a second");
  await clock.advance(6_000);
  assert.deepEqual(await oauth.token(), { kind: "failed", reason: "oauth_http_503", retryAfterMs: null });
  endpoint.status = 200;
  await clock.advance(1_000);
  assert.deepEqual(await oauth.token(), { kind: "token", value: "token-4" });
});

test("a refused token is renewed once for all whom it was refused to, and not again at once", async (t) => {
  const { oauth, endpoint, clock } = await asking(t);
  await oauth.token();
  const second = { kind: "token", value: "token-2" };
  assert.deepEqual(await Promise.all([oauth.renew("token-1"), oauth.renew("token-1")]), [second, second]);
  assert.deepEqual(await oauth.renew("token-1"), second, "refused before it was renewed");
  assert.deepEqual(await oauth.renew("token-2"), { kind: "not_permitted", status: 401 });
  await clock.advance(60_000);
  assert.deepEqual(await oauth.renew("token-2"), { kind: "token", value: "token-3" });
  assert.equal(endpoint.asked.length, 3);
});

test("credentials that are refused are not tried again for a minute", async (t) => {
  const { oauth, endpoint, clock } = await asking(t);
  for (const status of [400, 401, 403]) {
    Object.assign(endpoint, { status, body: '{"error":"invalid_client"}' });
    assert.deepEqual(await oauth.token(), { kind: "not_permitted", status });
    await clock.advance(59_999);
    assert.deepEqual(await oauth.token(), { kind: "not_permitted", status });
    await clock.advance(1);
  }
  assert.equal(endpoint.asked.length, 3);
});

test("what holds no usable token is a failure with its reason", async (t) => {
  const { oauth, endpoint, clock } = await asking(t);
  for (const [status, body, reason] of [
    [200, "<html>", "oauth_not_json"],
    [200, "null", "oauth_no_token"],
    [200, '{"token":"x"}', "oauth_no_token"],
    [200, '{"access_token":"two\\nlines"}', "oauth_no_token"],
    [200, `{"access_token":"${"x".repeat(70_000)}"}`, "oauth_too_large"],
    [302, "", "oauth_http_302"],
    [429, "", "oauth_http_429"],
  ] as const) {
    Object.assign(endpoint, { status, body });
    const answer = await oauth.token();
    assert.equal(answer.kind === "failed" && answer.reason, reason);
    await clock.advance(1_000);
  }
});

test("the answer's field of another name holds the token", async (t) => {
  const { oauth, endpoint } = await asking(t, { tokenField: "accessToken" });
  endpoint.body = '{"accessToken":"token-?","expires_in":60}';
  assert.deepEqual(await oauth.token(), TOKEN);
});
