/** Which vessels the feed is asked for: the vessels of boxes that are near an arrival. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { aboardOf } from "../../../src/products/ocean/record/aboard.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import { event, march } from "../event.ts";
import { UNARMED } from "../life.ts";

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

test("a vessel whose next arrival nobody tells is known, and not asked for", () => {
  assert.deepEqual(aboard(sailed), { imos: [DAWN.imo], pollPeriod: null });
});

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
