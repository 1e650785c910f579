import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { AirEvent } from "../../src/products/air/timeline/air-event.ts";
import { timelineOf } from "../../src/products/air/timeline/timeline.ts";
import { event, flight, hour, part, recorded } from "./statements.ts";

describe("the timeline of a waybill", () => {
  test("a happening whose time is put right is there once", () => {
    const [only, ...more] = timelineOf([event("RCS", "FRA", 1), event("RCS", "FRA", 2)], 10);
    assert.deepEqual([only?.at, more], [hour(2), []]);
  });

  test("one station's departures by two flights are two", () => {
    const told = [event("DEP", "FRA", 2, flight("8001")), event("DEP", "FRA", 2, flight("8003"))];
    assert.equal(timelineOf(told, 10).length, 2);
  });

  test("parts that together are no more than the whole happened each by itself", () => {
    const told = [event("RCS", "FRA", 1, part(4)), event("RCS", "FRA", 2, part(4))];
    assert.equal(timelineOf(told, 10).length, 2);
    const corrected = timelineOf([...told, event("RCS", "FRA", 3, part(4))], 10);
    assert.deepEqual(
      corrected.map(({ at }) => at),
      [hour(2), hour(3)],
    );
  });

  test("a corrected part takes no true part of another size away", () => {
    const of = (totalPieces: number, pieces: number) => ({ ...part(pieces), totalPieces });
    const delivered = [1, 1, 24].map((pieces, at) => event("DLV", "FRA", at + 1, of(26, pieces)));
    const corrected = event("DLV", "FRA", 4, of(26, 24));
    const kept = timelineOf([...delivered, corrected], 26);
    assert.deepEqual(
      kept.map((made) => made.pieces),
      [1, 1, 24],
    );
    const told = [3, 13, 13, 3, 3].map((pieces, at) => event("DDL", "FRA", at + 1, of(22, pieces)));
    assert.deepEqual(
      timelineOf(told, 22).map((made) => made.pieces),
      [3, 13, 3, 3],
    );
  });

  test("the whole takes the place of its parts", () => {
    const whole = event("RCS", "FRA", 3, { pieces: 10, shipmentPart: "total" });
    assert.deepEqual(timelineOf([event("RCS", "FRA", 1, part(4)), whole], 10), [whole]);
  });

  test("a plan that has come true is one no longer", () => {
    const planned = event("DEP", "FRA", 2, { ...flight("8001"), planned: true });
    const made = event("DEP", "FRA", 3, flight("8001"));
    assert.deepEqual(timelineOf([planned], 10), [planned]);
    assert.deepEqual(timelineOf([planned, made], 10), [made]);
    const other = event("DEP", "FRA", 3, flight("8003"));
    assert.equal(timelineOf([planned, other], 10).length, 2);
  });

  test("what happens in one moment is in the order in which cargo is handled", () => {
    const codes = ["DLV", "NFD", "RCF", "ARR", "DEP", "MAN", "RCS", "BKD"] as const;
    const told = timelineOf(
      codes.map((code) => event(code, "FRA", 1)),
      10,
    );
    assert.deepEqual(
      told.map(({ code }) => code),
      codes.toReversed(),
    );
  });

  test("what has no time stands where its flight does", () => {
    const booked = event("BKD", "FRA", null, { departure: hour(5) });
    const told = timelineOf([event("DEP", "FRA", 6), booked, event("RCS", "FRA", 1)], 10);
    assert.deepEqual(
      told.map(({ code }) => code),
      ["RCS", "BKD", "DEP"],
    );
  });
});

