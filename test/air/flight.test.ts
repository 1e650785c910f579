/** Which flights a waybill is on, and when it arrives: docs/decisions/air.md. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { localTimeAt } from "../../src/freight/places/local-time.ts";
import { etaOf, flightNumberOf } from "../../src/products/air/record/flight.ts";
import { legsOf } from "../../src/products/air/record/legs.ts";
import { EMPTY_EVENT, type AirEvent, type AirStatusCode } from "../../src/products/air/timeline/air-event.ts";
import { START_MS } from "../support/clock.ts";

import {
  after,
  answer,
  booked,
  event,
  flight,
  FRA_SIN,
  hour,
  linesOf,
  message,
  part,
  recorded,
} from "./statements.ts";

/** The flight number after messages that each book so, and the hour of the ETA. */
function bookedBy(...messages: readonly (readonly AirEvent[])[]): readonly unknown[] {
  const record = after(...messages.map((events, index) => message(1 + index, ...events)));
  return [record.flightNumber, record.eta?.at];
}

const leg = (number: string, from: string, to: string, departs: number, takes = 5) =>
  event("BKD", from, departs, { ...flight(number), from, to, arrival: hour(departs + takes) });

describe("flight and ETA", () => {
  const [one, other] = [booked("8001", 5), booked("8003", 20)];
  const parts = [booked("8003", 20, part(6)), booked("8005", 30, part(4))];
  const overHubs = [leg("1", "FRA", "DXB", 5), leg("3", "DXB", "BOM", 15), leg("5", "BOM", "SIN", 25)];
  const [first, onward] = [leg("1", "FRA", "DXB", 4), leg("9", "DXB", "SIN", 15, 8)];
  const manifested = { ...one, code: "MAN" } as const;
  const early = { ...booked("8001", 4.5), code: "DEP", timeIs: "actual", arrival: hour(17) } as const;
  const [some, rest] = [booked("8001", 5, part(6)), booked("8005", 3, part(4))];
  for (const [what, flightNumber, arrives, ...messages] of [
    ["flight_number, eta of the later flight of a re-booking", "LH8003", 33, [one], [other]],
    ["flight_number, eta of the earlier flight of a re-booking", "LH8001", 18, [other], [one]],
    ["flight_number goes back with the messages", "LH8001", 18, [one], [other], [one]],
    ["flight_number goes back and forth", "LH8003", 33, [one], [other], [one], [other]],
    ["flight_number goes back to parts", "LH8005", 16, [some, rest], [other], [rest, some]],
    ["flight_number does not go back to what was not replaced", "LH8005", 33, [other], [rest], [other]],
    ["eta of the whole booked again in parts that add up to it", "LH8003", 33, [one], parts],
    ["eta of the whole if only a part is booked again", "LH8001", 18, [one], [parts[0]!]],
    ["eta of a later flight past the hubs of before", "LH9", 45, overHubs, [leg("9", "FRA", "SIN", 40)]],
    ["eta of an earlier flight past the hubs of before", "LH9", 9, overHubs, [leg("9", "FRA", "SIN", 4)]],
    ["eta of the other leg stays", "LH3", 23, [first, onward], [leg("3", "FRA", "DXB", 6)]],
    ["eta of a flight booked in place of a manifested one", "LH8003", 33, [one], [manifested], [other]],
    ["eta of a flight that left early", "LH8001", 17, [one], [manifested], [early]],
  ] as const) {
    test(`spec 2.6: ${what}`, () => assert.deepEqual(bookedBy(...messages), [flightNumber, hour(arrives)]));
  }

  test("spec 2.6: flight_number is the flight booked until another has taken the cargo, or any", () => {
    const left = event("DEP", "FRA", 9, flight("8003"));
    assert.equal(recorded([one, left]).flightNumber, "LH8003");
    assert.equal(recorded([event("RCS", "FRA", 1)]).flightNumber, null);
    assert.equal(recorded([event("CRC", "FRA", 1, flight("8001"))]).flightNumber, "LH8001");
  });

  test("spec 2.6: eta, eta_is_actual: the announced arrival at the destination, then the actual one", () => {
    const left = event("DEP", "FRA", 9, { ...flight("8003"), ...FRA_SIN, arrival: hour(22) });
    const toHub = event("DEP", "FRA", 2, { ...flight("1"), from: "FRA", to: "DXB", arrival: hour(8) });
    const receipt = (arrivalIs: "actual" | "estimated") =>
      event("RCF", "SIN", 20, { arrival: hour(16), arrivalIs });
    const came = (code: "FIW" | "RCF", number: string, at: number, arrived: number): AirEvent =>
      event(code, "SIN", at, { ...flight(number), ...FRA_SIN, arrival: hour(arrived), arrivalIs: "actual" });
    for (const [what, at, actual, ...events] of [
      ["announced", 22, false, one, left],
      ["arrived", 23, true, one, left, event("ARR", "SIN", 23)],
      ["received by a flight whose arrival is named", 16, true, receipt("actual")],
      ["received by a flight whose arrival is only estimated", 20, true, receipt("estimated")],
      ["received into the warehouse", 17, true, came("FIW", "8001", 18, 17)],
      [
        "of the flight that arrived first, not of what was received first",
        14,
        true,
        { ...came("RCF", "8001", 20, 14), ...part(4) },
        { ...came("RCF", "8003", 18, 17), ...part(6) },
      ],
    ] as const) {
      assert.deepEqual(recorded(events).eta, { at: hour(at), actual }, what);
    }
    for (const none of [event("RCS", "FRA", 1), toHub]) assert.equal(recorded([none]).eta, null);
  });

  test("spec 2.6: eta is the announced time of the day, if the arrival names only the day", () => {
    const left = event("DEP", "FRA", 26, { ...flight("8001"), ...FRA_SIN, arrival: hour(39) });
    const landed = (day: number) => recorded([left, event("ARR", "SIN", day * 24, flight("8001"))]).eta;
    assert.deepEqual(landed(1), { at: hour(39), actual: false });
    assert.deepEqual(landed(2), { at: hour(48), actual: true });
  });

  test("spec 2.6: flight_number is that of the last booking, from the city or from its airport", () => {
    const from = (place: string, number: string, at = 9) => leg(number, place, "SIN", at, 13);
    assert.equal(bookedBy([from("PAR", "1")], [from("CDG", "3")])[0], "LH3");
    assert.equal(bookedBy([from("CDG", "1")], [from("PAR", "3")])[0], "LH3");
    const answered = after(answer(1, from("PAR", "1")), answer(2, from("CDG", "3", 19)));
    assert.deepEqual([answered.flightNumber, linesOf(answered)], ["LH3", ["BKD @19"]]);
  });

  test("spec 2.6: eta_is_actual, once the cargo is in the destination's warehouse; flight_number is its flight", () => {
    const record = after(message(1, booked("8003", 2)), message(21, event("FIW", "SIN", 20, flight("8001"))));
    assert.deepEqual([record.eta, record.flightNumber], [{ at: hour(20), actual: true }, "LH8001"]);
  });

  test("spec 2.6: flight_number is that of the booking to which answers go back, with the last statuses only", () => {
    const said = [one, leg("9", "DXB", "SIN", 30), booked("8003", 9), one];
    assert.equal(after(...said.map((made, index) => answer(1 + index, made))).flightNumber, "LH8001");
  });

  test("spec 2.6: flight_number is that of the last to leave, though another was to leave at midnight", () => {
    const toSin = { from: "DXB", to: "SIN", departure: hour(24) };
    const midnight = event("MAN", "DXB", 24, { ...flight("8003", "2026-11-02"), ...toSin, ...part(4) });
    const last = event("DEP", "FRA", 26, { ...flight("8001"), from: "FRA", to: "DXB", ...part(6) });
    const record = recorded([midnight, last]);
    assert.deepEqual([record.flightNumber, linesOf(record)], ["LH8001", ["MAN 4@24", "DEP 6@26"]]);
  });

  test("spec 2.6: flight_number is that of the last booking of all pieces, though more were counted later", () => {
    const whole = { pieces: 10, shipmentPart: "total" } as const;
    const bookings = [message(1, booked("8001", 5, whole)), message(2, booked("8003", 9, whole))];
    const record = after(...bookings, { ...message(3, event("RCS", "FRA", 3, { pieces: 11 })), pieces: 11 });
    assert.deepEqual([record.flightNumber, record.eta?.at], ["LH8003", hour(22)]);
  });

  test("is worked out in steps that grow with the bookings, on however many stations", () => {
    const stations = 2_000;
    const code = (index: number): string =>
      [676, 26, 1].map((size) => String.fromCharCode(65 + (Math.floor(index / size) % 26))).join("");
    let reads = 0;
    const counted = (index: number, to: string, ms: number): AirEvent => {
      const made = leg(String(index + 1), code(index), to, index, 1);
      const counting = (name: "from" | "to") => ({ get: () => ((reads += 1), made[name]), enumerable: true });
      const said = { ms, messages: [], answers: [] };
      return Object.defineProperties({ ...made, said }, { from: counting("from"), to: counting("to") });
    };
    const chain = Array.from({ length: stations }, (_, index) => counted(index, code(index + 1), 1));
    const direct = counted(0, "SIN", 2);
    assert.equal(flightNumberOf([direct, ...chain], 10, Infinity), "LH1");
    assert.deepEqual(etaOf([direct, ...chain], "SIN", 10)?.at, hour(1));
    assert.ok(reads < 30 * stations, `${reads} reads`);
  });
});

