import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { AirEvent } from "../../src/products/air/timeline/air-event.ts";
import { timelineOf } from "../../src/products/air/timeline/timeline.ts";
import { event, flight, FRA_SIN, hour, hoursOf, inEveryOrder, part } from "./statements.ts";
import { column } from "../support/columns.ts";

const timesOf = (events: readonly AirEvent[]): readonly number[] => events.map(({ at }) => hoursOf(at!));

describe("the timeline of a waybill", () => {
  const planned = event("DEP", "FRA", 2, { ...flight("8001"), planned: true });
  const left = event("DEP", "FRA", 3, flight("8001"));
  const whole = event("RCS", "FRA", 3, { pieces: 10, shipmentPart: "total" });
  for (const [what, reported, hours] of [
    ["a time is corrected", [event("RCS", "FRA", 1), event("RCS", "FRA", 2)], [2]],
    [
      "two flights leave one station",
      [event("DEP", "FRA", 2, flight("8001")), event("DEP", "FRA", 2, flight("8003"))],
      [2, 2],
    ],
    ["parts are no more than the whole", [1, 2].map((at) => event("RCS", "FRA", at, part(4))), [1, 2]],
    ["parts are more than the whole", [1, 2, 3].map((at) => event("RCS", "FRA", at, part(4))), [2, 3]],
    ["the whole replaces its parts", [event("RCS", "FRA", 1, part(4)), whole], [3]],
    ["nothing has happened but is planned", [planned], [2]],
    ["what was planned has happened", [planned, left], [3]],
    ["another flight than planned has left", [planned, { ...left, ...flight("8003") }], [2, 3]],
    [
      "one is reported with fewer and with more fields",
      [{ pieces: 10 }, { pieces: 10, weightKg: 5 }, {}].map((more) => event("RCS", "FRA", 1, more)),
      [1],
    ],
    [
      "the same happens at three stations",
      ["SIN", "DXB", "BKK"].map((station) => event("ARR", station, 3)),
      [3, 3, 3],
    ],
  ] as const) {
    test(`where ${what}, in every order of reports`, () =>
      assert.deepEqual(timesOf(inEveryOrder(...reported)), hours));
  }

  test("a corrected part removes no part of another size", () => {
    for (const [code, all, reported, kept] of [
      ["DLV", 26, [1, 1, 24, 24], [1, 1, 24]],
      ["DDL", 22, [3, 13, 13, 3, 3], [3, 13, 3, 3]],
    ] as const) {
      const parts = reported.map((pieces, at) =>
        event(code, "FRA", 3 * at + 1, { ...part(pieces), totalPieces: all }),
      );
      assert.deepEqual(column(timelineOf(parts, all), "pieces"), kept);
    }
  });

  const made = event("DEP", "FRA", 5, { ...flight("8001"), ...FRA_SIN });
  const carrier = { flight: { carrier: "EK", number: "8001", date: "2026-11-01" } };
  for (const [what, other] of [
    ["station", { station: "DXB" }],
    ["flight's carrier", carrier],
    ["airport to which it goes", { to: "DXB" }],
    ["airport from which it comes", { from: "MUC" }],
    ["discrepancy", { discrepancy: "MSCA" }],
  ] as const) {
    test(`events of another ${what} stay apart`, () =>
      assert.equal(inEveryOrder(made, { ...made, ...other, at: hour(6) }).length, 2));
  }

  test("fields that would join to the same text stay apart", () => {
    const one = event("DIS", "FRA", 5, { from: "AB", to: "C" });
    assert.equal(inEveryOrder(one, { ...one, at: hour(9), from: "A", to: "BC" }).length, 2);
  });
});

