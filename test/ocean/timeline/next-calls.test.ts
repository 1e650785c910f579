/** The calls that a vessel is to make once it has discharged the box. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { event, march } from "../event.ts";
import { UNARMED } from "../life.ts";

function record(
  events: readonly CarrierEvent[],
  previous: ShipmentRecord | null = null,
  nowMs = march(23),
): ShipmentRecord {
  const statements = { carrier: "HRNL", identifierType: null, events, freeDays: [] };
  return nextRecord(statements, previous, UNARMED, nowMs);
}

const heron = { vessel: { name: "HERON DAWN", imo: null } };
const sailed = [event("LOAD", "CNTAO", march(2), heron), event("DEPA", "CNTAO", march(3), heron)];
const landed = [
  ...sailed,
  event("ARRI", "NLRTM", march(20), heron),
  event("DISC", "NLRTM", march(21), heron),
];

function planned(code: string, unlocode: string, atMs: number): CarrierEvent {
  return event(code, unlocode, atMs, { ...heron, classifier: "planned", createdAtMs: march(1) });
}

const nextCall = [planned("ARRI", "DEHAM", march(24)), planned("DEPA", "DEHAM", march(26))];
const toRotterdam = [...sailed, planned("ARRI", "NLRTM", march(20)), planned("DISC", "NLRTM", march(21))];
const fetched = event("GTOT", "NLRTM", march(25));

test("the next call of the vessel that discharged the box is none of the box's", () => {
  for (const known of [null, record(toRotterdam, null, march(10))]) {
    for (const call of [nextCall, nextCall.slice(1), nextCall.slice(0, 1)]) {
      const there = record([...landed, ...call], known);
      const [box] = there.boxes;
      assert.equal(there.status, "discharged");
      assert.equal(there.eta?.actual, true);
      assert.equal(there.eta?.at.ms, march(20));
      assert.deepEqual(
        [box?.discharge?.unlocode, box?.destination?.unlocode, box?.announced?.port?.unlocode],
        ["NLRTM", "NLRTM", known === null ? undefined : "NLRTM"],
      );
      assert.equal(box?.misrouting, null);
      assert.equal(record([...landed, ...call, fetched], there, march(26)).status, "delivered");
    }
  }
});

test("the next call of a vessel that is to discharge the box before it is none of the box's", () => {
  for (const call of [nextCall, nextCall.slice(1), nextCall.slice(0, 1)]) {
    const asPlanned = [...toRotterdam, ...call];
    const atSea = record(asPlanned, null, march(10));
    assert.equal(atSea.eta?.place?.unlocode, "NLRTM");
    assert.equal(atSea.boxes[0]?.destination?.unlocode, "NLRTM");
    assert.equal(record([...asPlanned, ...landed.slice(2)], atSea).status, "discharged");
    assert.equal(record([...asPlanned, ...landed.slice(2)]).boxes[0]?.misrouting, null);
    const stays = planned("DISC", "DEHAM", march(25));
    assert.equal(record([...asPlanned, stays], null, march(10)).eta?.place?.unlocode, "DEHAM");
  }
});

test("a call of that vessel is the box's if it is discharged there, to be loaded again, or goes on by the carrier's word", () => {
  const [disc] = landed.slice(-1);
  const onward = landed.slice(0, -1);
  for (const answer of [
    [...landed, ...nextCall, planned("DISC", "DEHAM", march(25))],
    [...landed, planned("LOAD", "NLRTM", march(23)), ...nextCall],
    [...landed, planned("DEPA", "NLRTM", march(29)), nextCall[0]!],
    [...onward, { ...disc!, movement: "transshipment" } as const, ...nextCall],
  ])
    assert.equal(record(answer).eta?.place?.unlocode, "DEHAM");
});

test("a call of that vessel at the port that was announced is the box's, which was discharged too soon", () => {
  const [arrival] = nextCall;
  const known = record([...sailed, arrival!], null, march(10));
  const there = record([...landed, arrival!], known);
  assert.equal(there.boxes[0]?.misrouting?.expected?.unlocode, "DEHAM");
});

test("a call of that vessel weeks later, on another voyage, is the box's: the vessel comes back for it", () => {
  const onVoyage = (number: string) => (one: CarrierEvent) => ({ ...one, voyage: number });
  const known = record(toRotterdam, null, march(10));
  const later = planned("ARRI", "DEHAM", march(38));
  const answered = (number: string) =>
    record([...landed.map(onVoyage("031W")), onVoyage(number)(later)], known).status;
  assert.equal(answered("033W"), "at_transshipment");
  assert.equal(answered("031W"), "discharged", "the next call of the same voyage");
});

test("the next call is none of the box's if it landed where no code, but a name or a terminal, is stated", () => {
  const known = record(toRotterdam, null, march(10));
  for (const form of [{ name: "Maasvlakte" }, { facility: "DDE" }]) {
    const place = { unlocode: null, name: null, facility: null, facilityType: null, ...form };
    const there = landed.map((one) => (one.place?.unlocode === "NLRTM" ? { ...one, place } : one));
    assert.equal(record([...there, nextCall[0]!], known).status, "discharged");
  }
});
