/** Feeds from entries of the catalogue; check/check-catalogue.test.ts asks each carrier. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { shippedCatalogue, type Catalogue } from "../../../src/freight/source-catalogue/carriers.ts";
import { FEED_KINDS, isPolled } from "../../../src/products/schedules/sources/feed-schema.ts";
import { readFeeds } from "../../../src/products/schedules/sources/feeds-file.ts";

const ASKS = { services: ["FE1"], ports: ["NLRTM"], pairs: [{ from: "CNSHA", to: "NLRTM" }] };

function feedsOf(entry: object, catalogue?: Catalogue) {
  const read = readFeeds(JSON.stringify([entry]), catalogue && (() => catalogue));
  assert.ok(read.kind === "entries", JSON.stringify(read));
  return read.entries.filter(isPolled);
}

test("a carrier is added by data alone", async () => {
  const maersk = shippedCatalogue().find(({ scac }) => scac === "MAEU");
  const { schedules, ...rest } = maersk!;
  const url = "https://api.heron.example/v1/vessel-schedules";
  const feeds = [{ kind: "cs-vessel-schedules", by: ["ports" as const], entry: { url } }];
  const heron = { ...rest, scac: "HRNL", name: "Heron", schedules: { ...schedules!, feeds } };
  const own = { carrier: "HRNL", apiKey: "the-key", ports: ["NLRTM"], every: "1h" };
  const [feed, ...others] = feedsOf(own, [heron]);
  const { url: at, headers, kind, services } = feed!;
  assert.deepEqual([at, kind, services, others], [url, "cs-vessel-schedules", undefined, []]);
  assert.deepEqual(headers, { "Consumer-Key": "the-key" });
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
