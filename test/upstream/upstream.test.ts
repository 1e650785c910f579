import assert from "node:assert/strict";
import { test } from "node:test";

import { scene } from "./scene.ts";
import { bodyOf } from "./serving.ts";

const OAUTH = { clientId: "id", clientSecret: "secret" };

test("a 401 fetches another token and asks once more; a second one is the answer", async () => {
  let fetched = 0;
  const good = new Set<string | undefined>(["Bearer token-1"]);
  await scene(
    (url) => ({ oauth: { ...OAUTH, tokenUrl: `${url}/token` } }),
    (request, response) => {
      if (request.url === "/token") {
        fetched += 1;
        response.end(`{"access_token":"token-${fetched}","expires_in":3600}`);
      } else response.writeHead(good.has(request.headers.authorization) ? 200 : 401).end();
    },
    async ({ ask }) => {
      assert.equal(await ask(), "200");
      good.clear();
      good.add("Bearer token-2");
      assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ["200", "200", "200"]);
      good.clear();
      assert.equal(await ask(), "not_permitted 401");
      assert.equal(fetched, 2);
    },
  );
});

test("credentials that the token endpoint refuses are not permitted, and its outage opens the breaker", async () => {
  let status = 401;
  await scene(
    (url) => ({ oauth: { ...OAUTH, tokenUrl: `${url}/token` } }),
    (_, response) => response.writeHead(status).end(),
    async ({ ask, clock, upstream }) => {
      assert.equal(await ask(), "not_permitted 401");
      assert.equal(upstream.isBreakerOpen(), false);
      await clock.advance(60_000);
      status = 503;
      for (let asked = 0; asked < 5; asked += 1) {
        assert.equal(await ask(), "oauth_http_503");
        await clock.advance(1_000);
      }
      assert.equal(upstream.isBreakerOpen(), true);
    },
  );
});

test("a 429 stops everything until its Retry-After has passed", async () => {
  let asked = 0;
  await scene(
    () => ({}),
    (_, response) => {
      asked += 1;
      response.writeHead(asked === 1 ? 429 : 200, asked === 1 ? { "retry-after": "30" } : {}).end();
    },
    async ({ ask, clock }) => {
      assert.equal(await ask(), "429");
      assert.equal(await ask(), "quota 30000");
      await clock.advance(29_000);
      const waiting = ask();
      await clock.advance(1_000);
      assert.equal(await waiting, "200");
      assert.equal(asked, 2);
    },
  );
});

test("requests wait their turn for a second at most, and beyond it come back later", async () => {
  await scene(
    () => ({ quota: { perSecond: 2 } }),
    (_, response) => response.end(),
    async ({ ask, clock }) => {
      const asked = Promise.all([ask(), ask(), ask(), ask()]);
      await clock.advance(1_000);
      assert.deepEqual(await asked, ["200", "200", "200", "quota 1500"]);
    },
  );
});

test("an upstream that is down is asked by a probe alone, until it answers", async () => {
  let asked = 0;
  let down = true;
  await scene(
    () => ({}),
    (_, response) => {
      asked += 1;
      response.writeHead(down ? 503 : 404).end();
    },
    async ({ ask, clock, upstream }) => {
      for (let count = 0; count < 5; count += 1) {
        assert.equal(await ask(), "503");
      }
      assert.equal(upstream.isBreakerOpen(), true);
      assert.equal(await ask(), "breaker_open 5000");
      await clock.advance(5_000);
      assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [
        "503",
        "breaker_open 1000",
        "breaker_open 1000",
      ]);
      assert.equal(asked, 6);
      down = false;
      await clock.advance(10_000);
      assert.equal(await ask(), "404");
      assert.equal(await ask(), "404");
      assert.equal(upstream.isBreakerOpen(), false);
    },
  );
});

