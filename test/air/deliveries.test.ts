/** Which deliveries are two, and which are one said twice: docs/decisions/air.md. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { statusOf } from "../../src/products/air/status.ts";
import type { AirEvent, WaybillStatement } from "../../src/products/air/timeline/air-event.ts";
import { after, answer, event, flight, linesOf, message, part } from "./statements.ts";

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

  test("that show what was handed out to be of fewer pieces take the delivery back", () => {
    assert.equal(after(...inTurn(airport(20, 6), door(30, 4), door(40, 2))).status, "arrived");
  });

  test("of more pieces than a shipment has conclude nothing", () => {
    const huge = { pieces: 500_000_000_000, totalPieces: 1_000_000_000_000 };
    const consignment = { origin: "FRA", destination: "SIN", pieces: 1_000_000_000_000 };
    assert.equal(
      statusOf([airport(20, 5, huge), door(40, 5, huge)], consignment, Infinity).status,
      "arrived",
    );
  });
});
