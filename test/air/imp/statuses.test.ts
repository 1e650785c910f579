/** Statuses of FSU and FSA in forms that `round-trip.property.test.ts` does not write (docs/cargo-imp.md). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { eventOf, eventsOf, told, winter } from "./reading.ts";
import { column } from "../../support/columns.ts";

const ALL = { pieces: 10, weightKg: 250.5, shipmentPart: "total" } as const;
const LH400 = { carrier: "LH", number: "400", date: "2026-11-15" };

test("CRC names the flight that was reported to customs", () => {
  const at = winter("FRA", "2026-11-14T09:05");
  const event = told("CRC", { station: "FRA", at, timeIs: "actual", ...ALL, from: "FRA", to: "JFK" });
  assert.deepEqual(eventOf("CRC/14NOV0905/FRA/T10K250.5/LH400/15NOV/FRAJFK"), { ...event, flight: LH400 });
  assert.deepEqual(eventOf("CRC/14NOV0905/FRA/T10K250.5///FRAJFK"), event);
});

test("a leg without its day has no times", () => {
  for (const code of ["BKD", "PRE", "MAN", "DEP"] as const) {
    const event = told(code, { station: "FRA", from: "FRA", to: "JFK", ...ALL });
    assert.deepEqual(eventOf(`${code}///FRAJFK/T10K250.5`), event);
    assert.deepEqual(eventOf(`${code}///FRAJFK/T10K250.5/S2230/S0115-N`), event);
  }
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
