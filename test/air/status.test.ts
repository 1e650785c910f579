import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { AirEvent } from "../../src/products/air/timeline/air-event.ts";
import { event, flight, part, recorded } from "./statements.ts";

function status(events: readonly AirEvent[]): string {
  return recorded(events).status;
}

describe("the status of a waybill", () => {
  test("it is unknown without an event that moves it", () => {
    assert.equal(status([]), "unknown");
    assert.equal(status([event("DIS", "FRA", 1, { discrepancy: "MSCA" })]), "unknown");
    assert.equal(status([event("AWD", "SIN", 1)]), "unknown");
    assert.equal(recorded([]).statusBy, null);
  });

  for (const code of ["BKD", "FOH", "PRE", "MAN"] as const) {
    test(`${code} books it`, () => assert.equal(status([event(code, "FRA", 1)]), "booked"));
  }

  test("spec 6.4: awb_accepted by RCS and RCT", () => {
    assert.equal(status([event("RCS", "FRA", 1)]), "accepted");
    assert.equal(status([event("RCT", "FRA", 1)]), "accepted");
  });

  test("no handling at the origin before the departure puts it in transit", () => {
    const codes = ["RCS", "PRE", "MAN", "TRM", "TFD", "RCT", "DIS", "CCD"] as const;
    assert.equal(status(codes.map((code, hours) => event(code, "FRA", hours))), "accepted");
  });

  test("a discrepancy never changes it", () => {
    const life = [
      event("RCS", "FRA", 1),
      event("DEP", "FRA", 2),
      event("RCF", "SIN", 16),
      event("NFD", "SIN", 17),
    ];
    for (const [index, wanted] of ["accepted", "in_transit", "arrived", "available"].entries()) {
      const last = event("DIS", "SIN", 20, { discrepancy: "OFLD", pieces: 10, shipmentPart: "total" });
      assert.equal(status([...life.slice(0, index + 1), last]), wanted);
    }
  });

  test("spec 6.4: awb_in_transit by a departure, or by any event at a transit station", () => {
    assert.equal(status([event("DEP", "FRA", 2)]), "in_transit");
    for (const code of ["ARR", "FIW", "RCF", "MAN", "FOW", "RCT", "TFD", "DEP"] as const) {
      assert.equal(status([event("RCS", "FRA", 1), event(code, "DXB", 3)]), "in_transit", code);
    }
  });

  test("cargo that is only to be transferred is where it was", () => {
    assert.equal(status([event("RCS", "FRA", 1), event("TRM", "DXB", null)]), "accepted");
    assert.equal(status([event("BKD", "FRA", 1), event("TRM", "FRA", null)]), "booked");
  });

  test("a planned event moves nothing", () => {
    assert.equal(status([event("RCS", "FRA", 1), event("DEP", "FRA", 2, { planned: true })]), "accepted");
  });

  test("what comes before the carrier has the cargo is booked", () => {
    for (const code of ["BKD", "DPU", "DOC", "FOH", "PRE"] as const) {
      assert.equal(status([event(code, "FRA", 1)]), "booked", code);
    }
    assert.equal(status([event("RCS", "FRA", 1), event("FOW", "FRA", 3)]), "accepted");
  });

  test("spec 6.4: awb_arrived by ARR, FIW or RCF at the destination, and nowhere else", () => {
    assert.equal(status([event("DEP", "FRA", 2), event("FIW", "DXB", 8)]), "in_transit");
    assert.equal(status([event("DEP", "FRA", 2), event("FIW", "SIN", 16)]), "arrived");
    assert.equal(status([event("DEP", "FRA", 2), event("ARR", "DXB", 8)]), "in_transit");
    assert.equal(status([event("DEP", "FRA", 2), event("RCF", "DXB", 8)]), "in_transit");
    assert.equal(status([event("DEP", "FRA", 2), event("ARR", "SIN", 16)]), "arrived");
    assert.equal(status([event("DEP", "FRA", 2), event("RCF", "SIN", 16)]), "arrived");
    assert.equal(status([event("DEP", "FRA", 2), event("AWR", "SIN", 16)]), "in_transit");
  });

  test("spec 6.4: awb_available once the consignee is notified at the destination", () => {
    const flown = [event("DEP", "FRA", 2), event("RCF", "SIN", 16)];
    assert.equal(status([...flown, event("NFD", "SIN", 17)]), "available");
    assert.equal(status([...flown, event("NFD", null, 17)]), "available");
    assert.equal(status([...flown, event("NFD", "DXB", 17)]), "arrived");
  });

  test("received and cleared at the destination is available, from whichever came last", () => {
    const received = event("RCF", "SIN", 16);
    const late = recorded([received, event("CCD", "SIN", 18)]);
    assert.deepEqual([late.status, late.statusBy?.code], ["available", "CCD"]);
    const early = recorded([received, event("CCD", "SIN", 10)]);
    assert.deepEqual([early.status, early.statusBy?.code], ["available", "RCF"]);
    assert.equal(status([received, event("CCD", "DXB", 18)]), "arrived");
    assert.equal(status([event("ARR", "SIN", 16), event("CCD", "SIN", 18)]), "arrived");
    assert.equal(status([received, event("CRC", "SIN", 18), event("TGC", "SIN", 18)]), "arrived");
  });

  test("the earlier of a notification and a clearance makes it available", () => {
    const received = event("RCF", "SIN", 16);
    const both = recorded([received, event("CCD", "SIN", 17), event("NFD", "SIN", 18)]);
    assert.equal(both.statusBy?.code, "CCD");
    const notified = recorded([received, event("CCD", "SIN", 18), event("NFD", "SIN", 17)]);
    assert.equal(notified.statusBy?.code, "NFD");
  });

  test("spec 6.4: awb_delivered by a delivery of the whole, or of an unknown quantity", () => {
    assert.equal(status([event("DLV", "SIN", 20)]), "delivered");
    assert.equal(status([event("DDL", "SIN", 20)]), "delivered");
    assert.equal(status([event("DLV", "SIN", 20, { pieces: 10, shipmentPart: "total" })]), "delivered");
    assert.equal(status([event("DLV", "SIN", 20, { pieces: 10 })]), "delivered");
  });

  test("part deliveries deliver it when they add up to the whole, by either code", () => {
    const flown = [event("RCF", "SIN", 16)];
    const first = event("DLV", "SIN", 20, part(4));
    const second = event("DDL", "SIN", 21, part(3));
    const third = event("DLV", "SIN", 24, part(3));
    assert.equal(status([...flown, first]), "arrived");
    assert.equal(status([...flown, first, first, first]), "arrived");
    assert.equal(status([...flown, first, second]), "arrived");
    const whole = recorded([third, ...flown, second, first]);
    assert.deepEqual([whole.status, whole.statusBy], ["delivered", third]);
  });

  test("one part delivery that two sources report, to the minute and to the second, does not count twice", () => {
    const at = event("DLV", "SIN", 20, part(5));
    const exact = event("DLV", "SIN", 20 + 25 / 3_600, part(5));
    assert.equal(status([at, exact]), "arrived");
  });

  test("a part of an unknown whole does not deliver it", () => {
    const some = event("DLV", "SIN", 20, { pieces: 4, shipmentPart: "part" });
    assert.equal(recorded([some], null, { pieces: null }).status, "arrived");
    const uncounted = event("DLV", "SIN", 20, { shipmentPart: "part" });
    assert.equal(status([uncounted]), "arrived", "of an unknown number of pieces");
    const miscoded = event("DLV", "SIN", 20, { pieces: 4, shipmentPart: "total", totalPieces: 10 });
    assert.equal(status([miscoded]), "arrived", "said to be the total, and fewer than the total");
    const total = event("RCF", "SIN", 16, part(10));
    const rest = event("DLV", "SIN", 21, { pieces: 6, shipmentPart: "part" });
    assert.equal(recorded([some, rest, total], null, { pieces: null }).status, "delivered");
  });

  test("a split shipment that arrives by two flights has arrived with the first", () => {
    const first = { ...flight("8001"), ...part(6), shipmentPart: "split" } as const;
    const second = { ...flight("8003"), ...part(4), shipmentPart: "split" } as const;
    const one = [event("DEP", "FRA", 2, first), event("ARR", "SIN", 15, first)];
    assert.equal(status(one), "arrived");
    const both = recorded([...one, event("DEP", "FRA", 9, second), event("ARR", "SIN", 21, second)]);
    assert.deepEqual([both.status, both.timeline.length], ["arrived", 4]);
  });
});

