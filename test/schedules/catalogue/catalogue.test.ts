/** Schedules of the catalogue: each entry against a replayed carrier, from the question to stored calls. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import {
  shippedCatalogue,
  type Catalogue,
  type CatalogueEntry,
} from "../../../src/freight/source-catalogue/carriers.ts";
import type { SignIn } from "../../../src/freight/source-catalogue/schema.ts";
import { ingest } from "../../../src/products/schedules/calls/ingest.ts";
import { createFeedClient, type FeedAnswer } from "../../../src/products/schedules/sources/feed-client.ts";
import { FEED_KINDS, isPolled } from "../../../src/products/schedules/sources/feed-schema.ts";
import { readFeeds } from "../../../src/products/schedules/sources/feeds-file.ts";
import { manualClock } from "../../support/clock.ts";
import { serving } from "../../upstream/serving.ts";
import { openScene, SETTINGS, type Scene } from "../scene.ts";
import { DOCUMENTED, type Documented } from "./documented.ts";
import { givenFor, replayedSchedules, toLoopback } from "./replayed-schedules.ts";

type Case = { readonly name: string; readonly entry: CatalogueEntry; readonly signIn: SignIn };

const CASES: readonly Case[] = shippedCatalogue().flatMap((entry) =>
  (entry.schedules?.signIn ?? []).map((signIn, _, all) => ({
    name: all.length === 1 ? entry.scac : `${entry.scac} ${signIn.kind}`,
    entry,
    signIn,
  })),
);

const ASKS = { services: ["FE1"], ports: ["NLRTM"], pairs: [{ from: "CNSHA", to: "NLRTM" }] };

const needsGiven = ({ needs }: SignIn, wrong: string | null) =>
  Object.fromEntries(
    Object.keys(needs).map((need) => [need, need === wrong ? "something-else" : givenFor(need)]),
  );

function feedsOf(entry: object, catalogue?: Catalogue) {
  const read = readFeeds(JSON.stringify([entry]), catalogue && (() => catalogue));
  assert.ok(read.kind === "feeds", JSON.stringify(read));
  return read.feeds.filter(isPolled);
}

/** What the feeds of an entry are answered with by a carrier that behaves so, and the kinds that were let in. */
function fetchAll(documented: Documented, entry: object, catalogue?: Catalogue) {
  const asked: string[] = [];
  return serving(replayedSchedules(documented, asked), async ({ url, http }) => {
    const feeds = feedsOf(entry, catalogue);
    // The certificate of a signed assertion is of the day on which the tests run.
    const clock = manualClock(Date.now());
    const random = { fraction: () => 1 };
    const client = createFeedClient({ feeds, http: toLoopback(http, url), clock, random });
    const answers: FeedAnswer[] = [];
    for (const feed of feeds) answers.push(await client.fetchFeed(feed, clock.nowMs()));
    return { answers, asked, feeds };
  });
}

describe("schedules of the catalogue", () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene.on.drop());
  beforeEach(() => scene.clear());

  for (const { name, entry, signIn } of CASES) {
    const documented = DOCUMENTED[name];
    test(`${name}: with credentials alone its schedules are asked for, read and stored`, async () => {
      assert.ok(documented !== undefined, `${name}: how does it behave by its documents?`);
      const own = { carrier: entry.scac, ...needsGiven(signIn, null), ...ASKS };
      const { answers, asked, feeds } = await fetchAll(documented, own);
      for (const answer of answers) {
        assert.ok(answer.kind === "answered", JSON.stringify(answer));
        assert.deepEqual(answer.problems, []);
        for (const update of answer.updates) await ingest(scene.ports, SETTINGS, update);
      }
      assert.deepEqual(new Set(asked), new Set(feeds.map(({ kind }) => kind)));
      const records = await scene.records();
      assert.deepEqual(new Set(records.map(({ carrier }) => carrier)), new Set([entry.scac]));
      // The second page, and both vessels of the way.
      for (const voyage of ["613E", "614E", "700W", "701W"]) {
        assert.ok(
          records.some((record) => record.voyage.export === voyage),
          voyage,
        );
      }
      const cells = scene.on.productCells.of("schedules").all;
      const ways = await scene.on.queryEach(cells, "select carrier, origin, destination from cell.routings");
      assert.deepEqual(ways, [{ carrier: entry.scac, origin: "CNSHA", destination: "NLRTM" }]);
    });

    for (const wrong of Object.keys(signIn.needs).filter((need) => !/File|Url$/.test(need))) {
      test(`${name}: with another ${wrong} it tells nothing`, async () => {
        const own = { carrier: entry.scac, ...needsGiven(signIn, wrong), ...ASKS };
        const { answers, asked } = await fetchAll(documented!, own);
        assert.deepEqual(asked, []);
        for (const answer of answers) assert.notEqual(answer.kind, "answered");
      });
    }
  }
});

