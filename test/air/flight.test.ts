/** Which flight a waybill is on, and when it arrives: docs/decisions/air-status-and-events.md. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { etaOf, flightNumberOf } from "../../src/products/air/record/flight.ts";
import type { AirEvent } from "../../src/products/air/timeline/air-event.ts";
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

describe("flight and ETA", () => {
  test("re-books the whole in parts, if they are said at once and add up to it", () => {
    const parts = [booked("8003", 20, part(6)), booked("8005", 30, part(4))];
    const record = after(message(1, booked("8001", 5)), message(2, ...parts));
    assert.deepEqual([record.flightNumber, record.eta?.at], ["LH8003", hour(33)]);
  });

  test("takes the cargo off a route over hubs, whose onward bookings go", () => {
    const leg = (number: string, from: string, to: string, departs: number) =>
      event("BKD", from, departs, { ...flight(number), from, to, arrival: hour(departs + 5) });
    const overHubs = [leg("1", "FRA", "DXB", 5), leg("3", "DXB", "BOM", 15), leg("5", "BOM", "SIN", 25)];
    for (const departs of [4, 40]) {
      const record = after(message(1, ...overHubs), message(2, leg("9", "FRA", "SIN", departs)));
      assert.deepEqual([record.flightNumber, record.eta?.at], ["LH9", hour(departs + 5)]);
    }
  });

  test("spec 2.6: eta is the announced time of the day, if the arrival names only the day", () => {
    const left = event("DEP", "FRA", 26, { ...flight("8001"), ...FRA_SIN, arrival: hour(39) });
    const landed = (day: number) => recorded([left, event("ARR", "SIN", day * 24, flight("8001"))]).eta;
    assert.deepEqual(
      [landed(1), landed(2)],
      [
        { at: hour(39), actual: false },
        { at: hour(48), actual: true },
      ],
    );
  });

  test("spec 2.6: flight_number is that of the last booking, from the city or from its airport", () => {
    const from = (place: string, number: string) =>
      event("BKD", place, 9, { ...flight(number), from: place, to: "SIN", arrival: hour(22) });
    for (const [first, second] of [
      ["PAR", "CDG"],
      ["CDG", "PAR"],
    ] as const) {
      assert.equal(after(message(1, from(first, "1")), message(2, from(second, "3"))).flightNumber, "LH3");
    }
  });

  test("spec 2.6: eta_is_actual, once the cargo is in the destination's warehouse; flight_number is its flight", () => {
    const stored = event("FIW", "SIN", 20, flight("8001"));
    const record = after(message(1, booked("8003", 2)), message(21, stored));
    assert.deepEqual([record.eta, record.flightNumber], [{ at: hour(20), actual: true }, "LH8001"]);
  });

  test("spec 2.6: flight_number is that of the booking to which messages go back", () => {
    const [one, other] = [booked("8001", 5), booked("8003", 9)];
    const flightAfter = (...said: readonly (readonly AirEvent[])[]): string | null =>
      after(...said.map((events, index) => message(1 + index, ...events))).flightNumber;
    assert.equal(flightAfter([one], [other]), "LH8003");
    assert.equal(flightAfter([one], [other], [one]), "LH8001");
    assert.equal(flightAfter([one], [other], [one], [other]), "LH8003");
    const [some, rest] = [booked("8001", 5, part(6)), booked("8005", 3, part(4))];
    assert.equal(flightAfter([some, rest], [other], [rest, some]), "LH8005");
    assert.equal(flightAfter([other], [rest], [other]), "LH8005", "not replaced, and so only repeated");
  });

  test("spec 2.6: flight_number is that of the booking to which answers go back, with the last statuses only", () => {
    const onward = event("BKD", "DXB", 30, { ...flight("9"), from: "DXB", to: "SIN", arrival: hour(40) });
    const said = [booked("8001", 5), onward, booked("8003", 9), booked("8001", 5)];
    assert.equal(after(...said.map((one, index) => answer(1 + index, one))).flightNumber, "LH8001");
  });

  test("spec 2.6: flight_number is that of an answer's booking, from the airport and no longer from the city", () => {
    const from = (place: string, number: string, at: number) =>
      event("BKD", place, at, { ...flight(number), from: place, to: "SIN", arrival: hour(at + 13) });
    const record = after(answer(1, from("PAR", "1", 9)), answer(2, from("CDG", "3", 19)));
    assert.deepEqual([record.flightNumber, linesOf(record)], ["LH3", ["BKD @19"]]);
  });

  test("spec 2.6: flight_number is that of the last to leave, though another was to leave at midnight", () => {
    const midnight = {
      ...flight("8003", "2026-11-02"),
      from: "DXB",
      to: "SIN",
      departure: hour(24),
      ...part(4),
    };
    const last = event("DEP", "FRA", 26, { ...flight("8001"), from: "FRA", to: "DXB", ...part(6) });
    const record = recorded([event("MAN", "DXB", 24, midnight), last]);
    assert.deepEqual([record.flightNumber, linesOf(record)], ["LH8001", ["MAN 4@24", "DEP 6@26"]]);
  });

  test("spec 2.6: flight_number is that of the last booking of all pieces, though more were counted later", () => {
    const whole = { pieces: 10, shipmentPart: "total" } as const;
    const said = [
      message(1, booked("8001", 5, whole)),
      message(2, booked("8003", 9, whole)),
      { ...message(3, event("RCS", "FRA", 3, { pieces: 11 })), pieces: 11 },
    ];
    const record = after(...said);
    assert.deepEqual([record.flightNumber, record.eta?.at], ["LH8003", hour(22)]);
  });

  test("is worked out in a time that grows with the bookings, on however many stations", () => {
    const stations = 2_000;
    const code = (index: number): string =>
      [676, 26, 1].map((size) => String.fromCharCode(65 + (Math.floor(index / size) % 26))).join("");
    let reads = 0;
    const counted = (made: AirEvent): AirEvent => ({
      ...made,
      get to() {
        reads += 1;
        return made.to;
      },
      get from() {
        reads += 1;
        return made.from;
      },
    });
    const leg = (index: number, to: string, at: number): AirEvent => {
      const way = { ...flight(String(index + 1)), from: code(index), to, arrival: hour(index + 1) };
      return counted(
        event("BKD", code(index), index, { ...way, said: { ms: at, messages: [], answers: [] } }),
      );
    };
    const chain = Array.from({ length: stations }, (_, index) => leg(index, code(index + 1), 1));
    const direct = leg(0, "SIN", 2);
    assert.equal(flightNumberOf([direct, ...chain], 10), "LH1");
    assert.deepEqual(etaOf([direct, ...chain], "SIN", 10)?.at, hour(1));
    assert.ok(reads < 30 * stations, `${reads} reads`);
  });
});
