import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { intervalMsOf, readFeeds } from "../../../src/products/schedules/sources/feeds-file.ts";
import { createFeedClient } from "../../../src/products/schedules/sources/feed-client.ts";
import { feedQuotas } from "../../../src/products/schedules/sources/feed-quotas.ts";
import type { PolledFeed } from "../../../src/products/schedules/sources/feed-schema.ts";
import { ownShare } from "../../../src/freight/upstream/quota-share.ts";
import { manualClock } from "../../support/clock.ts";
import { serving } from "../../upstream/serving.ts";

const FEED = {
  name: "heron-services",
  carrier: "HRNL",
  kind: "cs-vessel-schedules",
  url: "https://api.heron.example/cs/v1/vessel-schedules",
  services: ["FE1"],
} as const;

test("an entry with all fields is valid", () => {
  const feeds = [
    {
      ...FEED,
      smdg: "HRN",
      headers: { "X-Api-Key": "k" },
      oauth: { tokenUrl: "https://login.example/token", clientId: "boathook", clientSecret: "s3cret" },
      quota: { perMinute: 30 },
      timeoutMs: 20_000,
      parameters: { limit: "200", endDate: "" },
      vessels: ["9321483"],
      ports: ["NLRTM"],
      daysAhead: 90,
      daysBehind: 3,
      every: "2h",
      secret: "sixteen-and-more-characters",
    },
    { ...FEED, name: "heron-all", kind: "ovs-service-schedules", services: undefined },
    { ...FEED, name: "heron-ports", kind: "cs-port-schedules", services: undefined, ports: ["CNSHA"] },
    {
      ...FEED,
      name: "heron-routes",
      kind: "cs-point-to-point",
      services: undefined,
      pairs: [{ from: "CNSHA", to: "NLRTM" }],
    },
    { name: "heron-pushed", carrier: "HRNL", kind: "ovs-service-schedules" },
  ];
  const written = JSON.stringify(feeds);
  assert.deepEqual(readFeeds(written), { kind: "entries", entries: JSON.parse(written) });
});

test("a feed is polled every six hours by default", () => {
  const read = readFeeds(JSON.stringify([FEED, { ...FEED, name: "often", every: "15m" }]));
  assert.equal(read.kind, "entries");
  assert.deepEqual(read.kind === "entries" && read.entries.map(intervalMsOf), [6 * 3_600_000, 15 * 60_000]);
});

test("problems name the place in an entry, and no secret", () => {
  const secret = "a key nobody may read";
  for (const [entry, place] of [
    [{ name: "Heron Services" }, /^\/0\/name must be small letters, digits and hyphens, 63 at most$/],
    [{ carrier: "heron" }, /^\/0\/carrier must be two to four capital letters$/],
    [{ kind: "cs" }, /^\/0\/kind must be one of cs-vessel-schedules, /],
    [{ url: `https://user:${secret}@heron.example` }, /^\/0\/url /],
    [{ url: "https://heron.example?key=1" }, /^\/0\/url must be a URL .*without user, query and fragment$/],
    [{ url: "https://[" }, /^\/0\/url is no URL$/],
    [{ headers: { "api-key": `${secret}\r\n` } }, /^\/0\/headers\/api-key /],
    [
      { oauth: { tokenUrl: "https://[", clientId: "b", clientSecret: secret } },
      /^\/0\/oauth\/tokenUrl is no URL$/,
    ],
    [{ services: [] }, /^\/0\/services /],
    [{ services: undefined }, /^\/0 lacks services or vessels or ports: what to ask for$/],
    [{ ports: ["Rotterdam"] }, /^\/0\/ports\/0 must be a UN\/LOCODE/],
    [{ vessels: ["IMO 9321483"] }, /^\/0\/vessels\/0 must be an IMO number of seven digits$/],
    [
      { pairs: [{ from: "CNSHA", to: "NLRTM" }] },
      /^\/0\/pairs does not fit cs-vessel-schedules: it takes services, /,
    ],
    [{ url: undefined }, /^\/0 has services, and no url to ask for them$/],
    [{ every: "often" }, /^\/0\/every must be a duration such as /],
    [{ every: "90d" }, /^\/0\/every must be from 100ms to 7d$/],
    [{ secret: "short" }, /^\/0\/secret must be 16 to 200 printable ASCII characters without spaces$/],
    [{ password: secret }, /^\/0 has fields that are not known: password$/],
  ] as const) {
    const read = readFeeds(JSON.stringify([{ ...FEED, ...entry }]));
    assert.equal(read.kind, "invalid", JSON.stringify(entry));
    const problems = read.kind === "invalid" ? read.problems : [];
    assert.match(problems[0] ?? "", place);
    assert.equal(JSON.stringify(problems).includes(secret), false);
  }
  assert.deepEqual(readFeeds("{"), { kind: "invalid", problems: ["the schedules file is not JSON"] });
  assert.deepEqual(readFeeds(JSON.stringify([FEED, FEED])), {
    kind: "invalid",
    problems: ["feed heron-services is there twice"],
  });
});

test("the example of the guide is right", () => {
  const guide = readFileSync(new URL("../../../docs/schedules.md", import.meta.url), "utf8");
  const example = /```json\n(\[[^]*?)```/.exec(guide)?.[1] ?? "";
  const read = readFeeds(example);
  assert.deepEqual(read.kind === "entries" ? read.entries.map(({ kind }) => kind) : read.problems, [
    "cs-vessel-schedules",
    "ovs-service-schedules",
    "cs-port-schedules",
  ]);
});

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
