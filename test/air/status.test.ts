import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { AirEvent, WaybillStatement } from "../../src/products/air/timeline/air-event.ts";
import { event, flight, part, recorded } from "./statements.ts";

type Row = readonly [
  what: string,
  expected: string,
  events: readonly AirEvent[],
  more?: Partial<WaybillStatement>,
];

/** One test a row: what has happened, and the status that holds. */
function hold(rows: readonly Row[]): void {
  for (const [what, expected, events, more] of rows) {
    test(`${what}: ${expected}`, () => assert.equal(recorded(events, null, more).status, expected));
  }
}

const RECEIVED = event("RCS", "FRA", 1);
const DEPARTED = event("DEP", "FRA", 2);
const LANDED = event("RCF", "SIN", 16);
const FLOWN = [DEPARTED, LANDED];
const NO_ORIGIN = { origin: null };
const NO_DESTINATION = { destination: null };
const DELIVERED = [event("DLV", "SIN", 20, part(4)), event("DDL", "SIN", 21, part(3))];

describe("the status of a waybill", () => {
  hold([
    ["nothing", "unknown", []],
    ["a discrepancy alone", "unknown", [event("DIS", "FRA", 1, { discrepancy: "MSCA" })]],
    ["documents alone", "unknown", [event("AWD", "SIN", 1)]],
    ...(["BKD", "DPU", "DOC", "FOH", "PRE", "MAN"] as const).map((code): Row => [
      `${code} at the origin`,
      "booked",
      [event(code, "FRA", 1)],
    ]),
    ["spec 6.4: awb_accepted by RCS", "accepted", [RECEIVED]],
    ["spec 6.4: awb_accepted by RCT", "accepted", [event("RCT", "FRA", 1)]],
    [
      "all handling at the origin before the departure",
      "accepted",
      (["RCS", "PRE", "MAN", "TRM", "TFD", "RCT", "DIS", "CCD", "FOW"] as const).map((code, hours) =>
        event(code, "FRA", hours),
      ),
    ],
    ["spec 6.4: awb_in_transit by a departure", "in_transit", [DEPARTED]],
    ...(["ARR", "FIW", "RCF", "MAN", "FOW", "RCT", "TFD", "DEP"] as const).map((code): Row => [
      `spec 6.4: awb_in_transit by ${code} on the way`,
      "in_transit",
      [RECEIVED, event(code, "DXB", 3)],
    ]),
    ["to be transferred elsewhere", "accepted", [RECEIVED, event("TRM", "DXB", null)]],
    ["to be transferred at the origin", "booked", [event("BKD", "FRA", 1), event("TRM", "FRA", null)]],
    ["a planned departure", "accepted", [RECEIVED, event("DEP", "FRA", 2, { planned: true })]],
    ["seen at an unknown station", "accepted", [RECEIVED, event("ARR", null, 5)]],
    ["handed over at its destination", "accepted", [RECEIVED, event("TFD", "SIN", 5)]],
    ["customs documents on the way", "accepted", [RECEIVED, event("CCD", "DXB", 5)]],
    ["arrived somewhere, of an unknown origin", "in_transit", [event("ARR", "DXB", 5)], NO_ORIGIN],
    ["manifested somewhere, of an unknown origin", "booked", [event("MAN", "DXB", 5)], NO_ORIGIN],
    ["arrived nowhere, to an unknown destination", "unknown", [event("ARR", null, 5)], NO_DESTINATION],
    ...(["ARR", "FIW", "RCF"] as const).flatMap((code): readonly Row[] => [
      [`spec 6.4: awb_arrived by ${code}`, "arrived", [DEPARTED, event(code, "SIN", 16)]],
      [`${code} elsewhere`, "in_transit", [DEPARTED, event(code, "DXB", 8)]],
    ]),
    ["AWR at the destination", "in_transit", [DEPARTED, event("AWR", "SIN", 16)]],
    ["spec 6.4: awb_available once notified", "available", [...FLOWN, event("NFD", "SIN", 17)]],
    ["notified at an unknown station", "available", [...FLOWN, event("NFD", null, 17)]],
    ["notified elsewhere", "arrived", [...FLOWN, event("NFD", "DXB", 17)]],
    ["notified, of an unknown destination", "available", [event("NFD", "SIN", 5)], NO_DESTINATION],
    ["received, and cleared elsewhere", "arrived", [LANDED, event("CCD", "DXB", 18)]],
    ["cleared, not received", "arrived", [event("ARR", "SIN", 16), event("CCD", "SIN", 18)]],
    ["not cleared yet", "arrived", [LANDED, event("CRC", "SIN", 18), event("TGC", "SIN", 18)]],
    ["spec 6.4: awb_delivered by DLV", "delivered", [event("DLV", "SIN", 20)]],
    ["spec 6.4: awb_delivered by DDL", "delivered", [event("DDL", "SIN", 20)]],
    ["all pieces", "delivered", [event("DLV", "SIN", 20, { pieces: 10 })]],
    ["one part", "arrived", [LANDED, DELIVERED[0]!]],
    ["one part again and again", "arrived", [LANDED, DELIVERED[0]!, DELIVERED[0]!, DELIVERED[0]!]],
    ["two of three parts", "arrived", [LANDED, ...DELIVERED]],
    [
      "half, by one source to the minute and by another to the second",
      "arrived",
      [20, 20 + 25 / 3_600].map((at) => event("DLV", "SIN", at, part(5))),
    ],
    [
      "a part of an unknown whole",
      "arrived",
      [event("DLV", "SIN", 20, { pieces: 4, shipmentPart: "part" })],
      { pieces: null },
    ],
    ["a part of unknown pieces", "arrived", [event("DLV", "SIN", 20, { shipmentPart: "part" })]],
    [
      "said to be the total, and fewer than the total",
      "arrived",
      [event("DLV", "SIN", 20, { pieces: 4, shipmentPart: "total", totalPieces: 10 })],
    ],
    [
      "parts of a whole that another event tells",
      "delivered",
      [
        event("DLV", "SIN", 20, { pieces: 4, shipmentPart: "part" }),
        event("DLV", "SIN", 21, { pieces: 6, shipmentPart: "part" }),
        event("RCF", "SIN", 16, part(10)),
      ],
      { pieces: null },
    ],
  ]);

  test("a discrepancy never changes it", () => {
    const life = [RECEIVED, ...FLOWN, event("NFD", "SIN", 17)];
    for (const [index, wanted] of ["accepted", "in_transit", "arrived", "available"].entries()) {
      const last = event("DIS", "SIN", 20, { discrepancy: "OFLD", pieces: 10, shipmentPart: "total" });
      assert.equal(recorded([...life.slice(0, index + 1), last]).status, wanted);
    }
  });

  test("a split shipment that arrives by two flights has arrived with the first", () => {
    const by = (number: string, pieces: number, leaves: number, lands: number) => {
      const some = { ...flight(number), ...part(pieces), shipmentPart: "split" } as const;
      return [event("DEP", "FRA", leaves, some), event("ARR", "SIN", lands, some)];
    };
    const first = by("8001", 6, 2, 15);
    assert.equal(recorded(first).status, "arrived");
    const both = recorded([...first, ...by("8003", 4, 9, 21)]);
    assert.deepEqual([both.status, both.timeline.length], ["arrived", 4]);
  });

  for (const [what, code, events] of [
    ["nothing", undefined, []],
    ["the clearance after the receipt", "CCD", [LANDED, event("CCD", "SIN", 18)]],
    ["the receipt after the clearance", "RCF", [LANDED, event("CCD", "SIN", 10)]],
    [
      "the clearance before the notification",
      "CCD",
      [LANDED, event("CCD", "SIN", 17), event("NFD", "SIN", 18)],
    ],
    [
      "the notification before the clearance",
      "NFD",
      [LANDED, event("CCD", "SIN", 18), event("NFD", "SIN", 17)],
    ],
    ["an event with a time before one without", "RCT", [event("RCS", "FRA", null), event("RCT", "FRA", 3)]],
    [
      "the last part that makes the whole",
      "DLV",
      [event("DLV", "SIN", 24, part(3)), LANDED, ...DELIVERED.toReversed()],
    ],
  ] as const) {
    test(`it holds from ${what}`, () => assert.equal(recorded(events).statusBy?.code, code));
  }
});