describe("the flights of a waybill", () => {
  const at = (hours: number) => localTimeAt(START_MS + hours * 3_600_000, "Europe/Berlin", null);
  function flown(code: AirStatusCode, hours: number, date: string | null, pieces: number): AirEvent {
    const isThere = code === "ARR" || code === "RCF";
    const end = isThere ? { station: "JFK" } : { station: "FRA", from: "FRA", to: "JFK" };
    const by = { carrier: "LH", number: "400", date };
    const made = { ...EMPTY_EVENT, code, ...end, flight: by, at: at(hours) };
    return { ...made, timeIs: "actual", pieces, totalPieces: 9 };
  }
  const flights = (...events: readonly AirEvent[]) =>
    legsOf(events, 9).map(({ date, state, pieces, departure, arrival }) => [
      ...[date, state, pieces],
      ...[departure.actual?.ms ?? null, arrival.actual?.ms ?? null],
    ]);

  test("parts on one day's flight and on the next day's of the same number are two flights", () => {
    const first = [flown("DEP", 1, "2026-11-02", 4), flown("ARR", 9, null, 4)];
    const second = [flown("DEP", 25, "2026-11-03", 5), flown("ARR", 33, null, 5), flown("RCF", 34, null, 5)];
    assert.deepEqual(flights(...first, ...second), [
      ["2026-11-02", "arrived", 4, at(1).ms, at(9).ms],
      ["2026-11-03", "received", 5, at(25).ms, at(33).ms],
    ]);
  });

  test("a flight that leaves after midnight is the one that was planned for the day before", () =>
    assert.deepEqual(flights(flown("MAN", 10, "2026-11-02", 9), flown("DEP", 12, "2026-11-03", 9)), [
      ["2026-11-02", "departed", 9, at(12).ms, null],
    ]));
});
