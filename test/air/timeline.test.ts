import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { timelineOf } from "../../src/producers/air/timeline.ts";
import { event, flight, hour, part, recorded } from "./said.ts";

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
