import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { JOURNEYS_FOLDER, readRecordings } from "../../../packages/simulator/src/replay/server.ts";
import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { withModes } from "../../../src/products/ocean/timeline/modes.ts";
import { nextRecord } from "../../../src/products/ocean/record/record.ts";
import { timelineOf } from "../../../src/products/ocean/timeline/timeline.ts";
import { currentTrip } from "../../../src/products/ocean/timeline/trip.ts";
import { event, march } from "../event.ts";
import { statementsOf, UNARMED } from "../life.ts";
import { documentEvent } from "../event.ts";

const HOUR_MS = 3_600_000;

test("of thousands of happenings the latest are kept", () => {
  const days = Array.from({ length: 3_000 }, (_, day) => event("DISC", "NLRTM", march(1 + 2 * day)));
  assert.deepEqual(timelineOf(days), days.slice(-1_000));
});

test("what happened beats what was estimated, and an estimate beats a plan, whenever they were written", () => {
  const plan = event("ARRI", "NLRTM", march(9), { classifier: "planned", createdAtMs: march(8) });
  const estimate = event("ARRI", "NLRTM", march(10), { classifier: "estimated", createdAtMs: march(1) });
  const actual = event("ARRI", "NLRTM", march(11), { createdAtMs: march(2) });
  assert.deepEqual(timelineOf([plan, estimate]), [estimate]);
  assert.deepEqual(timelineOf([plan, actual, estimate]), [actual]);
});

test("the statement created last supersedes, on whatever vessel it puts the box", () => {
  const first = event("DEPA", "NLRTM", march(9), {
    classifier: "estimated",
    createdAtMs: march(1),
    vessel: { name: "TERN FEEDER", imo: null },
  });
  const rolled = { ...first, at: event("DEPA", "NLRTM", march(16)).at, createdAtMs: march(2), vessel: null };
  assert.deepEqual(timelineOf([rolled, first]), [rolled]);
});

test("a corrected time is the same happening, and a second visit another", () => {
  const first = event("DISC", "NLRTM", march(9), { createdAtMs: march(9) });
  const corrected = event("DISC", "NLRTM", march(9) - 5 * HOUR_MS, { createdAtMs: march(10) });
  const again = event("DISC", "NLRTM", march(19));
  assert.deepEqual(timelineOf([again, first, corrected]), [corrected, again]);
});

test("neither order nor repetition of a carrier's statements changes the record", async () => {
  const journeys = await readRecordings(JOURNEYS_FOLDER);
  for (const recording of journeys) {
    const { lastMs } = recording;
    const statements = statementsOf(recording);
    const about = { carrier: "TEST", identifierType: null, freeDays: [] };
    const inOrder = nextRecord({ ...about, events: statements }, null, UNARMED, lastMs);
    const shuffled = fc.shuffledSubarray(statements, { minLength: statements.length });
    fc.assert(
      fc.property(shuffled, fc.subarray(statements), (once, twice) => {
        const record = nextRecord({ ...about, events: [...once, ...twice] }, null, UNARMED, lastMs);
        assert.deepEqual(record, inOrder);
      }),
      { numRuns: 50 },
    );
  }
});

test("a shipment is the trip it was when it was first seen, though the box goes on to the next", () => {
  const empty = { laden: false } as const;
  const ours = [
    event("GTOT", "CNTAO", march(1), empty),
    event("GTIN", "CNTAO", march(2)),
    event("GTIN", "NLRTM", march(20), empty),
  ];
  const afterwards = event("LOAD", "NLRTM", march(21), { mode: "rail" });
  const next = [event("GTOT", "NLRTM", march(22), empty), event("GTIN", "NLRTM", march(23))];
  const all = [...ours, afterwards, ...next];
  const seen = (statements: readonly CarrierEvent[], fromMs: number | null) => {
    const { events, anchorMs } = currentTrip(statements, fromMs);
    return { events, anchorMs };
  };
  assert.deepEqual(seen(ours, null), { events: ours, anchorMs: march(1) });
  assert.deepEqual(seen([...ours, afterwards], march(1)).events, ours);
  assert.deepEqual(seen([...ours, afterwards], null).events, [afterwards]);
  assert.deepEqual(seen(all, march(1)), { events: ours, anchorMs: march(1) });
  assert.deepEqual(seen(all, null), { events: [afterwards, ...next], anchorMs: march(21) });
});

