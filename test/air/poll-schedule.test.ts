import assert from "node:assert/strict";
import { test } from "node:test";

import {
  AIR_POLL_DEFAULTS,
  deliverySeenAtMs,
  isTrackingOver,
  waitAfterAnswer,
  type TrackingState,
} from "../../src/products/air/polling/poll-schedule.ts";

const DAY_MS = 86_400_000;
const FLOWN: TrackingState = { status: "in_transit", deliveredMs: null, lastEventMs: 0 };
const DELIVERED: TrackingState = { status: "delivered", deliveredMs: 0, lastEventMs: 0 };

test("tracking ends three days after the delivery was first seen, and not before", () => {
  assert.ok(!isTrackingOver(DELIVERED, 3 * DAY_MS - 1, AIR_POLL_DEFAULTS));
  assert.ok(isTrackingOver(DELIVERED, 3 * DAY_MS, AIR_POLL_DEFAULTS));
  assert.deepEqual(
    [3 * DAY_MS - 1, 3 * DAY_MS].map((atMs) => waitAfterAnswer(DELIVERED, atMs, AIR_POLL_DEFAULTS)),
    [AIR_POLL_DEFAULTS.intervalMs, null],
  );
});

test("without a delivery, it ends thirty days after the last event", () => {
  assert.ok(!isTrackingOver(FLOWN, 30 * DAY_MS - 1, AIR_POLL_DEFAULTS));
  assert.ok(isTrackingOver(FLOWN, 30 * DAY_MS, AIR_POLL_DEFAULTS));
});

test("the time of a delivery is when it was first seen, and goes when the delivery is withdrawn", () => {
  assert.equal(deliverySeenAtMs("delivered", null, 5), 5);
  assert.equal(deliverySeenAtMs("delivered", 3, 5), 3);
  assert.equal(deliverySeenAtMs("available", 3, 5), null);
});
