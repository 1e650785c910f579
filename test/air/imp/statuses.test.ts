/** Each status of FSU and FSA, written by the grammar of docs/cargo-imp.md. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { AirEvent, AirStatusCode } from "../../../src/products/air/timeline/air-event.ts";
import { eventOf, eventsOf, told, winter } from "./reading.ts";
import { column } from "../../support/columns.ts";

const ALL = { pieces: 10, weightKg: 250.5, shipmentPart: "total" } as const;
const LH400 = { carrier: "LH", number: "400", date: "2026-11-15" };

const RECEIPTS: readonly AirStatusCode[] = [
  "RCS",
  "FOH",
  "DPU",
  "DOC",
  "NFD",
  "AWD",
  "DLV",
  "DDL",
  "CCD",
  "TGC",
  "CRC",
];

for (const code of RECEIPTS) {
  test(`${code} has the time, the station, the quantity and the party`, () => {
    const at = winter("FRA", "2026-11-15T14:30");
    const event = told(code, { station: "FRA", at, timeIs: "actual", ...ALL });
    assert.deepEqual(eventOf(`${code}/15NOV1430/FRA/T10K250.5`), event);
    assert.deepEqual(eventOf(`${code}/15NOV1430/FRA/T10K250.5/ACME GMBH`), { ...event, party: "ACME GMBH" });
    const onTheDay = { ...event, at: winter("FRA", "2026-11-15T00:00") };
    assert.deepEqual(eventOf(`${code}/15NOV/FRA/T10K250.5`), onTheDay);
  });
}

for (const code of ["RCS", "FOH"] as const) {
  test(`${code} has the volume or the density group on its own line, or in a field`, () => {
    const at = winter("FRA", "2026-11-15T14:30");
    const event = told(code, { station: "FRA", at, timeIs: "actual", ...ALL, party: "ACME" });
    const volume = { ...event, volumeM3: 1.25 };
    assert.deepEqual(eventOf(`${code}/15NOV1430/FRA/T10K250.5/ACME`, "/MC1.25"), volume);
    assert.deepEqual(eventOf(`${code}/15NOV1430/FRA/T10K250.5/ACME/MC1.25`), volume);
    assert.deepEqual(eventOf(`${code}/15NOV1430/FRA/T10K250.5/ACME`, "/DG6"), { ...event, densityGroup: 6 });
    const both = eventOf(`${code}/15NOV1430/FRA/T10K250.5/ACME`, "/MC1.25/DG6");
    assert.deepEqual(both, { ...volume, densityGroup: 6 });
  });
}

test("CRC names the flight that was reported to customs", () => {
  const at = winter("FRA", "2026-11-14T09:05");
  const event = told("CRC", { station: "FRA", at, timeIs: "actual", ...ALL, from: "FRA", to: "JFK" });
  assert.deepEqual(eventOf("CRC/14NOV0905/FRA/T10K250.5/LH400/15NOV/FRAJFK"), { ...event, flight: LH400 });
  assert.deepEqual(eventOf("CRC/14NOV0905/FRA/T10K250.5///FRAJFK"), event);
});

for (const code of ["BKD", "PRE", "MAN", "DEP"] as const) {
  test(`${code} has the departure time of its flight, and the indicator of each time`, () => {
    const departure = winter("FRA", "2026-11-15T22:30");
    const arrival = winter("JFK", "2026-11-16T01:15");
    const event: AirEvent = told(code, {
      station: "FRA",
      at: departure,
      timeIs: "actual",
      flight: LH400,
      from: "FRA",
      to: "JFK",
      departure,
      departureIs: "actual",
      arrival,
      arrivalIs: "estimated",
      ...ALL,
    });
    assert.deepEqual(eventOf(`${code}/LH400/15NOV/FRAJFK/T10K250.5/A2230/E0115-N`), event);
    const leaves = { ...event, arrival: null, arrivalIs: null };
    assert.deepEqual(eventOf(`${code}/LH400/15NOV/FRAJFK/T10K250.5/A2230`), leaves);
    const day = winter("FRA", "2026-11-15T00:00");
    const comes = { ...event, at: day, timeIs: null, departure: null, departureIs: null };
    assert.deepEqual(eventOf(`${code}/LH400/15NOV/FRAJFK/T10K250.5//E0115-N`), comes);
    const plain = { ...comes, arrival: null, arrivalIs: null };
    assert.deepEqual(eventOf(`${code}/LH400/15NOV/FRAJFK/T10K250.5`), plain);
    const withoutFlight = { ...plain, at: null, flight: null };
    assert.deepEqual(eventOf(`${code}///FRAJFK/T10K250.5`), withoutFlight);
    assert.deepEqual(eventOf(`${code}///FRAJFK/T10K250.5/S2230/S0115-N`), withoutFlight);
  });
}

test("BKD has volume and density group after the times", () => {
  const event = eventOf("BKD/LH8370/22NOV/FRAHKG/P7K316.5/S2140/S1555-N/MC1.875");
  assert.equal(event.volumeM3, 1.875);
  assert.deepEqual(event.departure, winter("FRA", "2026-11-22T21:40"));
  assert.deepEqual(event.arrival, winter("HKG", "2026-11-23T15:55"));
  assert.equal(eventOf("BKD/LH8370/22NOV/FRAHKG/P7K316.5/DG4").densityGroup, 4);
});

for (const code of ["RCF", "ARR", "AWR", "FIW"] as const) {
  test(`${code} has the time of arrival, and the flight's own times`, () => {
    const at = winter("JFK", "2026-11-15T14:30");
    const flight = { ...LH400, date: null };
    const event = told(code, { station: "JFK", to: "JFK", at, timeIs: "actual", flight, ...ALL });
    assert.deepEqual(eventOf(`${code}/LH400/15NOV1430/JFK/T10K250.5`), event);
    assert.deepEqual(eventOf(`${code}//15NOV1430/JFK/T10K250.5`), { ...event, flight: null });
    const later = { ...event, at: winter("JFK", "2026-11-16T00:10") };
    assert.deepEqual(eventOf(`${code}/LH400/15NOV0010-N/JFK/T10K250.5`), later);
    const arrival = winter("JFK", "2026-11-15T12:50");
    const arrived = { ...event, arrival, arrivalIs: "actual" } as const;
    assert.deepEqual(eventOf(`${code}/LH400/15NOV1430/JFK/T10K250.5//A1250`), arrived);
    const onlyArrived = { ...arrived, at: arrival };
    assert.deepEqual(eventOf(`${code}/LH400/15NOV/JFK/T10K250.5//A1250`), onlyArrived);
    const onTheDay = { ...event, at: winter("JFK", "2026-11-15T00:00") };
    assert.deepEqual(eventOf(`${code}/LH400/15NOV/JFK/T10K250.5`), onTheDay);
  });
}

test("an arrival with the departure time of its flight dates the flight, without a zone", () => {
  const event = eventOf("RCF/LH400/15NOV0430/JFK/T10K250.5/S2215-P/A0250");
  const ms = Date.UTC(2026, 10, 14, 22, 15);
  const departure = { ms, local: "2026-11-14T22:15:00", offsetMinutes: null, timeZone: null };
  assert.deepEqual(event.departure, departure);
  assert.equal(event.departureIs, "scheduled");
  assert.deepEqual(event.flight, { carrier: "LH", number: "400", date: "2026-11-14" });
});

test("a lone actual time of a receipt from a flight is the arrival before it", () => {
  for (const code of ["RCF", "AWR", "FIW"] as const) {
    const event = eventOf(`${code}/LH400/15NOV1655/JFK/P6K150/A1348`);
    assert.deepEqual(event.arrival, winter("JFK", "2026-11-15T13:48"));
    assert.deepEqual([event.arrivalIs, event.departure], ["actual", null]);
    const night = eventOf(`${code}/LH400/15NOV0040/JFK/P6K150/A2310-P`);
    assert.deepEqual(night.arrival, winter("JFK", "2026-11-14T23:10"));
    const after = eventOf(`${code}/LH400/15NOV1655/JFK/P6K150/A1748`);
    assert.deepEqual([after.arrival, after.departureIs], [null, "actual"]);
    const scheduled = eventOf(`${code}/LH400/15NOV1655/JFK/P6K150/S1030`);
    assert.deepEqual([scheduled.arrival, scheduled.departureIs], [null, "scheduled"]);
  }
});

test("FOW leaves the warehouse of the airport where the flight begins", () => {
  const at = winter("FRA", "2026-11-15T08:20");
  const flight = { ...LH400, date: null };
  const event = told("FOW", { station: "FRA", from: "FRA", at, timeIs: "actual", flight, ...ALL });
  assert.deepEqual(eventOf("FOW/LH400/15NOV0820/FRA/T10K250.5"), event);
  assert.deepEqual(eventOf("FOW//15NOV0820/FRA/T10K250.5"), { ...event, flight: null });
  assert.deepEqual(eventOf("FOW/LH400/15NOV0820/FRAJFK/T10K250.5"), { ...event, to: "JFK" });
  const departure = winter("FRA", "2026-11-15T10:42");
  const departs = { departure, departureIs: "scheduled", flight: LH400 } as const;
  assert.deepEqual(eventOf("FOW/LH400/15NOV0820/FRA/T10K250.5/S1042"), { ...event, ...departs });
  const onTheDay = { ...event, at: winter("FRA", "2026-11-15T00:00") };
  assert.deepEqual(eventOf("FOW/LH400/15NOV/FRA/T10K250.5"), onTheDay);
});

test("RCT names the carrier that hands over, and the one that receives", () => {
  const at = winter("AMS", "2026-11-15T14:30");
  const event = told("RCT", { station: "AMS", at, timeIs: "actual", ...ALL });
  const transfer = { from: "KL", to: null, manifest: null };
  assert.deepEqual(eventOf("RCT/KL/15NOV1430/AMS/T10K250.5"), { ...event, transfer });
  const both = { ...event, transfer: { ...transfer, to: "5X" } };
  assert.deepEqual(eventOf("RCT/KL/15NOV1430/AMS/T10K250.5", "/5X"), both);
  const named = { ...both, party: "J DE VRIES" };
  assert.deepEqual(eventOf("RCT/KL/15NOV1430/AMS/T10K250.5", "/5X/J DE VRIES"), named);
});

test("TFD names the receiving carrier, the manifest, and the other carrier", () => {
  const at = winter("AMS", "2026-11-15T14:30");
  const event = told("TFD", { station: "AMS", at, timeIs: "actual", ...ALL });
  const transfer = { from: null, to: "5X", manifest: null };
  assert.deepEqual(eventOf("TFD/5X/15NOV1430/AMS/T10K250.5"), { ...event, transfer });
  const listed = { ...transfer, manifest: "123456" };
  assert.deepEqual(eventOf("TFD/5X/15NOV1430/AMS/T10K250.5/123456"), { ...event, transfer: listed });
  const full = { ...event, transfer: { ...listed, from: "KL" }, party: "J DE VRIES" };
  assert.deepEqual(eventOf("TFD/5X/15NOV1430/AMS/T10K250.5/123456", "/KL/J DE VRIES"), full);
});

test("TRM has no time", () => {
  const transfer = { from: null, to: "KL", manifest: null };
  assert.deepEqual(eventOf("TRM/KL/AMS/T10K250.5"), told("TRM", { station: "AMS", ...ALL, transfer }));
});

test("DIS names the discrepancy, with or without a flight", () => {
  const at = winter("JFK", "2026-11-15T14:30");
  const quantity = { pieces: 2, weightKg: 50, shipmentPart: "part" } as const;
  const event = told("DIS", { station: "JFK", at, timeIs: "actual", ...quantity, discrepancy: "MSCA" });
  const flight = { carrier: "LH", number: "400", date: null };
  assert.deepEqual(eventOf("DIS/LH400/15NOV1430/JFK/MSCA/P2K50"), { ...event, flight });
  assert.deepEqual(eventOf("DIS//15NOV1430/JFK/MSCA/P2K50"), event);
  for (const discrepancy of ["FDCA", "FDAW", "FDMB", "MSAW", "MSMB", "DFLD", "OFLD", "OVCD", "SSPD"]) {
    assert.deepEqual(eventOf(`DIS//15NOV1430/JFK/${discrepancy}/P2K50`), { ...event, discrepancy });
  }
});

test("the statuses of one answer keep their order, each with its supplements", () => {
  const events = eventsOf(
    "RCS/15NOV1430/FRA/T10K250.5",
    "OSI/SCREENED",
    "/BY DOG",
    "DEP/LH400/16NOV/FRAJFK/T10K250.5/A1030",
    "ULD/AKE12345LH/PMC7253QR-M",
    "/AKE54321R7",
    "OCI/US/CNE/T/12-3456789",
    "///SD/15NOV261430",
    "ARR/LH400/16NOV1330/JFK/T10K250.5",
  );
  assert.deepEqual(column(events, "code"), ["RCS", "DEP", "ARR"]);
  assert.deepEqual(events[0]?.remarks, ["SCREENED", "BY DOG"]);
  assert.deepEqual(events[1]?.ulds, ["AKE12345LH", "PMC7253QR", "AKE54321R7"]);
  assert.deepEqual(events[1]?.customs, [
    { country: "US", info: "CNE", control: "T", text: "12-3456789" },
    { country: null, info: "", control: "SD", text: "15NOV261430" },
  ]);
  const { remarks, customs, ulds } = events[2]!;
  assert.deepEqual({ remarks, customs, ulds }, { remarks: [], customs: [], ulds: [] });
});
