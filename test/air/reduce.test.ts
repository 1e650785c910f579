/** What a poll stores and reports of what airlines say. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { ClaimedShipment } from "../../src/freight/polling/store/polls.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { reduceStatements } from "../../src/products/air/record/reduce-statements.ts";
import { products } from "../../src/products/index.ts";
import { AWB, event, hour, message } from "./statements.ts";

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