describe("one event that two sources report", () => {
  const flown = (date: string | null, number = "1234") => ({ flight: { carrier: "8Q", number, date } });
  const full = (at: number, more: Partial<AirEvent> = {}): AirEvent =>
    event("RCF", "SIN", at, { ...flown("2026-11-01"), ...FRA_SIN, ...more });
  const bare = (at: number, more: Partial<AirEvent> = {}): AirEvent =>
    event("RCF", "SIN", at, { ...flown(null), to: "SIN", ...more });
  const found = { code: "DIS", discrepancy: "FDCA" } as const;
  const left = (date: string, at = 24.5) => event("DEP", "FRA", at, { ...flown(date), ...FRA_SIN });

  test("is there once, with all fields, although each source omits some", () => {
    const [only, ...more] = inEveryOrder(full(10, part(4)), bare(10, part(4)));
    assert.deepEqual([only?.flight?.date, only?.from, more], ["2026-11-01", "FRA", []]);
  });

  for (const [what, count, reported] of [
    ["pieces that one leaves out", 1, [full(10, part(4)), bare(10)]],
    ["the flight that one leaves out", 1, [full(10), event("RCF", "SIN", 10)]],
    ["seconds that one leaves out", 1, [full(10 + 25 / 3_600), bare(10)]],
    ["a discrepancy", 1, [full(10, found), bare(10, found)]],
    ["other pieces", 2, [full(10, part(4)), bare(10, part(3))]],
    ["another flight", 2, [full(10, part(4)), bare(10, { ...part(4), ...flown(null, "1236") })]],
    ["another minute", 2, [full(10, part(4)), bare(11, part(4))]],
    ["another origin", 2, [full(10, { from: "DXB" }), bare(10, { from: "FRA" })]],
    ["the same number the next day", 2, [left("2026-11-01"), left("2026-11-02", 44)]],
  ] as const) {
    test(`with ${what} is ${count}`, () => assert.equal(inEveryOrder(...reported).length, count));
  }

  test("has the corrected time, even if only one source corrects it", () =>
    assert.deepEqual(timesOf(inEveryOrder(full(12), bare(10), bare(12))), [12]));

  test("is one departure after midnight, dated by the schedule or by the clock", () => {
    const [only, ...more] = inEveryOrder(left("2026-11-01"), left("2026-11-02"));
    assert.deepEqual([only?.flight?.date, more], ["2026-11-01", []]);
  });
});

describe("a part that leaves by a flight", () => {
  const leg = { ...flight("8001"), ...FRA_SIN, ...part(3) };
  const undated = { ...leg, flight: { carrier: "LH", number: "8001", date: null } };
  const first = event("DEP", "FRA", 2, leg);
  for (const [what, hours, reported] of [
    ...(["MAN", "DEP", "ARR"] as const).map(
      (code) =>
        [
          `has its ${code} once, at the time reported last`,
          [17.9],
          [17.1, 17.9].map((at) => event(code, "FRA", at, leg)),
        ] as const,
    ),
    ["arrives once on one day", [6], [5, 6].map((at) => event("ARR", "SIN", at, undated))],
    ["is another on another day", [5, 29], [5, 29].map((at) => event("ARR", "SIN", at, undated))],
    ["is another of other pieces", [2, 3], [first, event("DEP", "FRA", 3, { ...leg, pieces: 2 })]],
    ["is another by another flight", [2, 3], [first, event("DEP", "FRA", 3, { ...leg, ...flight("8003") })]],
    [
      "is another by the flight of another day",
      [2, 3],
      [first, event("DEP", "FRA", 3, { ...leg, ...flight("8001", "2026-11-02") })],
    ],
    ["may be received in two lots", [5, 6], [5, 6].map((at) => event("RCF", "SIN", at, leg))],
  ] as const) {
    test(what, () => assert.deepEqual(timesOf(inEveryOrder(...reported)), hours));
  }
});

/** Nearer, deliveries alike may be one whose time was corrected. */
const CORRECTION_HOURS = 3;

describe("deliveries of parts", () => {
  /** `5@1`: five pieces, at one times the hours. */
  const parts = (written: string) =>
    written.split(" ").map((one) => {
      const [count = 0, at = 0] = one.split("@").map(Number);
      return event("DLV", "SIN", at * CORRECTION_HOURS, part(count));
    });
  const written = (events: readonly AirEvent[]) =>
    events.map(({ pieces, at }) => `${pieces}@${hoursOf(at!) / CORRECTION_HOURS}`).join(" ");

  for (const [what, reported, kept] of [
    ["half of the whole may be two", "5@1 5@2", "5@1 5@2"],
    ["more than half are one, as reported last", "6@1 6@2", "6@2"],
    ["more than half are one, beside others", "6@1 4@2 6@3", "4@2 6@3"],
    ["too many lose the one whose removal leaves the whole", "2@1 3@2 2@3 3@4 2@5", "3@2 2@3 3@4 2@5"],
    [
      "too many lose one of the largest, where none leaves the whole",
      "2@1 2@2 3@3 3@4 1@5",
      "2@1 2@2 3@4 1@5",
    ],
    ["too many lose the largest that leaves the whole", "4@1 3@2 4@3 3@4", "3@2 4@3 3@4"],
    ["too many lose the one nearest to one said later", "3@1 3@5 3@6 4@7", "3@1 3@6 4@7"],
    ["all pieces are the whole", "10@1 10@2", "10@2"],
    ["all pieces are the whole, beside a part", "4@1 10@2", "10@2"],
  ] as const) {
    test(what, () => assert.equal(written(timelineOf(parts(reported), 10)), kept));
  }

  test("two thousand in one message lose those beyond the whole", () => {
    const said = { ms: 1, messages: ["one"], answers: [] };
    const many = Array.from({ length: 2_000 }, (_, at) => event("DLV", "SIN", at, { ...part(3), said }));
    assert.equal(timelineOf(many, 5_000).length, 1_666);
  });
});

