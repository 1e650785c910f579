/** What counts is what was said last, and what kind of source said it: docs/decisions/air-status-and-events.md. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { AirEvent, WaybillStatement } from "../../src/products/air/timeline/air-event.ts";
import { nextRecord, type WaybillRecord } from "../../src/products/air/record/waybill-record.ts";
import {
  after,
  answer,
  AWB,
  booked,
  event,
  flight,
  FRA_SIN,
  hour,
  linesOf,
  message,
  NOW_MS,
  part,
  recorded,
} from "./statements.ts";

describe("an answer with the last statuses only", () => {
  test("of a booking leaves what was counted with the cargo in hand, until that is withdrawn", () => {
    const announced = event("FOH", "FRA", 1);
    const counted = { ...answer(2, announced, event("RCS", "FRA", 2)), pieces: 8 };
    assert.equal(after(counted, { ...answer(3, booked("8003", 5)), pieces: 10 }).pieces, 8);
    assert.equal(after(counted, { ...answer(3, announced), pieces: 10 }).pieces, 10);
  });

  test("of two deliveries alike says that they are two, whatever the next answers say", () => {
    const half = event("DLV", "SIN", 20, part(4));
    const rest = event("DLV", "SIN", 30, part(2));
    const later = { ...half, at: hour(21) };
    assert.equal(after(answer(21, half, { ...half, copy: "1" }), answer(30, rest)).status, "delivered");
    assert.equal(after(answer(21, half, later), answer(30, rest)).status, "delivered");
    assert.equal(after(answer(21, half, later), answer(30, later, rest)).status, "delivered");
    assert.equal(after(answer(20, half), answer(21, later), answer(30, rest)).status, "arrived");
  });
});

describe("the actual arrival", () => {
  const came = (code: "ARR" | "FIW" | "RCF", number: string, at: number, arrived?: number): AirEvent =>
    event(code, "SIN", at, {
      ...flight(number),
      ...FRA_SIN,
      ...(arrived === undefined ? {} : { arrival: hour(arrived), arrivalIs: "actual" as const }),
    });

  test("spec 2.6: eta_is_actual by a receipt into the warehouse", () => {
    const record = recorded([came("FIW", "8001", 18, 17)]);
    assert.deepEqual(record.eta, { at: hour(17), actual: true });
    assert.equal(record.flightNumber, "LH8001");
  });

  test("spec 2.6: eta is of the flight that arrived first, not of the cargo that was received first", () => {
    const parts = [
      { ...came("RCF", "8001", 20, 14), ...part(4) },
      { ...came("RCF", "8003", 18, 17), ...part(6) },
    ];
    assert.deepEqual(recorded(parts).eta, { at: hour(14), actual: true });
  });
});

describe("what is said later", () => {
  test("corrects a time to an earlier one, and a resent message corrects nothing", () => {
    const [wrong, right] = [event("RCS", "FRA", 3), event("RCS", "FRA", 2)];
    assert.deepEqual(linesOf(after(message(4, wrong), message(5, right))), ["RCS @2"]);
    assert.deepEqual(linesOf(after(message(4, wrong), message(5, right), message(6, wrong))), ["RCS @2"]);
    const again = { ...wrong, remarks: ["SENT AGAIN"] };
    assert.deepEqual(linesOf(after(message(4, wrong), message(5, right), message(6, again))), ["RCS @2"]);
  });

  test("is no estimate of what an actual time is known of", () => {
    const leaves = { ...flight("8001"), ...FRA_SIN };
    const actual = event("DEP", "FRA", 5, { ...leaves, timeIs: "actual" });
    const estimate = event("DEP", "FRA", 6, { ...leaves, timeIs: "estimated" });
    assert.deepEqual(linesOf(after(message(5, actual), message(7, estimate))), ["DEP @5"]);
  });

  test("spec 2.6: flight_number, eta are of the flight that the cargo is re-booked on, be it earlier or later", () => {
    for (const [first, second] of [
      [5, 20],
      [20, 5],
    ] as const) {
      const record = after(message(1, booked("8001", first)), message(2, booked("8003", second)));
      assert.equal(record.flightNumber, "LH8003");
      assert.deepEqual(record.eta, { at: hour(second + 13), actual: false });
    }
  });

  test("spec 2.6: flight_number is any flight if none is booked", () => {
    assert.equal(recorded([event("CRC", "FRA", 1, flight("8001"))]).flightNumber, "LH8001");
  });

  test("leaves the other leg of a re-booked route, and the whole if only a part is re-booked", () => {
    const onward = event("BKD", "DXB", 15, { ...flight("9"), from: "DXB", to: "SIN", arrival: hour(23) });
    const toHub = { ...flight("1"), from: "FRA", to: "DXB", arrival: hour(9) };
    const legs = [event("BKD", "FRA", 4, toHub), onward];
    const rebooked = event("BKD", "FRA", 6, { ...toHub, ...flight("3") });
    const record = after(message(1, ...legs), message(2, rebooked));
    assert.deepEqual([record.flightNumber, record.eta?.at], ["LH3", hour(23)]);
    const some = after(message(1, booked("8001", 5)), message(2, booked("8003", 20, part(3))));
    assert.deepEqual([some.flightNumber, some.eta?.at], ["LH8001", hour(18)]);
  });

  test("re-books what is manifested, until the flight has left", () => {
    const manifested = { ...booked("8001", 5), code: "MAN" } as const;
    const off = after(message(1, booked("8001", 5)), message(4, manifested), message(6, booked("8003", 20)));
    assert.deepEqual([off.flightNumber, off.eta?.at], ["LH8003", hour(33)]);
    const left = { ...booked("8001", 4.5), code: "DEP", timeIs: "actual", arrival: hour(17) } as const;
    const early = after(message(1, booked("8001", 5)), message(4, manifested), message(5, left));
    assert.deepEqual([early.flightNumber, early.eta?.at], ["LH8001", hour(17)], "an early departure");
  });

  test("puts pieces and weight right, which a booking never does for cargo in hand", () => {
    const facts = (pieces: number, weightKg: number) => ({ pieces, weightKg });
    const booking = { ...message(1, booked("8001", 200)), ...facts(10, 100) };
    const accepted = { ...message(2, event("RCS", "FRA", 2)), ...facts(8, 90) };
    const late = { ...message(3, booked("8003", 300)), ...facts(11, 110) };
    const counted = { ...message(4, event("MAN", "FRA", 1)), ...facts(7, 80) };
    const resent = { ...accepted, saidMs: hour(5).ms, message: "resent" };
    const known = (...said: readonly WaybillStatement[]) => {
      const { pieces, weightKg } = after(...said);
      return facts(pieces!, weightKg!);
    };
    assert.deepEqual(known(booking, accepted), facts(8, 90));
    assert.deepEqual(known(booking, accepted, late), facts(8, 90));
    assert.deepEqual(known(booking, accepted, late, counted), facts(7, 80));
    assert.deepEqual(known(booking, accepted, counted, resent), facts(7, 80));
    const answered = { ...answer(6, event("RCS", "FRA", 2)), ...facts(9, 95) };
    assert.deepEqual(known(booking, accepted, counted, answered), facts(9, 95));
  });

  test("the actual arrival is that of the flight, if its receipt names it", () => {
    const received = event("RCF", "SIN", 20, { arrival: hour(16), arrivalIs: "actual" });
    assert.deepEqual(recorded([received]).eta, { at: hour(16), actual: true });
    const estimated = event("RCF", "SIN", 20, { arrival: hour(16), arrivalIs: "estimated" });
    assert.deepEqual(recorded([estimated]).eta, { at: hour(20), actual: true });
  });
});

describe("an answer", () => {
  const accepted = event("RCS", "FRA", 2);
  const left = event("DEP", "FRA", 5);

  test("withdraws what its source no longer says", () => {
    const record = after(answer(6, accepted, left), answer(7, accepted));
    assert.deepEqual([record.status, linesOf(record)], ["accepted", ["RCS @2"]]);
    const again = after(answer(6, accepted, left), answer(7, accepted), answer(8, accepted, left));
    assert.equal(again.status, "in_transit");
  });

  test("that only gives the booking has the present one, be it an earlier one again", () => {
    const flights = ["8001", "8003", "8001"].map((number, index) => answer(index + 1, booked(number, 20)));
    const record = after(...flights);
    assert.deepEqual([record.flightNumber, record.timeline.length], ["LH8001", 1]);
    const ofParts = after(answer(1, booked("8001", 20, part(6))), answer(2, booked("8003", 20, part(4))));
    assert.equal(ofParts.timeline.length, 2);
    const said = after(
      message(1, booked("8001", 20)),
      answer(2, booked("8003", 20)),
      answer(3, booked("8001", 20)),
    );
    assert.equal(said.flightNumber, "LH8001");
  });

  test("withdraws nothing that a message or another source says", () => {
    assert.equal(
      after(message(5, left), answer(6, accepted, left), answer(7, accepted)).status,
      "in_transit",
    );
    const other = { ...answer(6, left), answer: "one-record" } as const;
    assert.equal(after(other, answer(6, accepted, left), answer(7, accepted)).status, "in_transit");
  });

  test("of the last statuses only withdraws nothing, nor does one without any", () => {
    const arrived = event("ARR", "SIN", 18);
    const last = after(answer(3, accepted), answer(6, left), answer(19, arrived));
    assert.deepEqual(linesOf(last), ["RCS @2", "DEP @5", "ARR @18"]);
    const window = after(answer(6, accepted, left), answer(19, left, arrived));
    assert.deepEqual(linesOf(window), ["RCS @2", "DEP @5", "ARR @18"]);
    assert.equal(after(answer(6, accepted, left), answer(7)).status, "in_transit");
  });

  test("that tells when each event was recorded puts its own times right, in the first answer as well", () => {
    const at = (hours: number, recordedAt: number) => ({
      ...event("RCS", "FRA", hours),
      said: { ms: hour(recordedAt).ms, messages: [], answers: [] },
    });
    assert.deepEqual(linesOf(after(answer(9, at(3, 4), at(2, 5)))), ["RCS @2"]);
    assert.deepEqual(linesOf(after(answer(9, at(2, 4), at(3, 5)))), ["RCS @3"]);
  });

  test("a message adds, and leaves out what it likes", () => {
    assert.equal(after(message(6, accepted, left), message(7, accepted)).status, "in_transit");
  });
});

describe("a delivery dated days ahead", () => {
  const ahead = event("DLV", "SIN", 72, { pieces: 10, shipmentPart: "total" });
  const at = (hours: number, previous: WaybillRecord | null = null) =>
    nextRecord(AWB, [message(20, event("RCF", "SIN", 16), ahead)], previous, hour(hours).ms);

  test("waits for its time", () => {
    const early = at(20);
    assert.deepEqual([early.status, linesOf(early), early.said.length], ["arrived", ["RCF @16"], 2]);
    assert.equal(at(71, early).status, "arrived");
    assert.equal(at(72, early).status, "delivered");
  });

  test("is believed up to fifteen hours ahead, as is any flight of a booking", () => {
    const near = (hours: number) =>
      nextRecord(AWB, [message(20, event("RCS", "FRA", hours))], null, hour(20).ms).status;
    assert.deepEqual([near(35), near(35.1)], ["accepted", "unknown"]);
    const manifested = nextRecord(AWB, [message(20, booked("8001", 90))], null, hour(20).ms);
    assert.deepEqual([manifested.status, manifested.flightNumber], ["booked", "LH8001"]);
  });
});

describe("a day without a time", () => {
  const DAY = 24;
  const codesOf = (...events: readonly AirEvent[]): string =>
    recorded(events)
      .timeline.map(({ code, station }) => `${code} ${station}`)
      .join(", ");

  test("is after what must precede it on that day", () => {
    const left = event("DEP", "FRA", DAY, { from: "FRA", to: "DXB" });
    assert.equal(codesOf(left, event("RCS", "FRA", DAY + 14)), "RCS FRA, DEP FRA");
    const received = event("RCF", "DXB", DAY);
    assert.equal(codesOf(received, { ...left, at: hour(DAY + 9) }), "DEP FRA, RCF DXB");
    assert.equal(
      codesOf(event("NFD", "DXB", DAY), received, left, event("RCS", "FRA", DAY + 7)),
      "RCS FRA, DEP FRA, RCF DXB, NFD DXB",
    );
  });

  test("is before what happens on another day, and what it precedes", () => {
    const left = event("DEP", "FRA", DAY, { from: "FRA", to: "SIN" });
    assert.equal(
      codesOf(left, event("ARR", "SIN", DAY + 15), event("RCS", "FRA", 9)),
      "RCS FRA, DEP FRA, ARR SIN",
    );
    assert.equal(codesOf(event("RCS", "FRA", DAY), { ...left, at: hour(DAY + 3) }), "RCS FRA, DEP FRA");
  });
});

describe("a waybill routed to a city", () => {
  test("spec 6.4: awb_arrived, awb_available at any of its airports", () => {
    const at = (...events: readonly AirEvent[]) =>
      recorded(events, null, { origin: "PAR", destination: "LON" }).status;
    assert.equal(at(event("MAN", "CDG", 1)), "booked");
    assert.equal(at(event("DEP", "CDG", 2), event("ARR", "LHR", 4)), "arrived");
    assert.equal(at(event("RCF", "LHR", 4), event("NFD", "LHR", 5)), "available");
    assert.equal(at(event("RCF", "LHR", 4), event("CCD", "LHR", 5)), "available");
    assert.equal(at(event("RCS", "CDG", 1), event("MAN", "AMS", 2)), "in_transit");
  });
});

test("an event that is said again and again keeps twenty of its messages", () => {
  const repeats = Array.from({ length: 60 }, (_, nth) => message(nth, event("RCS", "FRA", 3)));
  const [said] = nextRecord(AWB, repeats, null, NOW_MS).said;
  assert.equal(said?.said?.messages.length, 20);
});
