/** Quotas and pauses of accounts with credentials of their own. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { ownShare } from "../../src/freight/upstream/quota-share.ts";
import { createUpstream, type UpstreamSettings } from "../../src/freight/upstream/upstream.ts";
import { manualClock } from "../support/clock.ts";
import { OAUTH, scene } from "./scene.ts";
import { createQuota } from "../../src/freight/upstream/quota.ts";
import { forAllAsync } from "../support/runs.ts";

const [ONE, SAME, OTHER, PLAIN] = [1, 2, 3, 4].map((nth) => `00000000-0000-7000-8000-00000000000${nth}`) as [
  string,
  string,
  string,
  string,
];

test("a 429 to an account's own sign-in pauses the accounts that sign in alike, and no other", async (t) => {
  const plans = { ...OAUTH, scope: "tracking" };
  let refused = "own";
  const { askFor, clock } = await scene(
    t,
    (url) => {
      const own = { ...plans, tokenUrl: `${url}/token/own`, clientId: "own" };
      return {
        oauth: { ...plans, tokenUrl: `${url}/token/shared` },
        accounts: {
          [ONE]: { oauth: own },
          [SAME]: { oauth: { ...own, scope: "all" } },
          [OTHER]: { oauth: { ...own, clientId: "other", tokenUrl: `${url}/token/other` } },
          // Parameters beside the shared sign-in.
          [PLAIN]: {},
        },
      };
    },
    ({ url = "", headers }, response) => {
      if (url.startsWith("/token"))
        return response.end(`{"access_token":"${url.slice(7)}","expires_in":3600}`);
      const isRefused = headers.authorization === `Bearer ${refused}`;
      return response.writeHead(isRefused ? 429 : 200, isRefused ? { "retry-after": "30" } : {}).end();
    },
  );
  const asked = async () => {
    const outcomes: string[] = [];
    for (const account of [ONE, SAME, OTHER, PLAIN, undefined]) outcomes.push(await askFor(account));
    return outcomes;
  };
  assert.equal(await askFor(ONE), "429");
  assert.deepEqual(await asked(), ["quota 30000", "quota 30000", "200", "200", "200"]);
  await clock.advance(30_000);
  refused = "shared";
  assert.equal(await askFor(PLAIN), "429");
  assert.deepEqual(await asked(), ["200", "200", "200", "quota 30000", "quota 30000"]);
});

const TOKEN = `{"access_token":"t","expires_in":3600}`;

/** How many requests of each account pass at once where one a day half hour may, and the names of the quotas. */
async function counted(settings: Omit<UpstreamSettings, "quota">, accounts: readonly string[]) {
  const clock = manualClock();
  const names: string[] = [];
  const ports = {
    http: async () => ({ kind: "answered", status: 200, header: () => null, body: TOKEN }) as const,
    clock,
    random: { fraction: () => 1 },
    shareQuota(source: string) {
      names.push(source);
      return ownShare(clock);
    },
  };
  const upstream = createUpstream("api", { ...settings, quota: { perDay: 12 } }, ports);
  const sent: number[] = [];
  for (const account of accounts) {
    const options = { headers: {}, timeoutMs: 1_000, bodyBytesMax: 1_000, quotaWaitMsMax: 0, account };
    let answered = 0;
    while ((await upstream.get(new URL("http://api.example/"), options)).kind === "answered") answered += 1;
    sent.push(answered);
  }
  return { sent, names: names.filter((source) => !source.endsWith(" unresolved")) };
}

