import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";

import { OAUTH, scene } from "./scene.ts";
import { bodyOf, served } from "./serving.ts";

test("a 401 fetches another token and asks once more; a second one is the answer", async (t) => {
  let [fetched, good] = [0, "Bearer token-1"];
  const { ask } = await scene(
    t,
    (url) => ({ oauth: { ...OAUTH, tokenUrl: `${url}/token` } }),
    ({ url, headers }, response) => {
      if (url !== "/token") return response.writeHead(headers.authorization === good ? 200 : 401).end();
      return response.end(`{"access_token":"token-${(fetched += 1)}","expires_in":3600}`);
    },
  );
  assert.equal(await ask(), "200");
  good = "Bearer token-2";
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ["200", "200", "200"]);
  good = "none";
  assert.equal(await ask(), "not_permitted 401");
  assert.equal(fetched, 2);
});

test("credentials that the token endpoint refuses are not permitted, and its outage opens the breaker", async (t) => {
  let status = 401;
  const { ask, clock, upstream } = await scene(
    t,
    (url) => ({ oauth: { ...OAUTH, tokenUrl: `${url}/token` } }),
    (_, response) => response.writeHead(status).end(),
  );
  assert.equal(await ask(), "not_permitted 401");
  assert.equal(upstream.isBreakerOpen(), false);
  await clock.advance(60_000);
  status = 503;
  for (let asked = 0; asked < 5; asked += 1) {
    assert.equal(await ask(), "oauth_http_503");
    await clock.advance(1_000);
  }
  assert.equal(upstream.isBreakerOpen(), true);
});

test("a 429 stops everything until its Retry-After has passed", async (t) => {
  let asked = 0;
  const { ask, clock } = await scene(t, {}, (_, response) => {
    asked += 1;
    response.writeHead(asked === 1 ? 429 : 200, asked === 1 ? { "retry-after": "30" } : {}).end();
  });
  assert.deepEqual([await ask(), await ask()], ["429", "quota 30000"]);
  await clock.advance(29_000);
  const waiting = ask();
  await clock.advance(1_000);
  assert.deepEqual([await waiting, asked], ["200", 2]);
});

test("requests wait their turn for a second at most, and beyond it come back later", async (t) => {
  const { ask, clock } = await scene(t, { quota: { perSecond: 2 } }, (_, response) => response.end());
  const asked = Promise.all([ask(), ask(), ask(), ask()]);
  await clock.advance(1_000);
  assert.deepEqual(await asked, ["200", "200", "200", "quota 1500"]);
});

test("an upstream that is down is asked by a probe alone, until it answers", async (t) => {
  let [asked, status] = [0, 503];
  const { ask, clock, upstream } = await scene(t, {}, (_, response) => {
    asked += 1;
    response.writeHead(status).end();
  });
  for (let count = 0; count < 5; count += 1) assert.equal(await ask(), "503");
  assert.equal(upstream.isBreakerOpen(), true);
  assert.equal(await ask(), "breaker_open 5000");
  await clock.advance(5_000);
  const probed = await Promise.all([ask(), ask(), ask()]);
  assert.deepEqual([probed, asked], [["503", "breaker_open 1000", "breaker_open 1000"], 6]);
  status = 404;
  await clock.advance(10_000);
  assert.deepEqual([await ask(), await ask()], ["404", "404"]);
  assert.equal(upstream.isBreakerOpen(), false);
});

test("what is too large for us, and what it refuses, opens no breaker", async (t) => {
  const { ask, upstream } = await scene(t, {}, ({ url }, response) =>
    url === "/large" ? response.end("x".repeat(10_000)) : response.writeHead(403).end(),
  );
  for (let count = 0; count < 6; count += 1)
    assert.deepEqual([await ask("/large"), await ask()], ["too_large", "403"]);
  assert.equal(upstream.isBreakerOpen(), false);
});

test("requests about references that the upstream never knew use half of a day's quota, and the others find their turns", async (t) => {
  const { ask, clock } = await scene(t, { quota: { perDay: 48 } }, (_, response) => response.end());
  let [known, unresolved] = [0, 0];
  for (let minute = 0; minute < 24 * 60; minute += 10) {
    // 18 a day.
    if (minute % 80 === 0 && (await ask()) === "200") known += 1;
    if ((await ask("/", true)) === "200") unresolved += 1;
    await clock.advance(10 * 60_000);
  }
  assert.equal(known, 18);
  assert.ok(unresolved <= 24 && unresolved >= 20, String(unresolved));
});

