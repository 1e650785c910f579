/** Where in a port a box's vessel is: by its port calls, and by what it says of itself. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { nextRecordAt, nextRecord } from "../../../src/products/ocean/record/record.ts";
import type { VesselReport } from "../../../src/products/ocean/sources/ais/ais-answer.ts";
import type { RecordContext } from "../../../src/products/ocean/record/shipment-record.ts";
import { event, march } from "../event.ts";
import { UNARMED } from "../life.ts";

const HOUR_MS = 3_600_000;
const HERON = { name: "HERON DAWN", imo: "9074729" };
const NOW = march(20, 18);

function call(code: string, facilityType: string | null, atMs: number, unlocode = "NLRTM"): CarrierEvent {
  const place = { unlocode, name: null, facility: null, facilityType };
  return event(code, unlocode, atMs, { place, vessel: HERON });
}

const sailed = [
  event("LOAD", "CNTAO", march(2), { vessel: HERON }),
  event("DEPA", "CNTAO", march(3), { vessel: HERON }),
];

function recordOfCalls(events: readonly CarrierEvent[], context: RecordContext = UNARMED, nowMs = NOW) {
  const statements = { carrier: "HRNL", identifierType: null, events: [...sailed, ...events], freeDays: [] };
  return nextRecord(statements, null, context, nowMs);
}

function statusOf(events: readonly CarrierEvent[], context: RecordContext = UNARMED, nowMs = NOW): string {
  return recordOfCalls(events, context, nowMs).status;
}

test("spec 2.4: container_status: a vessel that anchors is at anchor, in transit when it leaves, and at berth when it arrives there", () => {
  const anchored = call("ARRI", "ANCH", march(19));
  const left = call("DEPA", "ANCH", march(20, 6));
  const berthed = call("ARRI", "BRTH", march(20, 9));
  assert.equal(statusOf([anchored]), "at_anchor");
  assert.equal(statusOf([anchored, left]), "in_transit");
  assert.equal(statusOf([anchored, left, berthed]), "at_berth");
  assert.equal(statusOf([anchored, berthed]), "at_berth", "its leaving the anchorage is not always reported");
});

test("a bare arrival is at berth, and one at the pilot's boarding place none at all", () => {
  assert.equal(statusOf([call("ARRI", null, march(20))]), "at_berth");
  assert.equal(statusOf([call("ARRI", "POTE", march(20))]), "at_berth");
  assert.equal(statusOf([call("ARRI", "PBPL", march(20))]), "in_transit");
});

test("neither anchoring nor berthing begins a leg, before the voyage or in the middle of it", () => {
  const departures = (events: readonly CarrierEvent[]) =>
    recordOfCalls(events).boxes[0]?.milestones.map(({ key }) => key);
  const before = [call("ARRI", "ANCH", march(1), "CNTAO"), call("DEPA", "ANCH", march(1, 20), "CNTAO")];
  const midway = [call("ARRI", "ANCH", march(9), "SGSIN"), call("DEPA", "ANCH", march(10), "SGSIN")];
  assert.deepEqual(departures([...before, ...midway]), ["vessel_departed:CNTAO:1"]);
});

test("a vessel that anchors at the transshipment has brought the box, its departure not reported yet", () => {
  const onward = event("LOAD", "SGSIN", march(25), { classifier: "planned", vessel: null });
  const loaded = [...sailed.slice(0, 1), onward, call("ARRI", "ANCH", march(9), "SGSIN")];
  const statements = { carrier: "HRNL", identifierType: null, events: loaded, freeDays: [] };
  assert.equal(nextRecord(statements, null, UNARMED, march(10)).status, "at_anchor");
  const other = loaded.map((one) =>
    one.code === "ARRI" ? { ...one, vessel: { name: "TERN", imo: "9321483" } } : one,
  );
  const coming = nextRecord({ ...statements, events: other }, null, UNARMED, march(10));
  assert.equal(coming.status, "pre_departure", "the next vessel of the box");
});

test("the estimate of the arrival stays the ETA while the vessel lies at anchor", () => {
  const eta = { ...call("ARRI", null, march(21)), classifier: "estimated" as const };
  const { boxes } = recordOfCalls([call("ARRI", "ANCH", march(20)), eta]);
  assert.deepEqual(boxes[0]?.eta, { at: eta.at, actual: false, place: eta.place, inland: false });
  const there = recordOfCalls([call("ARRI", "ANCH", march(20)), call("ARRI", "BRTH", march(20, 15))]);
  const berthed = call("ARRI", "BRTH", march(20, 15));
  assert.deepEqual(there.boxes[0]?.eta, {
    at: berthed.at,
    actual: true,
    place: berthed.place,
    inland: false,
  });
});

test("a vessel that weighs anchor after the time of its plan is still to come to its berth", () => {
  const eta = { ...call("ARRI", null, march(20)), classifier: "estimated" as const };
  const { status, boxes } = recordOfCalls([
    eta,
    call("ARRI", "ANCH", march(19)),
    call("DEPA", "ANCH", march(20, 15)),
  ]);
  assert.equal(status, "arriving");
  assert.deepEqual(
    [boxes[0]?.eta, boxes[0]?.discharge],
    [{ at: eta.at, actual: false, place: eta.place, inland: false }, eta.place],
  );
});

test("what the vessel says of itself tells its anchorage from its berth, while it is fresh", () => {
  const feed = (status: number, seenMs: number): RecordContext => ({
    ...UNARMED,
    vesselReportOf: (imo): VesselReport | null => (imo === HERON.imo ? { status, seenMs } : null),
  });
  const arrived = [call("ARRI", null, march(20, 10))];
  assert.equal(statusOf(arrived, feed(1, march(20, 17))), "at_anchor");
  assert.equal(statusOf(arrived, feed(5, march(20, 17))), "at_berth");
  assert.equal(statusOf([], feed(1, march(20, 17))), "at_anchor");
  assert.equal(statusOf([], feed(0, march(20, 17))), "in_transit");
  assert.equal(statusOf(arrived, feed(1, NOW - 6 * HOUR_MS - 1)), "at_berth", "too old");
  const justArrived = [call("ARRI", null, march(20, 16))];
  assert.equal(statusOf(justArrived, feed(1, march(20, 15))), "at_berth", "from before the arrival");
  assert.equal(statusOf([call("ARRI", "ANCH", march(20))], feed(0, march(20, 17))), "in_transit");
  const ashore = [...arrived, call("DISC", null, march(20, 12))];
  assert.equal(statusOf(ashore, feed(1, march(20, 17))), "discharged", "the box is no longer aboard");
});

test("a poll without an answer asks the vessel again", () => {
  const before = recordOfCalls([call("ARRI", null, march(20, 10))]);
  const vesselAt = (): VesselReport => ({ status: 1, seenMs: march(20, 19) });
  const after = nextRecordAt(before, { ...UNARMED, vesselReportOf: vesselAt }, march(20, 20));
  assert.deepEqual([before.status, after.status], ["at_berth", "at_anchor"]);
});
