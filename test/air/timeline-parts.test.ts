/** The timeline of a waybill does not depend on the order of reports; parts and meanings, case by case. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { AirEvent } from "../../src/products/air/timeline/air-event.ts";
import { timelineOf } from "../../src/products/air/timeline/timeline.ts";
import { event, flight, hour, part } from "./statements.ts";
import { processorMs } from "../support/processor-time.ts";

describe("the timeline is the same for every order of reports", () => {
  const cases: Readonly<Record<string, readonly AirEvent[]>> = {
    "an event that is put right to an earlier time": [event("RCS", "FRA", 2), event("RCS", "FRA", 1)],
    "one reported with fewer and with more fields": [
      event("RCS", "FRA", 1, { pieces: 10 }),
      event("RCS", "FRA", 1, { pieces: 10, weightKg: 5 }),
      event("RCS", "FRA", 1),
    ],
    "parts that are corrected": [1, 2, 3].map((at) => event("RCS", "FRA", at, part(4))),
    "those without a time": [
      event("TRM", "DXB", null),
      event("NFD", "DXB", null),
      event("DLV", "DXB", null),
      event("RCF", "DXB", 3),
    ],
    "two in one moment": [event("MAN", "FRA", 3), event("DEP", "FRA", 3), event("RCS", "FRA", 3)],
    "the same at two stations": [event("ARR", "SIN", 3), event("ARR", "DXB", 3), event("ARR", "BKK", 3)],
  };
  for (const [what, reported] of Object.entries(cases)) {
    test(what, () => {
      const expected = timelineOf(reported, 10);
      for (const order of permutations(reported)) assert.deepEqual(timelineOf(order, 10), expected);
    });
  }
});

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

describe("events of different meaning stay apart", () => {
  const made = event("DEP", "FRA", 5, { ...flight("8001"), from: "FRA", to: "SIN" });
  for (const [what, other] of [
    ["of another station", { ...made, station: "DXB" }],
    [
      "of another flight's carrier",
      { ...made, flight: { carrier: "EK", number: "8001", date: "2026-11-01" } },
    ],
    ["to another airport", { ...made, to: "DXB" }],
    ["from another airport", { ...made, from: "MUC" }],
    ["with a discrepancy", { ...made, discrepancy: "MSCA" }],
  ] as const) {
    test(what, () => assert.equal(timelineOf([made, { ...other, at: hour(6) }], 10).length, 2));
  }

  test("fields that would join to the same text stay apart", () => {
    const one = event("DIS", "FRA", 5, { from: "AB", to: "C" });
    assert.equal(timelineOf([one, { ...one, at: hour(9), from: "A", to: "BC" }], 10).length, 2);
  });
});

/** Nearer, deliveries alike may be one whose time was corrected. */
const CORRECTION_HOURS = 3;

describe("parts", () => {
  const pieces = (...reported: readonly (readonly [count: number, at: number, total?: number])[]) =>
    timelineOf(
      reported.map(([count, at, total = 10]) =>
        event("DLV", "SIN", at * CORRECTION_HOURS, { ...part(count), totalPieces: total }),
      ),
      10,
    ).map((one) => `${one.pieces}@${(one.at!.ms - hour(0).ms) / 3_600_000 / CORRECTION_HOURS}`);

  test("of half of the whole may be two", () => {
    assert.deepEqual(pieces([5, 1], [5, 2]), ["5@1", "5@2"]);
  });

  test("of more than half are one, as reported last", () => {
    assert.deepEqual(pieces([6, 1], [6, 2]), ["6@2"]);
    assert.deepEqual(pieces([6, 1], [4, 2], [6, 3]), ["4@2", "6@3"]);
  });

  test("that are too many lose the one whose removal leaves the whole, else the largest", () => {
    assert.deepEqual(pieces([2, 1], [3, 2], [2, 3], [3, 4], [2, 5]), ["3@2", "2@3", "3@4", "2@5"]);
    assert.deepEqual(pieces([4, 1], [3, 2], [4, 3], [3, 4]), ["3@2", "4@3", "3@4"]);
  });

  test("that are too many lose the one nearest in time to one said later", () => {
    assert.deepEqual(pieces([3, 1], [3, 5], [3, 6], [4, 7]), ["3@1", "3@6", "4@7"]);
  });

  test("in one message of two thousand take seconds at most", () => {
    const saidAtOnce = { ms: 1, messages: ["one"], answers: [] };
    const said = Array.from({ length: 2_000 }, (_, at) =>
      event("DLV", "SIN", at, { ...part(3), said: saidAtOnce }),
    );
    const ms = processorMs(() => assert.equal(timelineOf(said, 5_000).length, 1_666));
    assert.ok(ms < 5_000, `${ms} ms`);
  });

  test("with all pieces are the whole", () => {
    assert.equal(pieces([10, 1], [10, 2]).length, 1);
    assert.equal(pieces([4, 1], [10, 2]).length, 1);
  });
});
