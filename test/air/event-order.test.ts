/** The order of events in a timeline, whatever the order of the reports. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { AirEvent } from "../../src/products/air/timeline/air-event.ts";
import { timelineOf } from "../../src/products/air/timeline/timeline.ts";
import { event, hour, inEveryOrder } from "./statements.ts";

/** As `CODE STATION`, in every order of the reports. */
function codesOf(...reported: readonly AirEvent[]): string {
  const timeline = inEveryOrder(...reported);
  return timeline.map(({ code, station }) => `${code} ${station}`).join(", ");
}

test("events of one time are in the order of handling", () => {
  const codes = ["DLV", "NFD", "RCF", "ARR", "DEP", "MAN", "RCS", "BKD"] as const;
  const reported = codes.map((code) => event(code, "FRA", 1));
  assert.deepEqual(
    timelineOf(reported, 10).map(({ code }) => code),
    codes.toReversed(),
  );
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
