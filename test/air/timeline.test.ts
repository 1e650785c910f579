import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { AirEvent } from "../../src/products/air/timeline/air-event.ts";
import { timelineOf } from "../../src/products/air/timeline/timeline.ts";
import { event, flight, hour, part, recorded } from "./statements.ts";

describe("the timeline of a waybill", () => {
  test("an event whose time is corrected is there once", () => {
    const [only, ...more] = timelineOf([event("RCS", "FRA", 1), event("RCS", "FRA", 2)], 10);
    assert.deepEqual([only?.at, more], [hour(2), []]);
  });

  test("departures from one station by two flights are two", () => {
    const reported = [event("DEP", "FRA", 2, flight("8001")), event("DEP", "FRA", 2, flight("8003"))];
    assert.equal(timelineOf(reported, 10).length, 2);
  });

  test("parts that together are no more than the whole stay apart", () => {
    const reported = [event("RCS", "FRA", 1, part(4)), event("RCS", "FRA", 2, part(4))];
    assert.equal(timelineOf(reported, 10).length, 2);
    const corrected = timelineOf([...reported, event("RCS", "FRA", 3, part(4))], 10);
    assert.deepEqual(
      corrected.map(({ at }) => at),
      [hour(2), hour(3)],
    );
  });

  test("a corrected part removes no part of another size", () => {
    const of = (totalPieces: number, pieces: number) => ({ ...part(pieces), totalPieces });
    const delivered = [1, 1, 24].map((pieces, at) => event("DLV", "FRA", 3 * at + 1, of(26, pieces)));
    const corrected = event("DLV", "FRA", 10, of(26, 24));
    const kept = timelineOf([...delivered, corrected], 26);
    assert.deepEqual(
      kept.map((made) => made.pieces),
      [1, 1, 24],
    );
    const reported = [3, 13, 13, 3, 3].map((pieces, at) => event("DDL", "FRA", 3 * at + 1, of(22, pieces)));
    assert.deepEqual(
      timelineOf(reported, 22).map((made) => made.pieces),
      [3, 13, 3, 3],
    );
  });

  test("the whole replaces its parts", () => {
    const whole = event("RCS", "FRA", 3, { pieces: 10, shipmentPart: "total" });
    assert.deepEqual(timelineOf([event("RCS", "FRA", 1, part(4)), whole], 10), [whole]);
  });

  test("a planned event goes once it has happened", () => {
    const planned = event("DEP", "FRA", 2, { ...flight("8001"), planned: true });
    const made = event("DEP", "FRA", 3, flight("8001"));
    assert.deepEqual(timelineOf([planned], 10), [planned]);
    assert.deepEqual(timelineOf([planned, made], 10), [made]);
    const other = event("DEP", "FRA", 3, flight("8003"));
    assert.equal(timelineOf([planned, other], 10).length, 2);
  });

  test("events of one time are in the order of handling", () => {
    const codes = ["DLV", "NFD", "RCF", "ARR", "DEP", "MAN", "RCS", "BKD"] as const;
    const reported = timelineOf(
      codes.map((code) => event(code, "FRA", 1)),
      10,
    );
    assert.deepEqual(
      reported.map(({ code }) => code),
      codes.toReversed(),
    );
  });

  test("an event without a time is at the time of its flight", () => {
    const booked = event("BKD", "FRA", null, { departure: hour(5) });
    const reported = timelineOf([event("DEP", "FRA", 6), booked, event("RCS", "FRA", 1)], 10);
    assert.deepEqual(
      reported.map(({ code }) => code),
      ["RCS", "BKD", "DEP"],
    );
  });
});