/** As `CODE STATION`, in every order of the reports. */
function codesOf(...reported: readonly AirEvent[]): string {
  const timeline = inEveryOrder(...reported);
  return timeline.map(({ code, station }) => `${code} ${station}`).join(", ");
}

test("events of one time are in the order of handling", () => {
  const codes = ["DLV", "NFD", "RCF", "ARR", "DEP", "MAN", "RCS", "BKD"] as const;
  const reported = codes.map((code) => event(code, "FRA", 1));
  assert.deepEqual(column(timelineOf(reported, 10), "code"), codes.toReversed());
});

describe("an event without a time", () => {
  const transferred = event("TRM", "DXB", null);
  const [accepted, delivered] = [event("RCS", "FRA", 1), event("DLV", "SIN", 40)];
  const onward = [accepted, event("RCF", "DXB", 9), event("DEP", "DXB", 12)];
  for (const [what, reported, codes] of [
    [
      "stands at its station, after inbound and before outbound events",
      [transferred, accepted, event("ARR", "DXB", 9), event("TFD", "DXB", 12), event("NFD", "SIN", 30)],
      "RCS FRA, ARR DXB, TRM DXB, TFD DXB, NFD SIN",
    ],
    ["stands before a departure", [transferred, ...onward], "RCS FRA, RCF DXB, TRM DXB, DEP DXB"],
    ["stands after a receipt", [transferred, ...onward.slice(0, 2)], "RCS FRA, RCF DXB, TRM DXB"],
    ["stands before the transfer", [event("TFD", "DXB", 12), transferred], "TRM DXB, TFD DXB"],
    [
      "stands after the flight to its station if nothing else is known there",
      [transferred, accepted, event("DEP", "FRA", 2, { from: "FRA", to: "DXB" }), delivered],
      "RCS FRA, DEP FRA, TRM DXB, DLV SIN",
    ],
    [
      "else stands in the order of handling, and never before the booking",
      [transferred, event("BKD", "FRA", 0), accepted, delivered],
      "BKD FRA, RCS FRA, TRM DXB, DLV SIN",
    ],
    [
      "at no station stands in the order of handling",
      [event("NFD", null, null), event("BKD", "FRA", 0), accepted, delivered],
      "BKD FRA, RCS FRA, NFD null, DLV SIN",
    ],
    ["may be alone", [transferred], "TRM DXB"],
    [
      "stands among others without one",
      [transferred, event("NFD", "DXB", null), event("DLV", "DXB", null), event("RCF", "DXB", 3)],
      "RCF DXB, TRM DXB, NFD DXB, DLV DXB",
    ],
    [
      "is at the time of its flight",
      [event("DEP", "FRA", 6), event("BKD", "FRA", null, { departure: hour(5) }), accepted],
      "RCS FRA, BKD FRA, DEP FRA",
    ],
  ] as const) {
    test(what, () => assert.equal(codesOf(...reported), codes));
  }
});

describe("a day without a time", () => {
  const DAY = 24;
  const left = event("DEP", "FRA", DAY, { from: "FRA", to: "DXB" });
  const received = event("RCF", "DXB", DAY);
  for (const [what, reported, codes] of [
    ["is after what must precede it on that day", [left, event("RCS", "FRA", DAY + 14)], "RCS FRA, DEP FRA"],
    ["is after the flight's time", [received, { ...left, at: hour(DAY + 9) }], "DEP FRA, RCF DXB"],
    [
      "is after a chain of others",
      [event("NFD", "DXB", DAY), received, left, event("RCS", "FRA", DAY + 7)],
      "RCS FRA, DEP FRA, RCF DXB, NFD DXB",
    ],
    [
      "is before what happens later on it, and after the day before",
      [{ ...left, to: "SIN" }, event("ARR", "SIN", DAY + 15), event("RCS", "FRA", 9)],
      "RCS FRA, DEP FRA, ARR SIN",
    ],
    [
      "is before what it precedes",
      [event("RCS", "FRA", DAY), { ...left, at: hour(DAY + 3) }],
      "RCS FRA, DEP FRA",
    ],
  ] as const) {
    test(what, () => assert.equal(codesOf(...reported), codes));
  }
});