test("a box that sails laden after its empty return is on its next trip, though its pick-up was never reported", () => {
  const ours = [event("GTIN", "CNTAO", march(2)), event("GTIN", "NLRTM", march(20), { laden: false })];
  const next = [event("LOAD", "NLRTM", march(25)), event("DEPA", "NLRTM", march(26))];
  const all = [...ours, ...next];
  assert.deepEqual(currentTrip(all, null).events, next);
  assert.deepEqual(currentTrip(all, march(2)).events, ours);
  const again = [event("DISC", "USNYC", march(30)), event("GTIN", "USNYC", march(31), { laden: false })];
  assert.deepEqual(currentTrip([...all, ...again], march(25)).events, [...next, ...again]);
});

test("an empty box that comes back before any cargo was in it ends no trip", () => {
  const rejected = [
    event("GTOT", "CNTAO", march(1), { laden: false }),
    event("GTIN", "CNTAO", march(1, 15), { laden: false }),
    event("GTOT", "CNTAO", march(2), { laden: false }),
    event("GTIN", "CNTAO", march(3)),
  ];
  assert.deepEqual(currentTrip(rejected, null).events, rejected);
});

test("a trip whose empty return nobody reported ends before the box goes out to the next shipper", () => {
  const depot = { unlocode: "NLRTM", name: null, facility: null, facilityType: "DEPO" };
  const ours = [
    event("LOAD", "CNTAO", march(3), { laden: null }),
    event("DISC", "NLRTM", march(20), { laden: null }),
    event("GTOT", "NLRTM", march(21)),
  ];
  const pickUp = event("GTOT", "NLRTM", march(24), { laden: false, place: depot });
  const next = [pickUp, event("GTIN", "NLRTM", march(26)), event("LOAD", "NLRTM", march(27))];
  assert.deepEqual(
    currentTrip([...ours, ...next], march(3)).events,
    [...ours, pickUp],
    "it came back before it went out",
  );
  assert.deepEqual(currentTrip([...ours, ...next], null).events, next);
  const fetched = [...ours, pickUp, event("GTIN", "NLRTM", march(25), { laden: false })];
  assert.deepEqual(currentTrip(fetched, null).events, fetched, "fetched empty and brought back");
});

test("a train brings laden boxes to a depot too, where nothing says that they are empty", () => {
  const depot = { unlocode: "DEMUC", name: null, facility: null, facilityType: "DEPO" };
  const trip = [
    event("DISC", "NLRTM", march(20)),
    event("GTIN", "DEMUC", march(22), { mode: "rail", laden: null, place: depot }),
    event("GTOT", "DEMUC", march(24), { place: depot }),
  ];
  assert.deepEqual(currentTrip(trip, null).events, trip);
});

test("a hold, its release and another hold of one day are three happenings, and a corrected one is one", () => {
  const hold = documentEvent("CUS", "HOLD", march(9, 8));
  const release = documentEvent("CUS", "RELS", march(9, 10));
  const again = documentEvent("CUS", "HOLD", march(9, 14));
  assert.deepEqual(timelineOf([again, release, hold]), [hold, release, again]);
  assert.deepEqual(timelineOf([again, hold]), [again]);
});

test("where a carrier says no mode its moves are a vessel's, inland places aside", () => {
  const unsaid = { mode: null };
  const ramp = { unlocode: "DEMUC", name: null, facility: null, facilityType: "RAMP" };
  const modes = (events: readonly CarrierEvent[]) => withModes(events).map(({ mode }) => mode);
  const voyage = [event("LOAD", "CNTAO", march(2), unsaid), event("DEPA", "CNTAO", march(3), unsaid)];
  assert.deepEqual(modes([...voyage, event("DISC", "DEMUC", march(9), { ...unsaid, place: ramp })]), [
    "vessel",
    "vessel",
    null,
  ]);
  const atPort = event("ARRI", "CNTAO", march(1));
  const byTrain = event("LOAD", "NLRTM", march(9), unsaid);
  assert.deepEqual(modes([atPort, ...voyage, byTrain]), ["vessel", "vessel", "vessel", null]);
});