describe("one event that two sources report", () => {
  const flown = (date: string | null) => ({ flight: { carrier: "8Q", number: "1234", date } });
  const full = (minutes: number, more: Partial<AirEvent> = {}): AirEvent =>
    event("RCF", "SIN", minutes / 60, { ...flown("2026-11-01"), from: "FRA", to: "SIN", ...more });
  const bare = (minutes: number, more: Partial<AirEvent> = {}): AirEvent =>
    event("RCF", "SIN", minutes / 60, { ...flown(null), to: "SIN", ...more });
  const inBothOrders = (...reported: readonly AirEvent[]): readonly AirEvent[] => {
    const timeline = timelineOf(reported, 10);
    assert.deepEqual(timelineOf(reported.toReversed(), 10), timeline);
    return timeline;
  };

  test("is there once, with all fields, although each source omits some", () => {
    const [only, ...more] = inBothOrders(full(600, part(4)), bare(600, part(4)));
    assert.deepEqual([only?.flight?.date, only?.from, more], ["2026-11-01", "FRA", []]);
    assert.equal(inBothOrders(full(600, part(4)), bare(600)).length, 1, "pieces that one leaves out");
    assert.equal(
      inBothOrders(full(600), event("RCF", "SIN", 10)).length,
      1,
      "the flight that one leaves out",
    );
    const exact = full(600, { at: { ...hour(10), ms: hour(10).ms + 25_000 } });
    assert.equal(inBothOrders(exact, bare(600)).length, 1, "seconds that one leaves out");
    const found = { discrepancy: "FDCA" };
    const discrepancies = [full(600, found), bare(600, found)].map((one) => ({
      ...one,
      code: "DIS" as const,
    }));
    assert.equal(inBothOrders(...discrepancies).length, 1);
  });

  test("with other pieces, flights or minutes is another event", () => {
    assert.equal(inBothOrders(full(600, part(4)), bare(600, part(3))).length, 2);
    const other = { ...bare(600, part(4)), flight: { carrier: "8Q", number: "1236", date: null } };
    assert.equal(inBothOrders(full(600, part(4)), other).length, 2);
    assert.equal(inBothOrders(full(600, part(4)), bare(660, part(4))).length, 2);
    assert.equal(inBothOrders(full(600, { from: "DXB" }), bare(600, { from: "FRA" })).length, 2);
  });

  test("has the corrected time, even if only one source corrects it", () => {
    const timeline = inBothOrders(full(700), bare(600), bare(700));
    assert.deepEqual(
      timeline.map(({ at }) => at?.ms),
      [hour(700 / 60).ms],
    );
  });

  test("is one departure after midnight, dated by the schedule or by the clock", () => {
    const left = (date: string) => event("DEP", "FRA", 24.5, { ...flown(date), from: "FRA", to: "SIN" });
    const [only, ...more] = inBothOrders(left("2026-11-01"), left("2026-11-02"));
    assert.deepEqual([only?.flight?.date, more], ["2026-11-01", []]);
    const nextDay = { ...left("2026-11-02"), at: hour(44) };
    assert.equal(inBothOrders(left("2026-11-01"), nextDay).length, 2, "the same number flies every day");
  });
});

describe("a part that leaves by a flight", () => {
  const leg = { ...flight("8001"), from: "FRA", to: "SIN", ...part(3) };

  test("leaves and arrives once, at the time reported last", () => {
    for (const code of ["MAN", "DEP", "ARR"] as const) {
      const reported = [event(code, "FRA", 17.1, leg), event(code, "FRA", 17.9, leg)];
      assert.deepEqual(
        timelineOf(reported, 10).map(({ at }) => at),
        [hour(17.9)],
        code,
      );
    }
    const undated = { ...leg, flight: { carrier: "LH", number: "8001", date: null } };
    assert.equal(
      timelineOf([event("ARR", "SIN", 5, undated), event("ARR", "SIN", 6, undated)], 10).length,
      1,
    );
    assert.equal(
      timelineOf([event("ARR", "SIN", 5, undated), event("ARR", "SIN", 29, undated)], 10).length,
      2,
    );
  });

  test("is another part if its pieces, its flight or its day differ", () => {
    const first = event("DEP", "FRA", 2, leg);
    const others = [{ pieces: 2 }, flight("8003"), flight("8001", "2026-11-02")];
    for (const other of others) {
      assert.equal(timelineOf([first, event("DEP", "FRA", 3, { ...leg, ...other })], 10).length, 2);
    }
  });

  test("may be received in two lots, which are two", () => {
    assert.equal(timelineOf([event("RCF", "SIN", 5, leg), event("RCF", "SIN", 6, leg)], 10).length, 2);
  });
});