describe("cargo at a transit station puts a waybill in transit", () => {
  const RECEIVED = event("RCS", "FRA", 1);
  const without = (
    more: { readonly origin?: null; readonly destination?: null },
    ...events: readonly AirEvent[]
  ) => recorded(events, null, more).status;

  for (const [what, seen, expected] of [
    ["that was seen at a station on the way", event("MAN", "DXB", 5), "in_transit"],
    ["with an unknown station", event("ARR", null, 5), "accepted"],
    ["that is at its destination already", event("TFD", "SIN", 5), "accepted"],
    ["with customs documents only", event("CCD", "DXB", 5), "accepted"],
  ] as const) {
    test(`cargo ${what} is ${expected}`, () => assert.equal(status([RECEIVED, seen]), expected));
  }

  test("if the origin is unknown, cargo that has arrived has left it, and other cargo may not have", () => {
    assert.equal(without({ origin: null }, event("ARR", "DXB", 5)), "in_transit");
    assert.equal(without({ origin: null }, event("MAN", "DXB", 5)), "booked");
  });

  test("if neither the destination nor the station is known, nothing has arrived", () => {
    assert.notEqual(without({ destination: null }, event("ARR", null, 5)), "arrived");
  });

  test("if the destination is unknown, a notification counts as given there", () => {
    assert.equal(without({ destination: null }, event("NFD", "SIN", 5)), "available");
  });

  test("an event with a time gives a status before one without", () => {
    const by = recorded([event("RCS", "FRA", null), event("RCT", "FRA", 3)]).statusBy;
    assert.equal(by?.code, "RCT");
  });
});
