/** What counts is what was said last, and what kind of source said it: docs/decisions/air.md. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { WaybillStatement, AirEvent } from "../../src/products/air/timeline/air-event.ts";
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
import { statusOf } from "../../src/products/air/status.ts";

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

type Row = readonly [what: string, ...said: readonly WaybillStatement[]];

/** One test a row: the status after what was said. */
function are(status: string, rows: readonly Row[]): void {
  for (const [what, ...said] of rows) test(what, () => assert.equal(after(...said).status, status));
}

const DAY = 24;
const half = (at: number | null, more: Partial<AirEvent> = {}) =>
  event("DLV", "SIN", at, { ...part(5), weightKg: 50, ...more });
const WHOLE = { pieces: 10, shipmentPart: "total" } as const;

describe("deliveries alike are two", () => {
  are("delivered", [
    ...[20.5, DAY, null].flatMap((at): readonly Row[] => [
      [`if one message says both at ${at}`, message(30, half(at), half(at))],
      [
        `if one message says both at ${at}, and another one of them`,
        message(30, half(at), half(at)),
        message(31, half(at)),
      ],
    ]),
    ["if one message says both, minutes apart", message(30, half(20.5), half(20.7))],
    ["if one answer says both", answer(30, half(20.5)), answer(31, half(20.5), half(20.7))],
    ["if both give the day only, and no message a time", message(30, half(DAY)), message(31, half(DAY))],
    ["if both have no time, and no message has one", message(30, half(null)), message(31, half(null))],
    ["if they are hours apart", message(21, half(20.5)), message(22, half(23.5))],
    ["if one is of another day", message(25, half(DAY)), answer(60, half(3 * DAY + 9.5))],
    ["if one is hours before a midnight", message(23, half(DAY - 4)), message(25, half(DAY))],
    [
      "if they came by other flights",
      message(21, half(20.5, flight("8001"))),
      message(22, half(20.6, flight("8003"))),
    ],
    ["if they weigh another weight", message(21, half(20.5)), message(22, half(20.4, { weightKg: 51 }))],
  ]);
});

describe("deliveries alike are one", () => {
  are("arrived", [
    ["if only one has a time, of that day", message(25, half(null)), answer(26, half(DAY + 14.5))],
    [
      "within three hours of a midnight, which may be a time",
      message(23, half(DAY - 2.5)),
      message(25, half(DAY)),
    ],
    ...[{ station: null }, { station: "XSP" }, flight("8001")].flatMap((more) =>
      [20.5, 20.6].map((at): Row => [
        `whatever a source says of ${Object.keys(more).join()}, at ${at}`,
        message(21, half(20.5)),
        answer(22, half(at, more)),
      ]),
    ),
    ...[50.4, 49.6].map((weightKg): Row => [
      `if their weight was only rounded or converted to ${weightKg}`,
      message(21, half(20.5)),
      answer(22, half(20.6, { weightKg })),
    ]),
    ...[20.5, DAY, null].map((at): Row => [
      `if the quantity of one could not be read, at ${at}`,
      message(21, half(at, { pieces: null })),
      message(22, half(at)),
    ]),
    [
      "if one was said of the whole, and is corrected by a part of the same minute",
      message(21, event("DLV", "SIN", 20.5, WHOLE)),
      message(22, half(20.5)),
    ],
  ]);

  for (const at of [DAY, null]) {
    test(`if a message says again what another says at ${at}`, () => {
      const notified = event("NFD", "SIN", 19);
      const resent = after(message(30, notified, half(at)), message(31, notified, half(at)));
      assert.equal(resent.status, "available");
    });
  }

  test("as said last, if only a minute differs: half is missing", () => {
    const said = [message(21, half(20.5)), message(22, half(20.4))];
    const record = after(...said);
    assert.deepEqual([record.status, linesOf(record)], ["arrived", ["DLV 5@20.4"]]);
    assert.deepEqual(linesOf(after(...said, message(23, half(20.6)))), ["DLV 5@20.6"]);
    const timed = after(message(25, half(DAY)), answer(26, half(DAY + 14.5)));
    assert.deepEqual([timed.status, linesOf(timed)], ["arrived", ["DLV 5@38.5"]], "if one has a time");
  });
});

