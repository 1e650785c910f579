/** `shipment_updated` names what has changed, and nothing that an answer only left out, or wrote otherwise. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent, Place } from "../../../src/products/ocean/sources/carrier-event.ts";
import { event, march } from "../event.ts";
import { pollThrough, raisedIn } from "../life.ts";

const heron = { name: "HERON DAWN", imo: null };
const tern = { name: "TERN SOLSTICE", imo: null };
const planned = { classifier: "planned" } as const;
const gateIn = event("GTIN", "CNTAO", march(1));

/** The fields named at the last of the answers. */
function changedAtLast(...answers: readonly (readonly CarrierEvent[])[]): string {
  const polls = pollThrough(answers.map((stated, index) => [march(2, index), stated] as const));
  return / updated\((.*)\)/.exec(raisedIn(polls).at(-1) ?? "")?.[1] ?? "";
}

function plan(vessel: CarrierEvent["vessel"], port = "NLRTM"): readonly CarrierEvent[] {
  return [
    gateIn,
    event("DEPA", "CNTAO", march(10), { ...planned, vessel }),
    event("ARRI", port, march(30), { ...planned, vessel }),
  ];
}

test("spec 2.4: shipment_updated: what returns is compared with the last one known, however often it was left out", () => {
  assert.equal(changedAtLast(plan(heron), [gateIn], plan(heron)), "");
  assert.equal(changedAtLast(plan(heron), [gateIn], [gateIn], plan(heron)), "");
  assert.equal(changedAtLast(plan(heron), [gateIn], plan(tern)), "vessel");
  assert.equal(changedAtLast(plan(heron), plan(null), plan(tern), plan(null), plan(heron)), "vessel");
});

test("spec 2.4: shipment_updated: an IMO number beside the same name, or another spelling of it, is no other vessel", () => {
  assert.equal(changedAtLast(plan(heron), plan({ ...heron, imo: "9074729" })), "");
  assert.equal(changedAtLast(plan({ ...heron, imo: "9074729" }), plan(heron)), "");
  assert.equal(changedAtLast(plan(heron), plan({ ...heron, name: "Heron-Dawn" })), "");
  assert.equal(
    changedAtLast(plan({ ...heron, imo: "9074729" }), plan({ ...heron, imo: "9321483" })),
    "vessel",
  );
});

const named = (name: string): Place => ({ unlocode: null, name, facility: null, facilityType: null });

test("spec 2.4: shipment_updated: a port of discharge without a UN/LOCODE changes by its name", () => {
  const to = (place: Place): readonly CarrierEvent[] =>
    plan(heron).map((one) => (one.code === "ARRI" ? { ...one, place } : one));
  assert.equal(changedAtLast([gateIn], to(named("PIRAEUS"))), "eta,vessel,discharge");
  assert.equal(changedAtLast(to(named("PIRAEUS")), to(named("PIRAEUS"))), "");
  assert.equal(changedAtLast(to(named("PIRAEUS")), to(named("LIMASSOL"))), "discharge");
  assert.equal(changedAtLast(to({ ...named("PIRAEUS"), unlocode: "GRPIR" }), to(named("PIRAEUS"))), "");
});

test("a vessel that arrives at the announced last port has arrived, also if the port has no UN/LOCODE", () => {
  const at = (one: CarrierEvent): CarrierEvent =>
    one.place?.unlocode === "NLRTM" ? { ...one, place: named("PIRAEUS") } : one;
  const sailed = [gateIn, event("DEPA", "CNTAO", march(2), { vessel: heron })];
  const arrival = event("ARRI", "NLRTM", march(28), { vessel: heron });
  const polls = pollThrough([
    [march(3), [...sailed, { ...arrival, ...planned }].map(at)],
    [march(29), [...sailed, arrival].map(at)],
  ]);
  assert.equal(polls.at(-1)?.record.eta?.actual, true);
});
