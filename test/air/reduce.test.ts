/** What a poll stores and reports of what airlines say, also over what was stored before. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { ClaimedShipment } from "../../src/freight/polling/store/polls.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { reduceStatements } from "../../src/products/air/record/reduce-statements.ts";
import { nextRecord, readWaybillRecord } from "../../src/products/air/record/waybill-record.ts";
import type { WaybillStatement } from "../../src/products/air/timeline/air-event.ts";
import { products } from "../../src/products/index.ts";
import { answer, AWB, booked, event, hour, message, NOW_MS, part, statement } from "./statements.ts";

const check = createEventDataCheck(products);
const CLAIMED = {
  id: "w",
  accountId: "a",
  reference: AWB,
  createdAt: new Date(hour(0).ms),
  endedAt: null,
} as unknown as ClaimedShipment;

test("a delivery dated days ahead is reported once, and raises its event when its time comes", () => {
  const said = [
    message(20, event("RCF", "SIN", 16)),
    message(21, event("DLV", "SIN", 72), event("TRM", "SIN", null)),
  ];
  const poll = (stored: string | null, hours: number) =>
    reduceStatements(check, CLAIMED, null, said, stored, hour(hours).ms);
  const first = poll(poll(null, 20).known.record, 21);
  assert.deepEqual(poll(null, 21).problems, [
    "DLV at SIN of 2026-11-04T00:00:00.000Z is too far ahead; it counts when its time comes",
  ]);
  assert.deepEqual([first.problems, first.events, first.isUnchanged], [[], [], true]);
  const due = poll(first.known.record, 72);
  assert.deepEqual([due.known.status, due.events.map(({ type }) => type)], ["delivered", ["awb_delivered"]]);
  assert.deepEqual(poll(due.known.record, 73).events, []);
});

test("a waybill that is pushed tells pieces and places before anything happens, and cargo in hand outranks it", () => {
  const facts = { awb: AWB, origin: "DXB", destination: "FRA", weightKg: 250 };
  const document = (pieces: number, hours: number) => ({
    ...facts,
    ...({
      pieces,
      events: [],
      isDocument: true,
      saidMs: hour(hours).ms,
      message: `document ${hours}`,
    } as const),
  });
  const polled = (...said: readonly WaybillStatement[]) => {
    const stored = reduceStatements(check, CLAIMED, null, said, null, hour(20).ms).known.record;
    const again = reduceStatements(check, CLAIMED, null, said, stored, hour(21).ms);
    assert.ok(again.isUnchanged, "the same statements, read again, change nothing");
    return readWaybillRecord(stored);
  };
  const alone = polled(document(9, 1), document(10, 2));
  assert.deepEqual([alone.origin, alone.destination, alone.pieces, alone.weightKg], ["DXB", "FRA", 10, 250]);
  assert.deepEqual([alone.status, alone.timeline], ["unknown", []]);
  const counted = polled(
    document(9, 1),
    { ...message(3, event("RCS", "DXB", 3)), pieces: 8 },
    document(10, 4),
  );
  assert.deepEqual([counted.pieces, counted.status], [8, "accepted"]);
});

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
