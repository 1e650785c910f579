import assert from "node:assert/strict";
import { test } from "node:test";

import { freeTimeChangesMs } from "../../../src/products/ocean/events/demurrage.ts";
import type { BoxRecord, FreeTime, Milestone } from "../../../src/products/ocean/record/shipment-record.ts";
import { march } from "../event.ts";
import { box, utc } from "../records.ts";
import { DAY_MS, HOUR_MS, types, watch } from "./watch.ts";

const ENDS_MS = march(26, 0);
const WARNING_MS = march(22, 0);
const ARMED = { armedFromMs: march(1) };

function free(more: Partial<FreeTime> = {}): FreeTime {
  return {
    lastFreeDay: "2026-03-25",
    source: "tariff",
    endsMs: ENDS_MS,
    warnsMs: WARNING_MS,
    daysOverdue: 0,
    accruedUsd: 0,
    ...more,
  };
}

const ashore: Partial<BoxRecord> = { status: "discharged", freeTime: free() };

test("spec 6.2: demurrage_warning, demurrage_started; 6.3: demurrage_warning, demurrage_started; 8: demurrage_warning: the warning three days before the last free day, the start after it, each once", () => {
  const poll = watch(ashore, WARNING_MS - DAY_MS, ARMED);
  const raised = [
    WARNING_MS - 1,
    WARNING_MS,
    WARNING_MS + 1,
    ENDS_MS - 1,
    ENDS_MS,
    ENDS_MS + 1,
    ENDS_MS + 9 * DAY_MS,
  ].map((atMs) => types(poll({}, atMs)));
  assert.deepEqual(raised, [[], ["demurrage_warning"], [], [], ["demurrage_started"], [], []]);
});

test("a stored free time without the moment of its warning raises it on the same day", () => {
  const { warnsMs: _, ...stored } = free();
  const poll = watch({ ...ashore, freeTime: stored }, WARNING_MS - DAY_MS, ARMED);
  assert.deepEqual(poll({}, WARNING_MS - 1), []);
  assert.deepEqual(types(poll({}, WARNING_MS)), ["demurrage_warning"]);
});

test("both carry the current status, the days overdue and the cost", () => {
  const poll = watch(ashore, WARNING_MS - 1, ARMED);
  const facts = ({ data }: { readonly data: Readonly<Record<string, unknown>> }) =>
    ["previous_status", "new_status", "demurrage_days_overdue", "demurrage_accrued_usd"].map(
      (name) => data[name],
    );
  const [warning] = poll({}, WARNING_MS);
  assert.deepEqual(facts(warning!), ["discharged", "discharged", 0, 0]);
  const overdue = free({ daysOverdue: 1, accruedUsd: 75.5 });
  const raised = poll({ status: "customs_hold", freeTime: overdue }, ENDS_MS);
  const started = raised.find(({ type }) => type === "demurrage_started");
  assert.deepEqual(facts(started!), ["customs_hold", "customs_hold", 1, 75.5]);
});

test("spec 2.4: demurrage_days_overdue, demurrage_accrued_usd: an account without demurrage alerting receives no demurrage events", () => {
  const poll = watch(ashore, WARNING_MS - 1);
  for (const atMs of [WARNING_MS, ENDS_MS, ENDS_MS + DAY_MS]) assert.deepEqual(poll({}, atMs), []);
});

test("spec 6.3: demurrage_started: arming acts forward, so free time that had run out is never raised", () => {
  for (const [what, armedFromMs, expected] of [
    ["before the warning", WARNING_MS - HOUR_MS, [["demurrage_warning"], ["demurrage_started"]]],
    ["within the last days", WARNING_MS + HOUR_MS, [["demurrage_warning"], ["demurrage_started"]]],
    ["a millisecond before the end", ENDS_MS - 1, [["demurrage_warning"], ["demurrage_started"]]],
    ["at the end", ENDS_MS, [[], []]],
    ["days later", ENDS_MS + DAY_MS, [[], []]],
  ] as const) {
    const poll = watch(ashore, WARNING_MS - DAY_MS);
    poll({}, Math.min(armedFromMs, ENDS_MS - 1));
    const armed = { armedFromMs };
    const atArming = types(poll({}, Math.max(WARNING_MS, armedFromMs), armed));
    const later = types(poll({}, Math.max(ENDS_MS, armedFromMs) + HOUR_MS, armed));
    assert.deepEqual([atArming, later], expected, `armed ${what}`);
  }
});

test("a box that is first polled in its last free days raises no warning but the start", () => {
  const poll = watch(ashore, WARNING_MS + HOUR_MS, ARMED);
  assert.deepEqual(poll({}, WARNING_MS + 2 * HOUR_MS), []);
  assert.deepEqual(types(poll({}, ENDS_MS)), ["demurrage_started"]);
});

