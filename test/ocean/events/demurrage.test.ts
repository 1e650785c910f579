import assert from "node:assert/strict";
import { test } from "node:test";

import { freeTimeChangesMs } from "../../../src/products/ocean/events/demurrage.ts";
import type { BoxRecord, FreeTime, Milestone } from "../../../src/products/ocean/record/shipment-record.ts";
import { march } from "../event.ts";
import { box, utc } from "../records.ts";
import { DAY_MS, HOUR_MS, NOT_ARMED, types, watch } from "./watch.ts";

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
  const moments = [WARNING_MS - 1, WARNING_MS, WARNING_MS + 1, ENDS_MS - 1, ENDS_MS, ENDS_MS + 1];
  const raised = [...moments, ENDS_MS + 9 * DAY_MS].map((atMs) => types(poll({}, atMs)));
  assert.deepEqual(raised, [[], ["demurrage_warning"], [], [], ["demurrage_started"], [], []]);
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

test("spec 2.4: demurrage_days_overdue, demurrage_accrued_usd: only armed accounts learn of it, and of what began since the first poll", () => {
  const { warnsMs: _, ...unwarned } = free();
  const [warning, start] = [["demurrage_warning"], ["demurrage_started"]];
  const none: readonly string[] = [];
  for (const [what, first, firstMs, armed, atWarning, afterEnd] of [
    ["not armed", {}, WARNING_MS - 1, NOT_ARMED, none, none],
    [
      "stored without the moment of its warning",
      { freeTime: unwarned },
      WARNING_MS - 1,
      ARMED,
      warning,
      start,
    ],
    ["first polled in its last free days", {}, WARNING_MS, ARMED, none, start],
    ["first polled on demurrage", {}, ENDS_MS, ARMED, none, none],
    ["at sea", { status: "in_transit" }, WARNING_MS - 1, ARMED, none, none],
    ["at berth", { status: "at_berth" }, WARNING_MS - 1, ARMED, none, none],
    ["delivered", { status: "delivered" }, WARNING_MS - 1, ARMED, none, none],
    ["returned", { status: "returned_empty" }, WARNING_MS - 1, ARMED, none, none],
  ] as const) {
    const poll = watch({ ...ashore, ...first }, firstMs, armed);
    assert.deepEqual(types(poll({}, Math.max(firstMs, WARNING_MS))), atWarning, what);
    assert.deepEqual(types(poll({}, ENDS_MS + DAY_MS)), afterEnd, what);
  }
  const unknown = watch({ ...ashore, freeTime: null }, WARNING_MS, ARMED);
  assert.deepEqual(types(unknown({ freeTime: free() }, ENDS_MS + DAY_MS)), start, "known after its end");
});

/** The last free day, so many days later. */
function moved(days: number): { readonly freeTime: FreeTime } {
  const by = days * DAY_MS;
  const lastFreeDay = `2026-03-${25 + days}`;
  return { freeTime: free({ lastFreeDay, endsMs: ENDS_MS + by, warnsMs: WARNING_MS + by }) };
}

test("spec 6.3: demurrage_warning, demurrage_started: a last free day that moves warns and starts again, each day once", () => {
  const poll = watch(ashore, WARNING_MS - DAY_MS, ARMED);
  for (const [what, days, atMs, ...raised] of [
    ["warned of the 25th", 0, WARNING_MS, "demurrage_warning"],
    ["extended to the 29th", 4, WARNING_MS + HOUR_MS],
    ["three days before it", 4, WARNING_MS + 4 * DAY_MS, "demurrage_warning"],
    ["back, and over", 0, WARNING_MS + 4 * DAY_MS + HOUR_MS, "demurrage_started"],
    ["and extended once more", 4, WARNING_MS + 5 * DAY_MS],
    ["over", 4, ENDS_MS + 4 * DAY_MS, "demurrage_started"],
    ["corrected to an earlier day", 2, ENDS_MS + 5 * DAY_MS],
    ["extended after its end", 6, ENDS_MS + 5 * DAY_MS, "demurrage_warning"],
    ["over again", 6, ENDS_MS + 6 * DAY_MS, "demurrage_started"],
  ] as const)
    assert.deepEqual(types(poll(moved(days), atMs)), raised, what);
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