test("a carrier is added by data alone", async () => {
  const maersk = shippedCatalogue().find(({ scac }) => scac === "MAEU");
  const { schedules, ...rest } = maersk!;
  const url = "https://api.heron.example/v1/vessel-schedules";
  const feeds = [{ kind: "cs-vessel-schedules", by: ["ports" as const], entry: { url } }];
  const heron = { ...rest, scac: "HRNL", name: "Heron", schedules: { ...schedules!, feeds } };
  const own = { carrier: "HRNL", apiKey: givenFor("apiKey"), ports: ["NLRTM"], every: "1h" };
  const paths = { "cs-vessel-schedules": "api.heron.example/v1/vessel-schedules" };
  const { answers } = await fetchAll({ paths, headers: { "consumer-key": "apiKey" } }, own, [heron]);
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    ["answered"],
  );
});

test("an entry becomes a feed for each question, with the user's fields over the catalogue's", () => {
  const given = { carrier: "MAEU", apiKey: "a-key", every: "1h", ...ASKS };
  const feeds = feedsOf(given);
  assert.deepEqual(
    feeds.map(({ name, carrier, kind, every, services, ports, pairs, daysAhead }) => ({
      ...{ name, carrier, kind, every, services, ports, pairs, daysAhead },
    })),
    [
      {
        ...{ name: "maeu-vessel-schedules", carrier: "MAEU", kind: "cs-vessel-schedules", every: "1h" },
        ...{ services: ["FE1"], ports: ["NLRTM"], pairs: undefined, daysAhead: undefined },
      },
      {
        ...{ name: "maeu-point-to-point", carrier: "MAEU", kind: "cs-point-to-point", every: "1h" },
        ...{ services: undefined, ports: undefined, pairs: ASKS.pairs, daysAhead: 56 },
      },
    ],
  );
  assert.deepEqual(
    feedsOf({ ...given, name: "big-blue", daysAhead: 30 }).map(({ name, daysAhead }) => [name, daysAhead]),
    [
      ["big-blue-vessel-schedules", 30],
      ["big-blue-point-to-point", 30],
    ],
  );
});

test("a wrong entry is refused with its place and what to change, without its secrets", () => {
  const good = { name: "own", carrier: "HRNL", kind: "cs-port-schedules" };
  const key = { apiKey: "a-secret-key" };
  const UNKNOWN = /^\/1\/carrier must be a SCAC that `boathook schedules catalogue` lists; .* kind and url$/;
  for (const [entry, says] of [
    [{ carrier: "NONE", ...key }, UNKNOWN],
    [{ carrier: "HDMU", ...key }, /^\/1\/carrier cannot be polled: its schedules have a form of their own/],
    [{ carrier: "MAEU", ports: ["NLRTM"] }, /^\/1\/apiKey is missing: Maersk signs in with apiKey$/],
    [
      { carrier: "MAEU", ...key },
      /^\/1\/services, vessels, ports, pairs: one of them must say what to ask for$/,
    ],
    [{ carrier: "MAEU", ...key, ports: ["Rotterdam"] }, /^\/1\/ports\/0 must be a UN\/LOCODE/],
    [{ carrier: "MAEU", ...key, ports: ["NLRTM"], every: "1y" }, /^\/1\/every /],
    [
      { carrier: "MAEU", ...key, ...ASKS, daysAhead: 57 },
      /^\/1\/daysAhead must be at most 56 for cs-point-to-point of Maersk \(https:\/\/github\.com\/\S+\); a feed of your own/,
    ],
  ] as const) {
    const read = readFeeds(JSON.stringify([good, entry]));
    assert.ok(read.kind === "invalid", JSON.stringify(entry));
    assert.match(read.problems[0]!, says);
    assert.doesNotMatch(read.problems.join(), /a-secret-key/);
  }
  const trackingAlone = () => shippedCatalogue().map(({ schedules: _, ...entry }) => entry);
  const read = readFeeds(JSON.stringify([good, { carrier: "MAEU", ...key }]), trackingAlone);
  assert.ok(read.kind === "invalid");
  assert.match(read.problems[0]!, UNKNOWN);
});

test("the longest period of a carrier binds the feed that it is known of, and has its page among the sources", () => {
  const given = { carrier: "MAEU", apiKey: "a-key" };
  const daysOf = (entry: object) => feedsOf({ ...given, ...entry }).map(({ daysAhead }) => daysAhead);
  assert.deepEqual(daysOf({ pairs: ASKS.pairs, daysAhead: 56 }), [56]);
  assert.deepEqual(daysOf({ ports: ["NLRTM"], daysAhead: 90 }), [90]);
  for (const { scac, schedules } of shippedCatalogue()) {
    for (const { daysAheadMax: most, entry } of schedules?.feeds ?? []) {
      if (most === undefined) continue;
      assert.ok(
        schedules!.sources.some(({ url }) => url === most.source),
        scac,
      );
      assert.ok(Number(entry["daysAhead"] ?? 60) <= most.value, scac);
    }
  }
});

test("every feed of the catalogue is of a kind that Boathook reads", () => {
  const kinds = shippedCatalogue().flatMap(({ schedules }) => schedules?.feeds.map(({ kind }) => kind) ?? []);
  assert.ok(kinds.length > 0);
  for (const kind of kinds) assert.ok((FEED_KINDS as readonly string[]).includes(kind), kind);
});
