import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test } from "node:test";

import { createUpstream, type Upstream, type UpstreamSettings } from "../../src/freight/upstream/upstream.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { serving } from "./serving.ts";

type Scene = {
  readonly clock: ManualClock;
  readonly upstream: Upstream;
  ask(path?: string): Promise<string>;
};

/** Asks a real server; each outcome is one word. */
function scene(
  settings: (url: string) => UpstreamSettings,
  listener: RequestListener,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  return serving(listener, async ({ url, http }) => {
    const clock = manualClock();
    const upstream = createUpstream("api", settings(url), { http, clock, random: { fraction: () => 1 } });
    await work({
      clock,
      upstream,
      async ask(path = "/") {
        const options = { headers: { "api-key": "k" }, timeoutMs: 5_000, bodyBytesMax: 1_000 };
        const answer = await upstream.get(new URL(path, url), options);
        if (answer.kind === "answered") return `${answer.status} ${answer.body}`.trim();
        if (answer.kind === "refused") return `${answer.reason} ${answer.retryAfterMs}`;
        return answer.kind === "failed" ? answer.reason : `not_permitted ${answer.status}`;
      },
    });
  });
}

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
