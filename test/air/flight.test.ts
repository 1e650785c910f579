/** Which flight a waybill is on, and when it arrives: docs/decisions/air-status-and-events.md. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { after, booked, event, flight, FRA_SIN, hour, message, part, recorded } from "./statements.ts";

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
});
