/** What counts is what was said last, and what kind of source said it: docs/decisions/air.md. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { WaybillStatement } from "../../src/products/air/timeline/air-event.ts";
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

const ACCEPTED = event("RCS", "FRA", 2);
const LEFT = event("DEP", "FRA", 5);
const ARRIVED = event("ARR", "SIN", 18);

describe("the timeline, where", () => {
  const [wrong, right] = [message(4, event("RCS", "FRA", 3)), message(5, ACCEPTED)];
  const leaves = { ...flight("8001"), ...FRA_SIN };
  const at = (hours: number, recordedAt: number) => ({
    ...event("RCS", "FRA", hours),
    said: { ms: hour(recordedAt).ms, messages: [], answers: [] },
  });
  const all = ["RCS @2", "DEP @5", "ARR @18"];
  for (const [what, lines, ...said] of [
    ["a message corrects a time to an earlier one", ["RCS @2"], wrong, right],
    ["the wrong time is sent again", ["RCS @2"], wrong, right, message(6, event("RCS", "FRA", 3))],
    [
      "the wrong time is sent again with a remark",
      ["RCS @2"],
      wrong,
      right,
      message(6, event("RCS", "FRA", 3, { remarks: ["SENT AGAIN"] })),
    ],
    [
      "a time is estimated once the actual one is known",
      ["DEP @5"],
      message(5, event("DEP", "FRA", 5, { ...leaves, timeIs: "actual" })),
      message(7, event("DEP", "FRA", 6, { ...leaves, timeIs: "estimated" })),
    ],
    [
      "an answer no longer says what its source said",
      ["RCS @2"],
      answer(6, ACCEPTED, LEFT),
      answer(7, ACCEPTED),
    ],
    ["answers have the last status only", all, answer(3, ACCEPTED), answer(6, LEFT), answer(19, ARRIVED)],
    ["answers have the last two statuses", all, answer(6, ACCEPTED, LEFT), answer(19, LEFT, ARRIVED)],
    ["an answer tells that a time was recorded later", ["RCS @2"], answer(9, at(3, 4), at(2, 5))],
    ["an answer tells that the later time was recorded later", ["RCS @3"], answer(9, at(2, 4), at(3, 5))],
    [
      "an answer that only gives the booking has another",
      ["BKD @20"],
      ...["8001", "8003", "8001"].map((number, index) => answer(index + 1, booked(number, 20))),
    ],
    [
      "answers give the bookings of two parts",
      ["BKD 4@20", "BKD 6@20"],
      answer(1, booked("8001", 20, part(6))),
      answer(2, booked("8003", 20, part(4))),
    ],
  ] as const) {
    test(what, () => assert.deepEqual(linesOf(after(...said)).toSorted(), lines.toSorted()));
  }
});

describe("the status, where", () => {
  const other = { ...answer(6, LEFT), answer: "one-record" } as const;
  const some = event("DLV", "SIN", 20, part(4));
  const rest = event("DLV", "SIN", 30, part(2));
  const later = { ...some, at: hour(21) };
  const both = answer(6, ACCEPTED, LEFT);
  for (const [what, status, ...said] of [
    ["an answer withdraws what its source said", "accepted", both, answer(7, ACCEPTED)],
    [
      "an answer says again what was withdrawn",
      "in_transit",
      both,
      answer(7, ACCEPTED),
      { ...both, saidMs: hour(8).ms },
    ],
    ["a message says what an answer withdraws", "in_transit", message(5, LEFT), both, answer(7, ACCEPTED)],
    ["another source says what an answer withdraws", "in_transit", other, both, answer(7, ACCEPTED)],
    ["an answer has no status at all", "in_transit", both, answer(7)],
    ["a message leaves out what it likes", "in_transit", message(6, ACCEPTED, LEFT), message(7, ACCEPTED)],
    ["an answer says two alike", "delivered", answer(21, some, { ...some, copy: "1" }), answer(30, rest)],
    ["an answer says two, minutes apart", "delivered", answer(21, some, later), answer(30, rest)],
    ["the next answers say one of them", "delivered", answer(21, some, later), answer(30, later, rest)],
    ["two answers say one of them each", "arrived", answer(20, some), answer(21, later), answer(30, rest)],
  ] as const) {
    test(what, () => assert.equal(after(...said).status, status));
  }

  test("spec 6.4: awb_arrived, awb_available at any airport of the city that a waybill is routed to", () => {
    for (const [status, ...events] of [
      ["booked", event("MAN", "CDG", 1)],
      ["arrived", event("DEP", "CDG", 2), event("ARR", "LHR", 4)],
      ["available", event("RCF", "LHR", 4), event("NFD", "LHR", 5)],
      ["available", event("RCF", "LHR", 4), event("CCD", "LHR", 5)],
      ["in_transit", event("RCS", "CDG", 1), event("MAN", "AMS", 2)],
    ] as const) {
      assert.equal(recorded(events, null, { origin: "PAR", destination: "LON" }).status, status);
    }
  });
});

describe("pieces and weight", () => {
  const facts = (pieces: number, weightKg: number) => ({ pieces, weightKg });
  const booking = { ...message(1, booked("8001", 200)), ...facts(10, 100) };
  const accepted = { ...message(2, ACCEPTED), ...facts(8, 90) };
  const late = { ...message(3, booked("8003", 300)), ...facts(11, 110) };
  const counted = { ...message(4, event("MAN", "FRA", 1)), ...facts(7, 80) };
  const resent = { ...accepted, saidMs: hour(5).ms, message: "resent" };
  const answered = { ...answer(6, ACCEPTED), ...facts(9, 95) };
  const announced = event("FOH", "FRA", 1);
  const inHand = { ...answer(2, announced, ACCEPTED), ...facts(8, 90) };
  const rows: readonly (readonly [string, object, ...WaybillStatement[]])[] = [
    ["are put right by cargo in hand", facts(8, 90), booking, accepted],
    ["are not those of a booking of cargo in hand", facts(8, 90), booking, accepted, late],
    ["are put right by the next that counts it", facts(7, 80), booking, accepted, late, counted],
    ["are not those of a message that is resent", facts(7, 80), booking, accepted, counted, resent],
    ["are put right by an answer", facts(9, 95), booking, accepted, counted, answered],
    [
      "are not those of an answer's booking only",
      facts(8, 90),
      inHand,
      { ...answer(3, booked("8003", 5)), ...facts(10, 100) },
    ],
    [
      "are of before once an answer withdraws the acceptance",
      facts(10, 100),
      inHand,
      { ...answer(3, announced), ...facts(10, 100) },
    ],
  ];
  for (const [what, expected, ...said] of rows) {
    test(what, () => {
      const { pieces, weightKg } = after(...said);
      assert.deepEqual({ pieces, weightKg }, expected);
    });
  }
});

describe("a delivery dated days ahead", () => {
  const ahead = event("DLV", "SIN", 72, { pieces: 10, shipmentPart: "total" });
  const at = (hours: number, previous: WaybillRecord | null = null) =>
    nextRecord(AWB, [message(20, event("RCF", "SIN", 16), ahead)], previous, hour(hours).ms);

  test("waits for its time", () => {
    const early = at(20);
    assert.deepEqual([early.status, linesOf(early), early.said.length], ["arrived", ["RCF @16"], 2]);
    assert.deepEqual([at(71, early).status, at(72, early).status], ["arrived", "delivered"]);
  });

  test("is believed up to fifteen hours ahead, as is any flight of a booking", () => {
    const near = (hours: number) =>
      nextRecord(AWB, [message(20, event("RCS", "FRA", hours))], null, hour(20).ms).status;
    assert.deepEqual([near(35), near(35.1)], ["accepted", "unknown"]);
    const manifested = nextRecord(AWB, [message(20, booked("8001", 90))], null, hour(20).ms);
    assert.deepEqual([manifested.status, manifested.flightNumber], ["booked", "LH8001"]);
  });
});

test("an event that is said again and again keeps twenty of its messages", () => {
  const repeats = Array.from({ length: 60 }, (_, nth) => message(nth, event("RCS", "FRA", 3)));
  const [said] = nextRecord(AWB, repeats, null, NOW_MS).said;
  assert.equal(said?.said?.messages.length, 20);
});
