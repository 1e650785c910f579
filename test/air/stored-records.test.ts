/** Records of waybills that were stored before the order of receipt was kept. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { nextRecord, readWaybillRecord } from "../../src/products/air/record/waybill-record.ts";
import { answer, AWB, booked, event, message, NOW_MS, part, statement } from "./statements.ts";

describe("a record stored before the order of receipt was kept", () => {
  const events = [event("RCS", "FRA", 3), event("DEP", "FRA", 5)];
  const stored = JSON.stringify({
    ...{ awb: AWB, status: "in_transit", statusBy: events[1], origin: "FRA", destination: "SIN" },
    ...{ pieces: 10, weightKg: 100, flightNumber: null, eta: null, timeline: events, said: events },
    facts: {
      origin: { value: "FRA", asOfMs: 1 },
      destination: { value: "SIN", asOfMs: 1 },
      pieces: { value: 10, asOfMs: 1 },
      weightKg: { value: 100, asOfMs: 1 },
    },
    told: ["unknown", "booked", "accepted", "in_transit"],
  });

  test("is read, and does not change when its sources say the same", () => {
    const before = readWaybillRecord(stored);
    const { answered: _, legs, ...shown } = nextRecord(AWB, [], before, NOW_MS);
    const { facts: __, ...kept } = JSON.parse(stored) as Record<string, unknown>;
    assert.deepEqual(shown, kept);
    assert.deepEqual(legs, [], "which it did not keep");
    for (const said of [message(6, ...events), answer(6, ...events), statement(events)]) {
      const next = nextRecord(AWB, [said], before, NOW_MS);
      assert.deepEqual([next.timeline, next.said.length, next.pieces], [events, 2, 10]);
    }
    const delivered = event("DLV", "SIN", null, part(5));
    const half = { ...before, said: [delivered] };
    assert.equal(nextRecord(AWB, [message(6, delivered)], half, NOW_MS).status, "arrived", "still one half");
  });

  test("keeps its facts until cargo in hand says others", () => {
    const before = readWaybillRecord(stored);
    const booking = nextRecord(AWB, [{ ...message(6, booked("8001", 9)), pieces: 12 }], before, NOW_MS);
    assert.equal(booking.pieces, 10);
    const counted = nextRecord(AWB, [{ ...answer(6, ...events), pieces: 9 }], before, NOW_MS);
    assert.equal(counted.pieces, 9);
  });
});