describe("a delivery of the whole", () => {
  const whole = event("DLV", "SIN", 20.5, WHOLE);
  are("delivered", [
    ["corrects a part of the same minute", message(21, half(20.5)), message(22, whole)],
    ["is not corrected by a part of before", message(21, whole), message(22, half(18))],
  ]);

  test("is one of parts if it was corrected to be of some", () => {
    const some = message(22, event("DLV", "SIN", 20, part(6)));
    const said = [message(21, event("DLV", "SIN", 20, WHOLE)), some] as const;
    assert.equal(after(...said).status, "arrived");
    const both = after(...said, message(31, event("DLV", "SIN", 30, part(4))));
    assert.deepEqual([both.status, linesOf(both)], ["delivered", ["DLV 6@20", "DLV 4@30"]]);
  });
});

describe("deliveries to the door", () => {
  const airport = (at: number | null, pieces = 5, more: Partial<AirEvent> = {}) =>
    event("DLV", "SIN", at, { ...part(pieces), ...more });
  const door = (at: number | null, pieces = 5, more: Partial<AirEvent> = {}) =>
    event("DDL", "SIN", at, { ...part(pieces), ...more });
  const inTurn = (...said: readonly AirEvent[]): readonly WaybillStatement[] =>
    said.map((one, index) => message(120 + index, one));

  describe("may be of the pieces that the airport handed out", () => {
    are("arrived", [
      ...[20.1, 22, 29, 90].map((at): Row => [`until ${at}`, ...inTurn(airport(20), door(at))]),
      ["in one message", message(23, airport(20), door(22))],
      ["in one answer", answer(30, airport(20), door(29))],
      ["before, the code put right", ...inTurn(airport(20), door(19))],
      ["though they have no time", ...inTurn(airport(20), door(null))],
      ["though the airport gives no time", ...inTurn(airport(null), door(20))],
      ["on one day, without a time", ...inTurn(airport(40), door(DAY))],
      ["several times", ...inTurn(airport(20, 2), airport(30, 3), door(40))],
      ["in two lots", ...inTurn(airport(20, 6), door(30, 3), door(40, 3))],
      ["in three lots", ...inTurn(airport(20, 6), door(30, 1), door(40, 2), door(50, 3))],
      ["in one of two lots", ...inTurn(airport(20, 4), airport(30, 1), door(40, 4))],
      ["lot by lot", ...inTurn(airport(20, 4), door(22, 4), airport(30, 3), door(40, 3))],
    ]);
  });

  describe("complete the whole with those of the airport that they cannot be", () => {
    are("delivered", [
      ["of more pieces", ...inTurn(airport(20, 4), door(30, 6))],
      ["of fewer pieces", ...inTurn(airport(20, 6), door(30, 4))],
      ["handed out on the day after, without a time", ...inTurn(airport(60), door(DAY))],
      ["handed out after it was at the door", ...inTurn(door(20), airport(40))],
      ["handed out twice", ...inTurn(airport(20), door(30), airport(40))],
      ["at the door twice", ...inTurn(airport(20), door(30), door(40))],
      ["of other flights", ...inTurn(airport(20, 5, flight("8001")), door(30, 5, flight("8003")))],
      ["of another weight", ...inTurn(airport(20, 5, { weightKg: 50 }), door(30, 5, { weightKg: 70 }))],
    ]);
  });

  test("that show what was handed out to be of fewer pieces take the delivery back", () =>
    assert.equal(after(...inTurn(airport(20, 6), door(30, 4), door(40, 2))).status, "arrived"));

  test("of more pieces than a shipment has conclude nothing", () => {
    const huge = { pieces: 500_000_000_000, totalPieces: 1_000_000_000_000 };
    const consignment = { origin: "FRA", destination: "SIN", pieces: 1_000_000_000_000 };
    assert.equal(
      statusOf([airport(20, 5, huge), door(40, 5, huge)], consignment, Infinity).status,
      "arrived",
    );
  });
});
