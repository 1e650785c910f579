import assert from "node:assert/strict";
import { test } from "node:test";

import { recordOf } from "../../src/producers/ocean/record.ts";
import {
  endedAtMs,
  nextPollAfterAnswer,
  nextPollAfterFailure,
  POLL_DEFAULTS,
} from "../../src/producers/ocean/schedule.ts";
import { event, march } from "./event.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function recordAt(code: string, laden: boolean) {
  const events = [event("DISC", "NLRTM", march(1)), event(code, "NLRTM", march(2), { laden })];
  return recordOf({ carrier: "HRNL", identifierType: null, events }, null, march(3));
}

test("a shipment under way is looked at after the interval, give or take the jitter", () => {
  const record = recordAt("INSP", true);
  assert.equal(nextPollAfterAnswer(record, null, 0, POLL_DEFAULTS, 0), 0.95 * HOUR_MS);
  assert.equal(nextPollAfterAnswer(record, null, 0, POLL_DEFAULTS, 1), 1.05 * HOUR_MS);
});

test("a shipment is looked at when time alone makes it arriving", () => {
  const record = { ...recordAt("INSP", true), arrivingFromMs: march(3) + 5_000 };
  assert.equal(nextPollAfterAnswer(record, null, march(3), POLL_DEFAULTS, 0.5), march(3) + 5_001);
  assert.equal(nextPollAfterAnswer(record, null, march(4), POLL_DEFAULTS, 0.5), march(4) + HOUR_MS);
});

test("looking ends some days after the empty return, and later after a delivery", () => {
  const returned = recordAt("GTIN", false);
  const delivered = recordAt("GTOT", true);
  assert.deepEqual([returned.status, delivered.status], ["returned_empty", "delivered"]);
  const endedMs = endedAtMs(returned, null, march(3));
  assert.equal(endedMs, march(3));
  assert.equal(endedAtMs(returned, march(3), march(5)), march(3));
  assert.equal(endedAtMs(recordAt("INSP", true), march(3), march(5)), null);
  assert.notEqual(nextPollAfterAnswer(returned, endedMs, march(6) - 1, POLL_DEFAULTS, 0.5), null);
  assert.equal(nextPollAfterAnswer(returned, endedMs, march(6), POLL_DEFAULTS, 0.5), null);
  assert.notEqual(nextPollAfterAnswer(delivered, endedMs, march(6), POLL_DEFAULTS, 0.5), null);
  assert.equal(nextPollAfterAnswer(delivered, march(3), march(3) + 30 * DAY_MS, POLL_DEFAULTS, 0.5), null);
});

test("waits after failures double up to their maximum, and are never shorter than the carrier asks", () => {
  const waits = [1, 2, 3, 9, 10, 1_000].map((failures) =>
    nextPollAfterFailure(failures, null, 0, POLL_DEFAULTS, 0.5),
  );
  assert.deepEqual(waits, [60_000, 120_000, 240_000, 256 * 60_000, 6 * HOUR_MS, 6 * HOUR_MS]);
  assert.equal(nextPollAfterFailure(1, 600_000, 0, POLL_DEFAULTS, 0.5), 600_000);
});
