/** The flights of a waybill. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { localTimeAt } from "../../src/freight/places/local-time.ts";
import { legsOf } from "../../src/products/air/record/legs.ts";
import { EMPTY_EVENT, type AirEvent, type AirStatusCode } from "../../src/products/air/timeline/air-event.ts";
import { START_MS } from "../support/clock.ts";

const HOUR_MS = 3_600_000;
const at = (hours: number) => localTimeAt(START_MS + hours * HOUR_MS, "Europe/Berlin", null);

function flown(code: AirStatusCode, hours: number, date: string | null, pieces: number): AirEvent {
  const end =
    code === "ARR" || code === "RCF" ? { station: "JFK" } : { station: "FRA", from: "FRA", to: "JFK" };
  const flight = { carrier: "LH", number: "400", date };
  return { ...EMPTY_EVENT, code, ...end, flight, at: at(hours), timeIs: "actual", pieces, totalPieces: 9 };
}

const flights = (...events: readonly AirEvent[]) =>
  legsOf(events, 9).map(({ date, state, pieces, departure, arrival }) => [
    date,
    state,
    pieces,
    departure.actual?.ms ?? null,
    arrival.actual?.ms ?? null,
  ]);

test("parts on one day's flight and on the next day's of the same number are two flights", () => {
  assert.deepEqual(
    flights(
      flown("DEP", 1, "2026-11-02", 4),
      flown("ARR", 9, null, 4),
      flown("DEP", 25, "2026-11-03", 5),
      flown("ARR", 33, null, 5),
      flown("RCF", 34, null, 5),
    ),
    [
      ["2026-11-02", "arrived", 4, at(1).ms, at(9).ms],
      ["2026-11-03", "received", 5, at(25).ms, at(33).ms],
    ],
  );
});

test("a flight that leaves after midnight is the one that was planned for the day before", () => {
  assert.deepEqual(flights(flown("MAN", 10, "2026-11-02", 9), flown("DEP", 12, "2026-11-03", 9)), [
    ["2026-11-02", "departed", 9, at(12).ms, null],
  ]);
});