describe("what two sources tell of one happening", () => {
  const flown = (date: string | null) => ({ flight: { carrier: "8Q", number: "1234", date } });
  const full = (minutes: number, more: Partial<AirEvent> = {}): AirEvent =>
    event("RCF", "SIN", minutes / 60, { ...flown("2026-11-01"), from: "FRA", to: "SIN", ...more });
  const bare = (minutes: number, more: Partial<AirEvent> = {}): AirEvent =>
    event("RCF", "SIN", minutes / 60, { ...flown(null), to: "SIN", ...more });
  const inBothOrders = (...told: readonly AirEvent[]): readonly AirEvent[] => {
    const timeline = timelineOf(told, 10);
    assert.deepEqual(timelineOf(told.toReversed(), 10), timeline);
    return timeline;
  };

  test("it is there once, although one leaves out what the other tells, and with all that is told", () => {
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

  test("parts of other sizes, other flights and other minutes are happenings of their own", () => {
    assert.equal(inBothOrders(full(600, part(4)), bare(600, part(3))).length, 2);
    const other = { ...bare(600, part(4)), flight: { carrier: "8Q", number: "1236", date: null } };
    assert.equal(inBothOrders(full(600, part(4)), other).length, 2);
    assert.equal(inBothOrders(full(600, part(4)), bare(660, part(4))).length, 2);
    assert.equal(inBothOrders(full(600, { from: "DXB" }), bare(600, { from: "FRA" })).length, 2);
  });

  test("a time that only one of them puts right is put right", () => {
    const timeline = inBothOrders(full(700), bare(600), bare(700));
    assert.deepEqual(
      timeline.map(({ at }) => at?.ms),
      [hour(700 / 60).ms],
    );
  });

  test("a departure after midnight is one, whether it is dated by the schedule or by the clock", () => {
    const left = (date: string) => event("DEP", "FRA", 24.5, { ...flown(date), from: "FRA", to: "SIN" });
    const [only, ...more] = inBothOrders(left("2026-11-01"), left("2026-11-02"));
    assert.deepEqual([only?.flight?.date, more], ["2026-11-01", []]);
    const nextDay = { ...left("2026-11-02"), at: hour(44) };
    assert.equal(inBothOrders(left("2026-11-01"), nextDay).length, 2, "the same number flies every day");
  });
});

describe("a part that leaves by a flight", () => {
  const leg = { ...flight("8001"), from: "FRA", to: "SIN", ...part(3) };

  test("leaves and arrives once, at the time that was told last", () => {
    for (const code of ["MAN", "DEP", "ARR"] as const) {
      const told = [event(code, "FRA", 17.1, leg), event(code, "FRA", 17.9, leg)];
      assert.deepEqual(
        timelineOf(told, 10).map(({ at }) => at),
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

  test("is another where its pieces, its flight or its day are others", () => {
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

describe("what has no time", () => {
  const codesOf = (...told: readonly AirEvent[]): string =>
    timelineOf(told, 10)
      .map(({ code, station }) => `${code} ${station}`)
      .join(", ");

  test("stands at its station, behind what came in and before what went out", () => {
    const told = [
      event("RCS", "FRA", 1),
      event("ARR", "DXB", 9),
      event("TFD", "DXB", 12),
      event("NFD", "SIN", 30),
    ];
    assert.equal(codesOf(event("TRM", "DXB", null), ...told), "RCS FRA, ARR DXB, TRM DXB, TFD DXB, NFD SIN");
    const onward = [event("RCS", "FRA", 1), event("RCF", "DXB", 9), event("DEP", "DXB", 12)];
    assert.equal(codesOf(event("TRM", "DXB", null), ...onward), "RCS FRA, RCF DXB, TRM DXB, DEP DXB");
    assert.equal(codesOf(event("TRM", "DXB", null), ...onward.slice(0, 2)), "RCS FRA, RCF DXB, TRM DXB");
    assert.equal(codesOf(event("TFD", "DXB", 12), event("TRM", "DXB", null)), "TRM DXB, TFD DXB");
  });

  test("stands behind the flight that went to its station where nothing else is told of it", () => {
    const told = [
      event("RCS", "FRA", 1),
      event("DEP", "FRA", 2, { from: "FRA", to: "DXB" }),
      event("DLV", "SIN", 40),
    ];
    assert.equal(codesOf(event("TRM", "DXB", null), ...told), "RCS FRA, DEP FRA, TRM DXB, DLV SIN");
  });

  test("stands where cargo is handled so where nothing else tells, and never before the booking", () => {
    const told = [event("BKD", "FRA", 0), event("RCS", "FRA", 1), event("DLV", "SIN", 40)];
    assert.equal(codesOf(event("TRM", "DXB", null), ...told), "BKD FRA, RCS FRA, TRM DXB, DLV SIN");
    assert.equal(codesOf(event("NFD", null, null), ...told), "BKD FRA, RCS FRA, NFD null, DLV SIN");
    assert.equal(codesOf(event("TRM", "DXB", null)), "TRM DXB");
  });
});

describe("what follows from the timeline", () => {
  const booked = event("BKD", "FRA", 0, { ...flight("8001"), from: "FRA", to: "SIN", arrival: hour(15) });

  test("the flight is the one booked until another has taken the cargo", () => {
    assert.equal(recorded([booked]).flightNumber, "LH8001");
    assert.equal(recorded([booked, event("DEP", "FRA", 9, flight("8003"))]).flightNumber, "LH8003");
    assert.equal(recorded([event("RCS", "FRA", 1)]).flightNumber, null);
  });

  test("the ETA is what is announced of the destination, then when it arrived", () => {
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

  test("the origin is where it was received when no message names it", () => {
    const { origin } = recorded([event("RCS", "FRA", 1)], null, { origin: null });
    assert.equal(origin, "FRA");
  });
});