test("what is too large for us, and what it refuses, opens no breaker", async () => {
  await scene(
    () => ({}),
    (request, response) => {
      if (request.url === "/large") response.end("x".repeat(10_000));
      else response.writeHead(403).end();
    },
    async ({ ask, upstream }) => {
      for (let count = 0; count < 6; count += 1) {
        assert.equal(await ask("/large"), "too_large");
        assert.equal(await ask(), "403");
      }
      assert.equal(upstream.isBreakerOpen(), false);
    },
  );
});

test("requests about references that the upstream never knew use half of a day's quota, and the others find their turns", async () => {
  await scene(
    () => ({ quota: { perDay: 48 } }),
    (_, response) => response.writeHead(200).end(),
    async ({ clock, ask }) => {
      const counts = { unresolved: 0, known: 0 };
      for (let minute = 0; minute < 24 * 60; minute += 10) {
        // 18 a day.
        if (minute % 80 === 0 && (await ask()) === "200") counts.known += 1;
        if ((await ask("/", true)) === "200") counts.unresolved += 1;
        await clock.advance(10 * 60_000);
      }
      assert.equal(counts.known, 18);
      assert.ok(counts.unresolved <= 24 && counts.unresolved >= 20, String(counts.unresolved));
    },
  );
});

test("of several keys the one that serves is kept, and all are not tried again at once where none does", async () => {
  const seen: unknown[] = [];
  let good = "new";
  await scene(
    () => ({ apiKeys: { header: "Subscription-Key", values: ["old", "new"] } }),
    (request, response) => {
      const key = request.headers["subscription-key"];
      seen.push(key);
      response.writeHead(key === good ? 200 : 401).end();
    },
    async ({ ask, clock }) => {
      assert.deepEqual([await ask(), await ask()], ["200", "200"]);
      assert.deepEqual(seen.splice(0), ["old", "new", "new"]);
      good = "none";
      assert.deepEqual([await ask(), await ask()], ["401", "401"]);
      assert.deepEqual(seen.splice(0), ["new", "old", "new"]);
      await clock.advance(60_000);
      good = "old";
      assert.equal(await ask(), "200");
      assert.deepEqual(seen.splice(0), ["new", "old"]);
    },
  );
});

test("an account with credentials of its own is asked for with them, and the key goes beside the token", async () => {
  const seen: unknown[] = [];
  await scene(
    (url) => ({
      oauth: { ...OAUTH, tokenUrl: `${url}/token` },
      apiKeys: { header: "Subscription-Key", values: ["key"] },
      accounts: {
        one: { oauth: { ...OAUTH, clientId: "one", tokenUrl: `${url}/token`, tokenHeader: "X-Token" } },
        two: {},
      },
    }),
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
    async ({ ask }) => {
      for (const account of [undefined, "one", "two"]) assert.equal(await ask("/", false, account), "200");
      assert.deepEqual(seen, [
        ["Bearer token-of-id", undefined, "key"],
        [undefined, "token-of-one", "key"],
        ["Bearer token-of-id", undefined, "key"],
      ]);
    },
  );
});

test("an account whose own sign-in fails closes no door to the others", async () => {
  await scene(
    (url) => ({
      accounts: {
        down: { oauth: { ...OAUTH, tokenUrl: `${url}/down` } },
        unsigned: {
          oauth: { clientId: "id", assertion: { keyFile: "/no/such.pem" }, tokenUrl: `${url}/token` },
        },
      },
    }),
    (request, response) => response.writeHead(request.url === "/down" ? 503 : 200).end(),
    async ({ ask, clock, upstream }) => {
      for (const [account, failure] of [
        ["down", "oauth_http_503"],
        ["unsigned", "oauth_key_unusable"],
      ] as const) {
        for (let asked = 0; asked < 6; asked += 1) {
          assert.equal(await ask("/", false, account), failure);
          await clock.advance(1_000);
        }
      }
      assert.equal(upstream.isBreakerOpen(), false);
      assert.equal(await ask(), "200");
    },
  );
});