describe("an event without a time", () => {
  const codesOf = (...reported: readonly AirEvent[]): string =>
    timelineOf(reported, 10)
      .map(({ code, station }) => `${code} ${station}`)
      .join(", ");

  test("stands at its station, after inbound and before outbound events", () => {
    const reported = [
      event("RCS", "FRA", 1),
      event("ARR", "DXB", 9),
      event("TFD", "DXB", 12),
      event("NFD", "SIN", 30),
    ];
    assert.equal(
      codesOf(event("TRM", "DXB", null), ...reported),
      "RCS FRA, ARR DXB, TRM DXB, TFD DXB, NFD SIN",
    );
    const onward = [event("RCS", "FRA", 1), event("RCF", "DXB", 9), event("DEP", "DXB", 12)];
    assert.equal(codesOf(event("TRM", "DXB", null), ...onward), "RCS FRA, RCF DXB, TRM DXB, DEP DXB");
    assert.equal(codesOf(event("TRM", "DXB", null), ...onward.slice(0, 2)), "RCS FRA, RCF DXB, TRM DXB");
    assert.equal(codesOf(event("TFD", "DXB", 12), event("TRM", "DXB", null)), "TRM DXB, TFD DXB");
  });

  test("stands after the flight to its station if nothing else is known there", () => {
    const reported = [
      event("RCS", "FRA", 1),
      event("DEP", "FRA", 2, { from: "FRA", to: "DXB" }),
      event("DLV", "SIN", 40),
    ];
    assert.equal(codesOf(event("TRM", "DXB", null), ...reported), "RCS FRA, DEP FRA, TRM DXB, DLV SIN");
  });

  test("else stands in the order of handling, and never before the booking", () => {
    const reported = [event("BKD", "FRA", 0), event("RCS", "FRA", 1), event("DLV", "SIN", 40)];
    assert.equal(codesOf(event("TRM", "DXB", null), ...reported), "BKD FRA, RCS FRA, TRM DXB, DLV SIN");
    assert.equal(codesOf(event("NFD", null, null), ...reported), "BKD FRA, RCS FRA, NFD null, DLV SIN");
    assert.equal(codesOf(event("TRM", "DXB", null)), "TRM DXB");
  });
});

describe("what follows from the timeline", () => {
  const booked = event("BKD", "FRA", 0, { ...flight("8001"), from: "FRA", to: "SIN", arrival: hour(15) });

  test("spec 2.6: flight_number is the flight booked until another has taken the cargo", () => {
    assert.equal(recorded([booked]).flightNumber, "LH8001");
    assert.equal(recorded([booked, event("DEP", "FRA", 9, flight("8003"))]).flightNumber, "LH8003");
    assert.equal(recorded([event("RCS", "FRA", 1)]).flightNumber, null);
  });

  test("spec 2.6: eta, eta_is_actual: the announced arrival at the destination, then the actual one", () => {
    assert.equal(recorded([event("RCS", "FRA", 1)]).eta, null);
    assert.deepEqual(recorded([booked]).eta, { at: hour(15), actual: false });
    const later = event("DEP", "FRA", 9, { ...flight("8003"), from: "FRA", to: "SIN", arrival: hour(22) });
    assert.deepEqual(recorded([booked, later]).eta, { at: hour(22), actual: false });
    const arrived = recorded([booked, later, event("ARR", "SIN", 23)]);
    assert.deepEqual(arrived.eta, { at: hour(23), actual: true });
  });

  test("a leg to another airport gives no ETA", () => {
    const leg = event("DEP", "FRA", 2, { ...flight("1"), from: "FRA", to: "DXB", arrival: hour(8) });
    assert.equal(recorded([leg]).eta, null);
  });

  test("the origin is where the cargo was received if no message names it", () => {
    const { origin } = recorded([event("RCS", "FRA", 1)], null, { origin: null });
    assert.equal(origin, "FRA");
  });
});
