import assert from "node:assert/strict";
import { test } from "node:test";

import {
  endedAtMs,
  isGivenUp,
  POLL_SCHEDULE_DEFAULTS,
  waitAfterAnswer,
  type PollState,
} from "../../../src/products/ocean/sources/poll-schedule.ts";
import { nextPollAfter, nextPollAfterFailure } from "../../../src/freight/work/backoff.ts";
import { march } from "../event.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const AT_SEA: PollState = { status: "in_transit", etaMs: march(20), changesAtMs: march(18), endedMs: null };

/** How long the next poll waits, in minutes, without jitter. */
function waitOf(standing: PollState, nowMs: number, settings = POLL_SCHEDULE_DEFAULTS): number | null {
  const waitMs = waitAfterAnswer(standing, nowMs, settings);
  return waitMs === null ? null : waitMs / MINUTE_MS;
}

test("polls spread by the jitter about their wait, in mid-ocean of some hours", () => {
  const waitMs = waitAfterAnswer(AT_SEA, march(5), POLL_SCHEDULE_DEFAULTS);
  const nextOf = (fraction: number) => nextPollAfter(waitMs, march(5), POLL_SCHEDULE_DEFAULTS, fraction);
  assert.deepEqual([0, 1].map(nextOf), [march(5) + 0.95 * 4 * HOUR_MS, march(5) + 1.05 * 4 * HOUR_MS]);
  assert.equal(nextPollAfter(null, march(5), POLL_SCHEDULE_DEFAULTS, 0), null);
});

test("near a change it is polled every few minutes", () => {
  const far = 4 * 60;
  const near = 20;
  const waits: readonly (readonly [PollState["status"], number, number])[] = [
    ["in_transit", march(15), far],
    // Two days before time alone makes it arriving.
    ["in_transit", march(16), near],
    ["arriving", march(18), near],
    ["at_berth", march(20), near],
    ["discharged", march(25), near],
    ["customs_hold", march(25), near],
    ["available", march(25), far],
    ["delivered", march(25), far],
    // The moment by which it would not have left as planned.
    ["pre_departure", march(15), far],
    ["pre_departure", march(17), near],
    ["at_transshipment", march(17), near],
  ];
  for (const [status, nowMs, wait] of waits) {
    assert.equal(waitOf({ ...AT_SEA, status }, nowMs), wait, `${status} on ${new Date(nowMs).toISOString()}`);
  }
  assert.equal(waitOf({ ...AT_SEA, status: "pre_departure", etaMs: null, changesAtMs: null }, march(5)), far);
});

test("an interval shorter than the one near a change holds everywhere", () => {
  const settings = { ...POLL_SCHEDULE_DEFAULTS, intervalMs: MINUTE_MS };
  assert.equal(waitOf(AT_SEA, march(5), settings), 1);
  assert.equal(waitOf({ ...AT_SEA, status: "arriving" }, march(18), settings), 1);
});

test("looking ends some days after the empty return, and later after a delivery", () => {
  const endedMs = endedAtMs("returned_empty", null, march(3));
  assert.equal(endedMs, march(3));
  assert.equal(endedAtMs("returned_empty", march(3), march(5)), march(3));
  assert.equal(endedAtMs("available", march(3), march(5)), null);
  const returned: PollState = { ...AT_SEA, status: "returned_empty", endedMs };
  const delivered: PollState = { ...returned, status: "delivered" };
  assert.notEqual(waitOf(returned, march(6) - 1), null);
  assert.equal(waitOf(returned, march(6)), null);
  assert.notEqual(waitOf(delivered, march(6)), null);
  assert.equal(waitOf(delivered, march(3) + 30 * DAY_MS), null);
});

test("a reference that no carrier knows is given up after two weeks, one whose life is over at once", () => {
  const pending: PollState = { status: "pending", etaMs: null, changesAtMs: null, endedMs: null };
  assert.equal(isGivenUp(pending, march(1), march(15) - 1, POLL_SCHEDULE_DEFAULTS), false);
  assert.equal(isGivenUp(pending, march(1), march(15), POLL_SCHEDULE_DEFAULTS), true);
  const returned: PollState = { ...AT_SEA, status: "returned_empty", endedMs: march(3) };
  assert.equal(isGivenUp(returned, march(5), march(6), POLL_SCHEDULE_DEFAULTS), true);
});

test("waits after failures double up to their maximum, and are never shorter than the carrier asks", () => {
  const waits = [1, 2, 3, 9, 10, 1_000].map((failures) =>
    nextPollAfterFailure(failures, null, 0, POLL_SCHEDULE_DEFAULTS, 0.5),
  );
  assert.deepEqual(waits, [60_000, 120_000, 240_000, 256 * 60_000, 6 * HOUR_MS, 6 * HOUR_MS]);
  assert.equal(nextPollAfterFailure(1, 600_000, 0, POLL_SCHEDULE_DEFAULTS, 0.5), 600_000);
});