test("of several keys the one that serves is kept, and all are not tried again at once where none does", async (t) => {
  const seen: unknown[] = [];
  let good = "new";
  const { ask, clock } = await scene(
    t,
    { apiKeys: { header: "Subscription-Key", values: ["old", "new"] } },
    ({ headers: { "subscription-key": key } }, response) => {
      seen.push(key);
      response.writeHead(key === good ? 200 : 401).end();
    },
  );
  assert.deepEqual([await ask(), await ask()], ["200", "200"]);
  assert.deepEqual(seen.splice(0), ["old", "new", "new"]);
  good = "none";
  assert.deepEqual([await ask(), await ask()], ["401", "401"]);
  assert.deepEqual(seen.splice(0), ["new", "old", "new"]);
  await clock.advance(60_000);
  good = "old";
  assert.equal(await ask(), "200");
  assert.deepEqual(seen.splice(0), ["new", "old"]);
});

test("an account with credentials of its own is asked for with them, and the key goes beside the token", async (t) => {
  const seen: unknown[] = [];
  const { askFor } = await scene(
    t,
    (url) => {
      const oauth = { ...OAUTH, tokenUrl: `${url}/token` };
      const one = { oauth: { ...oauth, clientId: "one", tokenHeader: "X-Token" } };
      return { oauth, apiKeys: { header: "Subscription-Key", values: ["key"] }, accounts: { one, two: {} } };
    },
    (request, response) => {
      if (request.url === "/token") {
        void bodyOf(request).then((form) => {
          const id = new URLSearchParams(form).get("client_id");
          response.end(`{"access_token":"token-of-${id}","expires_in":3600}`);
        });
        return;
      }
      const { authorization, "x-token": token, "subscription-key": key } = request.headers;
      seen.push([authorization, token, key]);
      response.end();
    },
  );
  for (const account of [undefined, "one", "two"]) assert.equal(await askFor(account), "200");
  assert.deepEqual(seen, [
    ["Bearer token-of-id", undefined, "key"],
    [undefined, "token-of-one", "key"],
    ["Bearer token-of-id", undefined, "key"],
  ]);
});

test("an account whose own sign-in fails closes no door to the others", async (t) => {
  const assertion = { keyFile: "/no/such.pem" };
  const { askFor, clock, upstream } = await scene(
    t,
    (url) => ({
      accounts: {
        down: { oauth: { ...OAUTH, tokenUrl: `${url}/down` } },
        unsigned: { oauth: { clientId: "id", assertion, tokenUrl: `${url}/token` } },
      },
    }),
    ({ url }, response) => response.writeHead(url === "/down" ? 503 : 200).end(),
  );
  for (const [account, failure] of [
    ["down", "oauth_http_503"],
    ["unsigned", "oauth_key_unusable"],
  ] as const) {
    for (let asked = 0; asked < 6; asked += 1) {
      assert.equal(await askFor(account), failure);
      await clock.advance(1_000);
    }
  }
  assert.equal(upstream.isBreakerOpen(), false);
  assert.equal(await askFor(), "200");
});

test("an answer is unpacked within its bound, and loses the mark that some programs begin a text with", async (t) => {
  const zipped = gzipSync("[]");
  for (const [what, encoding, body, expected] of [
    ["compressed unasked", "gzip", gzipSync('["é"]'), '["é"]'],
    ["compressed otherwise", "deflate", deflateSync("[]"), "[]"],
    ["without a body", "GZIP", Buffer.alloc(0), ""],
    ["too large once it is unpacked", "gzip", gzipSync(Buffer.alloc(10_001)), "too_large"],
    ["not what it says", "gzip", Buffer.from("[]"), "connection"],
    ["cut off", "gzip", zipped.subarray(0, 12), "connection"],
    ["marked", "identity", Buffer.from("\uFEFF[]"), "[]"],
  ] as const) {
    const { url, http } = await served(t, (_, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(body),
    );
    const answer = await http(new URL(url), { headers: {}, timeoutMs: 5_000, bodyBytesMax: 10_000 });
    assert.equal(answer.kind === "answered" ? answer.body : answer.reason, expected, what);
  }
});