test("an account's own credentials have the quota for themselves, by one name on all nodes", async () => {
  const keyed = { [ONE]: { headers: { "X-Api-Key": "1" } }, [SAME]: { headers: { "x-api-key": "1" } } };
  const others = { [OTHER]: { headers: { "X-API-Key": "0" } }, [PLAIN]: { headers: { "x-customer": "7" } } };
  const own = { headers: { "x-api-key": "0" }, accounts: { ...others, ...keyed } };
  const { names } = await counted(own, [ONE, OTHER]);
  assert.deepEqual(names, [`api account ${ONE}`, "api"]);
  const apiKeys = { header: "X-API-KEY", values: ["0"] };
  const signature = { algorithm: "hmac-sha256", secret: "s", text: "{date}", headers: {} } as const;
  const oauth = { ...OAUTH, tokenUrl: "http://api.example/token" };
  const signedIn = { [ONE]: { oauth }, [SAME]: { oauth, headers: { "client-id": "1" } } };
  // SAME has a key in common with the one and a sign-in with the other.
  const chained = { ...signedIn, [OTHER]: { headers: { "client-id": "1" } } };
  const inQuestion = { [ONE]: { parameters: { apikey: "1" } }, [OTHER]: { parameters: { behalfOf: "1" } } };
  for (const [what, settings, accounts, sent] of [
    ["keys in headers", own, [SAME, ONE, OTHER, PLAIN], [1, 0, 1, 0]],
    ["keys beside several", { apiKeys, accounts: keyed }, [ONE, SAME, OTHER], [1, 0, 1]],
    // A key, a sign-in or a signature that all show: the quota is the operator's.
    ["a key of all", { apiKeys: { ...apiKeys, header: "gate" }, accounts: keyed }, [ONE, OTHER], [1, 0]],
    ["a signature of all", { signature, accounts: keyed }, [ONE, OTHER], [1, 0]],
    ["an id of all", { headers: { "client-id": "0" }, accounts: signedIn }, [ONE, OTHER], [1, 0]],
    ["a chain", { accounts: chained }, [ONE, OTHER, SAME, PLAIN], [1, 0, 0, 1]],
    ["parameters", { parameters: { apikey: "0" }, accounts: inQuestion }, [ONE, OTHER, PLAIN], [1, 1, 0]],
    ["a sign-in of all", { oauth, accounts: { [ONE]: { oauth } } }, [ONE, OTHER], [1, 0]],
  ] as const) {
    assert.deepEqual((await counted(settings, accounts)).sent, sent, what);
  }
});

test("without a limit everything passes, until the upstream wants nothing for a while", async () => {
  const clock = manualClock();
  const quota = createQuota({}, clock);
  for (let asked = 0; asked < 1_000; asked += 1)
    assert.deepEqual(await quota.take(0), { kind: "granted", waitMs: 0 });
  quota.drain(30_000);
  assert.deepEqual(await quota.take(1_000), { kind: "refused", retryAfterMs: 30_000 });
  await clock.advance(29_500);
  assert.deepEqual(await quota.take(1_000), { kind: "granted", waitMs: 500 });
  assert.equal(quota.drainedForMs(), 500);
  await clock.advance(500);
  assert.equal(quota.drainedForMs(), 0);
});

test("turns are in the order of asking, and a request that would wait too long learns for how long", async () => {
  const quota = createQuota({ perSecond: 4 }, manualClock());
  const turns = await Promise.all(Array.from({ length: 6 }, () => quota.take(1_000)));
  assert.deepEqual(
    turns.map((turn) => (turn.kind === "granted" ? turn.waitMs : -turn.retryAfterMs)),
    [0, 250, 500, 750, 1_000, -1_250],
  );
});

test("a bucket that was drained fills from nothing", async () => {
  const clock = manualClock();
  const quota = createQuota({ perMinute: 600 }, clock);
  quota.drain(5_000);
  await clock.advance(5_000);
  assert.deepEqual(await quota.take(0), { kind: "granted", waitMs: 0 });
  assert.equal((await quota.take(0)).kind, "refused");
});

test("however it is asked, no window has more requests than any of the limits", () =>
  forAllAsync(
    60,
    fc.integer({ min: 1, max: 30 }),
    fc.integer({ min: 1, max: 200 }),
    fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 50, maxLength: 150 }),
    async (perSecond, perMinute, pauses) => {
      const clock = manualClock();
      const quota = createQuota({ perSecond, perMinute }, clock);
      const leftAt: number[] = [];
      for (const pauseMs of pauses) {
        if (pauseMs > 1_500) await clock.advance(pauseMs - 1_500);
        const turn = await quota.take(1_000);
        if (turn.kind === "granted") leftAt.push(clock.monotonicMs() + turn.waitMs);
      }
      for (const [limit, windowMs] of [
        [perSecond, 1_000],
        [perMinute, 60_000],
      ] as const) {
        for (const fromMs of leftAt) {
          const within = leftAt.filter((ms) => ms >= fromMs && ms < fromMs + windowMs - 1e-6);
          assert.ok(within.length <= limit, `${within.length} in ${windowMs} ms, ${limit} allowed`);
        }
      }
    },
  ));
