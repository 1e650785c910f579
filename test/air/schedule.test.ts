import assert from "node:assert/strict";
import { test } from "node:test";

import {
  AIR_POLL_DEFAULTS,
  endedAtMs,
  isOver,
  nextLook,
  type WaybillStanding,
} from "../../src/products/air/sources/schedule.ts";

const DAY_MS = 86_400_000;
const FLOWN: WaybillStanding = { status: "in_transit", endedMs: null, lastMs: 0 };
const DELIVERED: WaybillStanding = { status: "delivered", endedMs: 0, lastMs: 0 };

test("a waybill is looked at every half hour, a little sooner or later", () => {
  const { intervalMs, jitter } = AIR_POLL_DEFAULTS;
  assert.equal(nextLook(FLOWN, 0, AIR_POLL_DEFAULTS, 0.5), intervalMs);
  assert.equal(nextLook(FLOWN, 0, AIR_POLL_DEFAULTS, 0), intervalMs * (1 - jitter / 2));
  assert.equal(nextLook(FLOWN, 0, AIR_POLL_DEFAULTS, 1), intervalMs * (1 + jitter / 2));
});

test("tracking ends three days after the delivery was seen, and not before", () => {
  assert.ok(!isOver(DELIVERED, 3 * DAY_MS - 1, AIR_POLL_DEFAULTS));
  assert.ok(isOver(DELIVERED, 3 * DAY_MS, AIR_POLL_DEFAULTS));
  assert.equal(nextLook(DELIVERED, 3 * DAY_MS, AIR_POLL_DEFAULTS, 0.5), null);
});

test("it ends thirty days after the last that happened to a waybill that nobody says is delivered", () => {
  assert.ok(!isOver(FLOWN, 30 * DAY_MS - 1, AIR_POLL_DEFAULTS));
  assert.ok(isOver(FLOWN, 30 * DAY_MS, AIR_POLL_DEFAULTS));
});

test("a delivery was seen when it was seen first, and is forgotten when it is taken back", () => {
  assert.equal(endedAtMs("delivered", null, 5), 5);
  assert.equal(endedAtMs("delivered", 3, 5), 3);
  assert.equal(endedAtMs("available", 3, 5), null);
});
