/** The AIS file, and what a feed's answers come to. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { readAisAnswer } from "../../../src/products/ocean/sources/ais/ais-answer.ts";
import { readPoint } from "../../../src/products/ocean/sources/ais/vessel-point.ts";
import { readAisFile, type AisFeed } from "../../../src/products/ocean/sources/ais/ais-file.ts";
import {
  readImo,
  readNavigationalStatus,
} from "../../../src/products/ocean/sources/ais/navigational-status.ts";
import { march, event } from "../event.ts";
import { aboardOf } from "../../../src/products/ocean/record/aboard.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import { UNARMED } from "../life.ts";

const FEED: AisFeed = {
  url: "https://ais.example/v1/vessels/{imo}?key=1",
  fields: { status: "status", at: "at" },
};

test("a navigational status is its number or its usual English", () => {
  const texts = {
    0: ["0", "Under way using engine", "UNDER_WAY_USING_ENGINE", "Underway"],
    1: ["1", "At anchor", "AT_ANCHOR", "anchored"],
    3: ["Restricted manoeuvrability", "restricted maneuverability"],
    5: ["5", " moored ", "Moored"],
    8: ["Under way - sailing", "8"],
    15: ["15", "Not defined"],
  };
  for (const [number, spellings] of Object.entries(texts)) {
    for (const text of spellings) assert.equal(readNavigationalStatus(text), Number(number), text);
    assert.equal(readNavigationalStatus(Number(number)), Number(number));
  }
  for (const wrong of [
    "",
    "docked?",
    "16",
    "-1",
    "constructor",
    "x".repeat(200),
    16,
    -1,
    1.5,
    null,
    [],
    {},
  ]) {
    assert.equal(readNavigationalStatus(wrong), null, JSON.stringify(wrong));
  }
});

test("an IMO number is seven digits, however it is written", () => {
  for (const text of ["9321483", "IMO9321483", "IMO 9321483", " imo-9321483 ", 9321483]) {
    assert.equal(readImo(text), "9321483");
  }
  for (const wrong of ["", "932148", "93214830", "9321483x", 0, null, {}]) assert.equal(readImo(wrong), null);
});

test("an answer is read by the names that the file gives", () => {
  const NOW = march(10);
  const report = { status: 1, seenMs: march(10, 9) };
  const fields = { status: "data.nav.state", at: "data.0.seen", imo: "data.imo" };
  const body = JSON.stringify({
    data: [{ imo: 9321483, nav: { state: "At anchor" }, seen: "2026-03-10 09:00:00 UTC" }],
  });
  const read = (text: string, own: AisFeed["fields"] = FEED.fields) =>
    readAisAnswer(text, "9321483", { ...FEED, fields: own }, NOW);
  assert.deepEqual(read(body, fields), { kind: "reported", report });
  const placed = { ...fields, latitude: "data.nav.lat", longitude: "data.nav.lon", course: "data.nav.cog" };
  const where = JSON.parse(body);
  Object.assign(where.data[0].nav, { lat: 51.9, lon: 4.1, cog: 12 });
  assert.deepEqual(read(JSON.stringify(where), placed), {
    kind: "reported",
    report: { ...report, position: { latitude: 51.9, longitude: 4.1, course: 12 } },
  });
  assert.equal(readAisAnswer(body, "9074729", { ...FEED, fields }, NOW).kind, "silent", "another vessel's");
  for (const at of [
    "2026-03-10T09:00:00Z",
    "2026-03-10T10:00:00+01:00",
    "2026-03-10T09:00:00",
    "2026-03-10 09:00:00",
    report.seenMs,
    report.seenMs / 1_000,
    String(report.seenMs / 1_000),
  ]) {
    assert.deepEqual(read(JSON.stringify({ status: 1, at })), { kind: "reported", report }, String(at));
  }
  for (const silent of ["", "null", "[]", "{}", '{"status":null,"at":null}']) {
    assert.deepEqual(read(silent), { kind: "silent" }, silent);
  }
  for (const silent of ['{"data":[]}', '{"data":null}', '{"data":[{"nav":{"state":null},"seen":null}]}']) {
    assert.deepEqual(read(silent, { ...fields, imo: "data.imo" }), { kind: "silent" }, silent);
  }
  for (const [unreadable, problem] of [
    ["<html>", "the answer is not JSON"],
    ['{"state":1,"at":"2026-03-10T09:00:00Z"}', "status is not a navigational status"],
    ['{"status":"secret","at":"2026-03-10T09:00:00Z"}', "status is not a navigational status"],
    ['{"status":1,"at":"yesterday"}', "at is not a time"],
    ['{"status":1,"at":-5}', "at is not a time"],
    [`{"status":1,"at":${NOW + 301_000}}`, "at is in the future"],
  ] as const) {
    assert.deepEqual(read(unreadable), { kind: "unreadable", problem }, unreadable);
  }
});

test("all that the file may say is taken", () => {
  const whole = {
    ...FEED,
    name: "Spire",
    headers: { "X-Api-Key": "k" },
    oauth: { tokenUrl: "https://login.example/token", clientId: "boathook", clientSecret: "s" },
    quota: { perMinute: 60 },
    timeoutMs: 5_000,
    requestsMax: 2,
    freshMs: 600_000,
    fields: { ...FEED.fields, imo: "vessel.imo" },
  };
  assert.deepEqual(readAisFile(JSON.stringify(whole)), { kind: "feed", feed: whole });
});

test("problems of the file name their place and no secret", () => {
  const secret = "a key nobody may read";
  for (const [entry, place] of [
    [{ url: `https://ais.example/${secret}` }, /^\/url /],
    [{ url: `https://user:${secret}@ais.example/{imo}` }, /^\/url /],
    [{ url: "ftp://ais.example/{imo}" }, /^\/url /],
    [{ url: "https://[/{imo}" }, /^\/url is no URL$/],
    [{ headers: { "api-key": [secret] } }, /^\/headers\/api-key /],
    [{ oauth: { clientSecret: secret } }, /^\/oauth /],
    [
      { oauth: { tokenUrl: "https://[", clientId: "b", clientSecret: secret } },
      /^\/oauth\/tokenUrl is no URL$/,
    ],
    [{ quota: {} }, /^\/quota /],
    [{ freshMs: 1_000 }, /^\/freshMs /],
    [{ fields: { status: "a..b", at: "at" } }, /^\/fields\/status /],
    [{ fields: { status: "status" } }, /^\/fields /],
    [{ feilds: secret }, /^\/ has fields that are not known: feilds \(did you mean fields\?\)$/],
  ] as const) {
    const read = readAisFile(JSON.stringify({ ...FEED, ...entry }));
    assert.ok(read.kind === "invalid", JSON.stringify(entry));
    assert.match(read.problems[0] ?? "", place);
    assert.equal(JSON.stringify(read).includes(secret), false);
  }
  assert.deepEqual(readAisFile("{"), { kind: "invalid", problems: ["the AIS file is not JSON"] });
});

test("a position is degrees within the earth, or left out where the vessel does not know", () => {
  const point = (latitude: unknown, longitude: unknown, course: unknown = null) =>
    readPoint(latitude, longitude, course);
  assert.deepEqual(point(51.95, "4.05", 359.9), { latitude: 51.95, longitude: 4.05, course: 359.9 });
  assert.deepEqual(point(-90, 180, 360), { latitude: -90, longitude: 180, course: null });
  for (const unknown of [point(null, null), point(91, 181), point(undefined, ""), point("91", 4)])
    assert.equal(unknown, null);
  for (const wrong of [point(51, null), point(90.1, 4), point(51, 200), point("51N", 4), point({}, [])])
    assert.equal(wrong, "invalid");
});

const DAWN = { name: "HERON DAWN", imo: "9074729" };
const DUSK = { name: "HERON DUSK", imo: "IMO 9321483" };

const sailed = [
  event("LOAD", "CNTAO", march(2), { vessel: DAWN }),
  event("DEPA", "CNTAO", march(3), { vessel: DAWN }),
];

function aboard(events: readonly CarrierEvent[], nowMs = march(10)) {
  return aboardOf(
    nextRecord({ carrier: "HRNL", identifierType: null, events, freeDays: [] }, null, UNARMED, nowMs),
  );
}

function expected(code: string, unlocode: string, atMs: number, more: Partial<CarrierEvent> = {}) {
  return event(code, unlocode, atMs, { vessel: DAWN, classifier: "estimated", ...more });
}

function around(day: number) {
  return { from: march(day - 2), until: march(day + 4) };
}

test("a vessel is asked for from two days before the next arrival until four after, transshipments included", () => {
  const arrival = expected("ARRI", "NLRTM", march(20));
  assert.deepEqual(aboard([...sailed, arrival]), { imos: [DAWN.imo], pollPeriod: around(20) });
  const changing = [
    expected("DISC", "SGSIN", march(12)),
    expected("LOAD", "SGSIN", march(14), { vessel: DUSK }),
    expected("ARRI", "NLRTM", march(28), { vessel: DUSK }),
  ];
  assert.deepEqual(aboard([...sailed, ...changing]), { imos: [DAWN.imo], pollPeriod: around(12) });
});

test("an arrival keeps it asked for until a berth is known", () => {
  const arrived = event("ARRI", "NLRTM", march(20), { vessel: DAWN });
  const at = (facilityType: string): CarrierEvent => ({
    ...arrived,
    place: { unlocode: "NLRTM", name: null, facility: null, facilityType },
  });
  assert.deepEqual(aboard([...sailed, arrived], march(21))?.pollPeriod, around(20));
  assert.deepEqual(aboard([...sailed, at("ANCH")], march(21))?.pollPeriod, around(20));
  assert.deepEqual(aboard([...sailed, at("BRTH")], march(21)), { imos: [DAWN.imo], pollPeriod: null });
});

test("a vessel whose next arrival nobody tells is known, and not asked for", () =>
  assert.deepEqual(aboard(sailed), { imos: [DAWN.imo], pollPeriod: null }));

test("before it sails, ashore, on its carriage and on a vessel without a number a box is aboard of none", () => {
  assert.equal(aboard(sailed.slice(0, 1)), null);
  const landed = [...sailed, event("DISC", "NLRTM", march(20), { vessel: DAWN })];
  assert.equal(aboard(landed, march(21)), null);
  const onward = [
    ...landed,
    event("LOAD", "NLRTM", march(21), { mode: "rail" }),
    event("DEPA", "NLRTM", march(21, 18), { mode: "rail" }),
    event("ARRI", "DEDUI", march(23), { mode: "rail", classifier: "estimated" }),
  ];
  assert.equal(aboard(onward, march(22)), null);
  const nameless = sailed.map((one) => ({ ...one, vessel: { name: "HERON DAWN", imo: null } }));
  assert.equal(aboard(nameless), null);
});

test("boxes of one bill on several vessels have all of them asked for, from the first to the last", () => {
  const second = (one: CarrierEvent): CarrierEvent => ({ ...one, vessel: DUSK, equipment: "HRNU4000022" });
  const first = (one: CarrierEvent): CarrierEvent => ({ ...one, equipment: "HRNU4000017" });
  const found = aboard([
    ...[...sailed, expected("ARRI", "NLRTM", march(20))].map(first),
    ...[...sailed, expected("ARRI", "NLRTM", march(24))].map(second),
  ]);
  assert.deepEqual(found, { imos: [DAWN.imo, "9321483"], pollPeriod: { from: march(18), until: march(28) } });
});