const booked = (value: string, type = "BKG"): Partial<CarrierEvent> => ({ documents: [{ type, value }] });

test("two trips differ by their bookings, though no end of the first was ever reported", () => {
  const ours = [
    event("GTIN", "CNTAO", march(1), booked("HRN-1")),
    event("LOAD", "CNTAO", march(3), booked("HRN1")),
    event("DISC", "NLRTM", march(20)),
  ];
  for (const first of [
    event("GTOT", "NLRTM", march(25), { ...booked("HRN2"), laden: false, place: ofTerminal("NLRTM") }),
    event("GTIN", "NLRTM", march(25), booked("HRN2")),
    event("LOAD", "DEHAM", march(25), booked("HRN2")),
  ]) {
    const next = [first, event("LOAD", "DEHAM", march(27), booked("HRN2"))];
    assert.deepEqual(currentTrip([...ours, ...next], march(1)).events, ours, first.code);
    assert.deepEqual(currentTrip([...ours, ...next], null).events, next, first.code);
  }
  const byBill = ours.map((one) => ({ ...one, ...booked("BILL1", "TRD") }));
  const nextBill = [event("GTIN", "NLRTM", march(25), booked("BILL2", "TRD"))];
  assert.deepEqual(currentTrip([...byBill, ...nextBill], null).events, nextBill);
});

test("a cargo that changes vessels under a booking that is renewed, or that only some statements name, is one trip", () => {
  const feeder = [
    event("LOAD", "CNTAO", march(3), booked("HRN1")),
    event("DISC", "SGSIN", march(10), booked("HRN1")),
  ];
  const renewed = [...feeder, event("LOAD", "SGSIN", march(14), booked("HRN2"))];
  assert.deepEqual(currentTrip(renewed, null).events, renewed);
  const terminals = [
    ...feeder,
    event("GTOT", "SGSIN", march(11), { laden: false, place: ofTerminal("SGSIN") }),
    event("GTIN", "SGSIN", march(12)),
    event("LOAD", "SGSIN", march(14)),
  ];
  assert.deepEqual(currentTrip(terminals, null).events, terminals);
  const both = [...feeder, event("GTIN", "SGSIN", march(12), booked("BILL1", "TRD"))];
  assert.deepEqual(currentTrip(both, null).events, both, "a bill says nothing against a booking");
});

test("an empty box fetched from a port's terminal after it had left with its cargo begins the next trip", () => {
  const ours = [event("DISC", "USLAX", march(10)), event("GTOT", "USLAX", march(12))];
  const next = [
    event("GTOT", "USLAX", march(20), { laden: false, place: ofTerminal("USLAX") }),
    event("GTIN", "USLAX", march(22)),
  ];
  assert.deepEqual(currentTrip([...ours, ...next], null).events, next);
});

function ofTerminal(unlocode: string): CarrierEvent["place"] {
  return { unlocode, name: null, facility: null, facilityType: "POTE" };
}

test("an answer that has dropped the trip and names another booking changes nothing", () => {
  const about = { carrier: "HRNL", identifierType: "container_id", freeDays: [] } as const;
  const ours = [
    event("LOAD", "CNTAO", march(3), booked("HRN1")),
    event("DEPA", "CNTAO", march(4)),
    event("DISC", "NLRTM", march(20), booked("HRN1")),
  ];
  const next = [
    event("GTIN", "NLRTM", march(25), booked("HRN2")),
    event("LOAD", "NLRTM", march(26), booked("HRN2")),
    event("DEPA", "NLRTM", march(27)),
  ];
  const before = nextRecord({ ...about, events: ours }, null, UNARMED, march(21));
  const after = nextRecord({ ...about, events: next }, before, UNARMED, march(28));
  assert.deepEqual([before.status, after.status], ["discharged", "discharged"]);
});
