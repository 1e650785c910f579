/** Feeds of one carrier, which counts their requests together. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createFeedClient } from "../../../src/products/schedules/sources/feed-client.ts";
import { feedQuotas } from "../../../src/products/schedules/sources/feed-quotas.ts";
import type { PolledFeed } from "../../../src/products/schedules/sources/feed-schema.ts";
import { ownShare } from "../../../src/freight/upstream/quota-share.ts";
import { manualClock } from "../../support/clock.ts";
import { serving } from "../../upstream/serving.ts";

const HERON = { carrier: "HRNL", headers: { "X-Api-Key": "heron" } } as const;

const feed = (name: string, url: string, fields: object): PolledFeed => ({
  carrier: "HRNL",
  kind: "ovs-service-schedules",
  name,
  url: `${url}/${name}`,
  ...fields,
});

test("a 429 to one feed pauses those with the same credentials on the host, and a limit counts all of them", async () => {
  const asked: string[] = [];
  let refused = "";
  const listener: Parameters<typeof serving>[0] = ({ url = "" }, response) => {
    const path = url.slice(1, url.indexOf("?"));
    asked.push(path);
    response
      .writeHead(path === refused ? 429 : 200, path === refused ? { "retry-after": "60" } : {})
      .end("[]");
  };
  await serving(listener, async ({ url, http }) => {
    const clock = manualClock();
    const shared: string[] = [];
    const quota = { perDay: 36 };
    const feeds = [
      feed("heron-services", url, { ...HERON, headers: { "x-api-key": "heron" }, quota }),
      feed("heron-ports", url, { ...HERON, quota: { perDay: 4_000 } }),
      feed("tern", url, { carrier: "TERN", headers: { "X-Api-Key": "tern" }, quota }),
    ];
    const client = createFeedClient({
      feeds,
      http,
      clock,
      random: { fraction: () => 1 },
      shareQuota(source) {
        shared.push(source);
        return ownShare(clock);
      },
    });
    const fetch = async () => {
      const outcomes: string[] = [];
      for (const one of feeds) {
        const answer = await client.fetchFeed(one, clock.nowMs());
        const failure = answer.kind === "answered" ? answer.failure : answer;
        outcomes.push(failure?.kind === "unavailable" ? failure.reason : "ok");
      }
      return outcomes;
    };
    refused = "heron-services";
    assert.deepEqual(await fetch(), ["http_429", "quota", "ok"]);
    assert.deepEqual(asked, ["heron-services", "tern"]);
    refused = "";
    await clock.advance(24 * 3_600_000);
    // Three at once, of 36 a day: of both feeds together.
    assert.deepEqual(await fetch(), ["ok", "ok", "ok"]);
    assert.deepEqual(await fetch(), ["ok", "quota", "ok"]);
    assert.deepEqual(
      shared.filter((source) => !source.endsWith(" unresolved")),
      ["schedules heron-ports", "schedules tern"],
    );
  });
});

test("feeds share by host and credentials, the strictest limit of each window holds, and others have their own", () => {
  const url = "https://api.heron.example";
  const oauth = { tokenUrl: "https://login.heron.example/token", clientId: "id", clientSecret: "secret" };
  const quotas = feedQuotas([
    feed("b", url, { ...HERON, quota: { perSecond: 5, perDay: 100 } }),
    feed("a", url, {
      carrier: "HRNA",
      headers: { "x-api-key": "heron", accept: "x" },
      quota: { perDay: 50 },
    }),
    feed("c", "https://ovs.heron.example", HERON),
    feed("d", url, { headers: { "x-api-key": "other" }, quota: { perMinute: 1 } }),
    feed("e", url, { oauth: { ...oauth, scope: "cs" } }),
    feed("f", url, { oauth: { ...oauth, scope: "ovs" }, quota: { perMinute: 2 } }),
    feed("g", url, { parameters: { apikey: "k", limit: "10" }, quota: { perMinute: 3 } }),
    feed("h", url, { parameters: { apikey: "k", limit: "20" } }),
    // Nobody signs in: who knows how the carrier counts.
    feed("i", url, {}),
    feed("j", url, {}),
    { name: "pushed", carrier: "HRNL", kind: "ovs-service-schedules" },
  ]);
  const limits = [...quotas].map(([name, { name: shared, quota }]) =>
    [name, shared.slice("schedules ".length), ...Object.values(quota).map((limit) => limit ?? 0)].join(" "),
  );
  assert.deepEqual(limits.toSorted(), [
    "a a 5 0 50",
    "b a 5 0 50",
    "c c 0 0 0",
    "d d 0 1 0",
    "e e 0 2 0",
    "f e 0 2 0",
    "g g 0 3 0",
    "h g 0 3 0",
    "i i 0 0 0",
    "j j 0 0 0",
  ]);
});