test("a box that is first polled on demurrage never raises the start", () => {
  const poll = watch(ashore, ENDS_MS + HOUR_MS, ARMED);
  assert.deepEqual(poll({}, ENDS_MS + DAY_MS), []);
});

test("free time that is known only after its end starts demurrage without a warning", () => {
  const poll = watch({ ...ashore, freeTime: null }, WARNING_MS, ARMED);
  assert.deepEqual(types(poll({ freeTime: free() }, ENDS_MS + DAY_MS)), ["demurrage_started"]);
});

/** The last free day, so many days later. */
function moved(days: number): { readonly freeTime: FreeTime } {
  const by = days * DAY_MS;
  const lastFreeDay = `2026-03-${25 + days}`;
  return { freeTime: free({ lastFreeDay, endsMs: ENDS_MS + by, warnsMs: WARNING_MS + by }) };
}

test("spec 6.3: demurrage_warning, demurrage_started: a last free day that moves warns and starts again, each day once", () => {
  const poll = watch(ashore, WARNING_MS - DAY_MS, ARMED);
  const raised = [
    ["warned of the 25th", 0, WARNING_MS],
    ["extended to the 29th", 4, WARNING_MS + HOUR_MS],
    ["three days before it", 4, WARNING_MS + 4 * DAY_MS],
    ["back, and over", 0, WARNING_MS + 4 * DAY_MS + HOUR_MS],
    ["and extended once more", 4, WARNING_MS + 5 * DAY_MS],
    ["over", 4, ENDS_MS + 4 * DAY_MS],
    ["corrected to an earlier day", 2, ENDS_MS + 5 * DAY_MS],
    ["extended after its end", 6, ENDS_MS + 5 * DAY_MS],
    ["over again", 6, ENDS_MS + 6 * DAY_MS],
  ].map(([what, days, atMs]) => [what, ...types(poll(moved(Number(days)), Number(atMs)))]);
  assert.deepEqual(raised, [
    ["warned of the 25th", "demurrage_warning"],
    ["extended to the 29th"],
    ["three days before it", "demurrage_warning"],
    ["back, and over", "demurrage_started"],
    ["and extended once more"],
    ["over", "demurrage_started"],
    ["corrected to an earlier day"],
    ["extended after its end", "demurrage_warning"],
    ["over again", "demurrage_started"],
  ]);
});

test("a box that is not at the terminal of its destination raises no demurrage events", () => {
  for (const status of ["in_transit", "at_berth", "delivered", "returned_empty"] as const) {
    const poll = watch({ ...ashore, status }, WARNING_MS - 1, ARMED);
    assert.deepEqual(poll({}, ENDS_MS + DAY_MS), []);
  }
});

test("status events carry the days overdue and their cost while armed, and null otherwise", () => {
  const delivered: Milestone = {
    key: "container_delivered::1",
    type: "container_delivered",
    from: "discharged",
    to: "delivered",
    at: utc(ENDS_MS + DAY_MS),
  };
  const raised = (armedFromMs: number | null, freeTime: FreeTime | null) => {
    const poll = watch({ ...ashore, freeTime }, ENDS_MS + DAY_MS, { armedFromMs });
    const [event] = poll({ status: "delivered", milestones: [delivered] }, ENDS_MS + 2 * DAY_MS);
    return [event?.data["demurrage_days_overdue"], event?.data["demurrage_accrued_usd"]];
  };
  const overdue = free({ daysOverdue: 2, accruedUsd: 151 });
  assert.deepEqual(raised(march(1), overdue), [2, 151]);
  assert.deepEqual(raised(march(1), { ...overdue, accruedUsd: null }), [2, null]);
  assert.deepEqual(raised(null, overdue), [null, null]);
  assert.deepEqual(raised(march(1), null), [null, null]);
});

test("time alone changes something when the warning is due, when free time ends, and with each day after", () => {
  const turns = (nowMs: number, more: Partial<BoxRecord> = {}) =>
    freeTimeChangesMs(box({ ...ashore, ...more }), nowMs);
  assert.equal(turns(march(20)), WARNING_MS);
  assert.equal(turns(WARNING_MS), ENDS_MS);
  assert.equal(turns(ENDS_MS - 1), ENDS_MS);
  assert.equal(turns(ENDS_MS), ENDS_MS + DAY_MS);
  assert.equal(turns(ENDS_MS + 1.5 * DAY_MS), ENDS_MS + 2 * DAY_MS);
  assert.equal(turns(march(20), { status: "delivered" }), null);
  assert.equal(turns(march(20), { freeTime: null }), null);
});
