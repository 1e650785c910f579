/** The events that a call raises by itself: every field, and each bound from both sides. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { CallRecord } from "../../../src/products/schedules/calls/call-record.ts";
import { cutOffDueMs, cutOffEvents, cutOffName } from "../../../src/products/schedules/events/cut-offs.ts";
import { hoursOf } from "../../../src/products/schedules/events/event-draft.ts";
import { callEvents, nextDueMs } from "../../../src/products/schedules/events/call-events.ts";
import { slipDueMs, slipEvents } from "../../../src/products/schedules/events/sailing-slipped.ts";
import { utcDay } from "../../../src/model/instant.ts";
import { at, DAY_MS, HOUR_MS, type Said } from "../statements.ts";
import { callOf, NOW_MS } from "./record.ts";
import { column } from "../../support/columns.ts";

const D = NOW_MS + 10 * DAY_MS;
const HOURS = [24, 48];
const utc = (ms: number) => new Date(ms).toISOString();

const WHOSE = {
  ...{ carrier: "HRNL", service: "HE1", service_name: "Heron Express", universal_service_reference: null },
  ...{ voyage: "014E", import_voyage: "014E", export_voyage: "014E" },
  ...{ vessel_name: "HERON DAWN", vessel_imo: "9321483" },
};
const WHERE = { port: "JPYOK", port_name: "Yokohama", terminal: null, transport_call_reference: null };
const companions = (ms: number) => ({
  event_date_time: utc(ms),
  event_local_datetime: utc(ms + 9 * HOUR_MS).slice(0, 19),
  utc_offset_minutes: 540,
  event_timezone: "Asia/Tokyo",
});

// spec 6.2: sailing_slipped
describe("sailing_slipped", () => {
  const slipped = (byMs: number, more: Said = {}, raised: Partial<CallRecord["raised"]> = {}) =>
    callOf({ departure: { estimated: D + byMs }, ...more }, { raised: { departure: at(D), ...raised } });
  const slips = (record: CallRecord) => slipEvents(record, record.raised, NOW_MS);

  test("has the move, its length and its reason", () => {
    const record = slipped(25.5 * HOUR_MS, { delayReason: "WEA", remark: "Storm" });
    const { drafts, raised } = slips(record);
    assert.deepEqual(drafts, [
      {
        type: "sailing_slipped",
        data: {
          ...WHOSE,
          ...WHERE,
          old_departure: utc(D),
          new_departure: utc(D + 25.5 * HOUR_MS),
          delta_hours: 25.5,
          delay_reason: "WEA",
          remark: "Storm",
          ...companions(D + 25.5 * HOUR_MS),
        },
        key: `sailing_slipped:1:${utcDay(NOW_MS)}`,
      },
    ]);
    assert.deepEqual(raised, {
      ...record.raised,
      departure: at(D + 25.5 * HOUR_MS),
      slippedOn: utcDay(NOW_MS),
    });
  });

  test("is raised for a move of a day, either way, and not for a millisecond less", () => {
    const counts = [DAY_MS, -DAY_MS, DAY_MS - 1, 1 - DAY_MS].map(
      (byMs) => slips(slipped(byMs)).drafts.length,
    );
    assert.deepEqual(counts, [1, 1, 0, 0]);
  });

  test("is raised once a day, and again on the next", () => {
    const today = utcDay(NOW_MS);
    assert.equal(slips(slipped(DAY_MS, {}, { slippedOn: utcDay(NOW_MS - DAY_MS) })).drafts.length, 1);
    assert.equal(slips(slipped(DAY_MS, {}, { slippedOn: today })).drafts.length, 0);
  });

  test("counts from the first known departure", () => {
    const record = callOf({ departure: { planned: D } });
    const before = { ...record.raised, departure: null };
    assert.deepEqual(slipEvents(record, before, NOW_MS), {
      drafts: [],
      raised: { ...before, departure: at(D) },
    });
  });

  for (const [what, record] of [
    ["whose departure is unknown", callOf({}, { raised: { departure: at(D) } })],
    ["that has left", slipped(0, { departure: { actual: D + 3 * DAY_MS } })],
    ["that is omitted", slipped(3 * DAY_MS, { status: "OMIT" })],
  ] as const) {
    test(`is not raised for a call ${what}, which records nothing`, () => {
      assert.deepEqual(slips(record), { drafts: [], raised: record.raised });
      assert.equal(
        slipDueMs({ ...record, raised: { ...record.raised, slippedOn: utcDay(NOW_MS) } }, NOW_MS),
        null,
      );
    });
  }

  describe("after a slip on the same day is due", () => {
    const today = utcDay(NOW_MS);
    const nextDayMs = Date.parse(today) + DAY_MS;
    const due = (byMs: number, raised: Partial<CallRecord["raised"]> = {}, nowMs = NOW_MS) =>
      slipDueMs(slipped(byMs, {}, { slippedOn: today, ...raised }), nowMs);

    test("when the next day begins", () => {
      assert.equal(due(DAY_MS), nextDayMs);
      assert.equal(due(-DAY_MS), nextDayMs);
      assert.equal(due(DAY_MS, {}, nextDayMs - 1), nextDayMs);
    });

    test("never, if none waits", () => {
      assert.equal(due(DAY_MS - 1), null);
      assert.equal(due(DAY_MS, {}, nextDayMs), null);
      assert.equal(due(DAY_MS, { slippedOn: null }), null);
      assert.equal(due(DAY_MS, { departure: null }), null);
    });
  });
});

// spec 6.2: cutoff_approaching
describe("cutoff_approaching", () => {
  type Seen = CallRecord["raised"]["cutOffs"];
  const closing = (cutOffs: Record<string, number>, seen: Seen = {}, more: Said = {}) =>
    callOf({ departure: { planned: D }, cutOffs, ...more }, { raised: { cutOffs: seen } });
  const looked = (record: CallRecord) => cutOffEvents(record, record.raised, HOURS, NOW_MS);
  const far = { ms: 0, reachedHours: null };

  test("has the cut-off, its time and the hours left", () => {
    const cutOff = NOW_MS + 30.255 * HOUR_MS;
    const { drafts, raised } = looked(closing({ VCO: cutOff }, { VCO: far, DCO: far }));
    assert.deepEqual(drafts, [
      {
        type: "cutoff_approaching",
        data: {
          ...WHOSE,
          ...WHERE,
          cut_off_code: "VCO",
          cut_off_name: "VGM cut-off",
          cut_off: utc(cutOff),
          hours_before: 48,
          hours_left: 30.26,
          departure: utc(D),
          ...companions(cutOff),
        },
        key: `cutoff_approaching:1:VCO:${cutOff}:48`,
      },
    ]);
    assert.deepEqual(raised.cutOffs, { VCO: { ms: cutOff, reachedHours: 48 }, DCO: far });
  });

  test("has no departure if none is known", () => {
    const record = callOf({ cutOffs: { VCO: NOW_MS + HOUR_MS } }, { raised: { cutOffs: { VCO: far } } });
    assert.equal((looked(record).drafts[0]!.data as Record<string, unknown>)["departure"], null);
  });

  const reached = (cutOffMs: number, before: Seen[string] | null) =>
    looked(closing({ FCO: cutOffMs }, before === null ? {} : { FCO: before })).drafts.map(
      ({ data }) => (data as Record<string, unknown>)["hours_before"],
    );

  test("is raised at each warning hour, once for the nearest that has passed", () => {
    assert.deepEqual(reached(NOW_MS + 48 * HOUR_MS, far), [48]);
    assert.deepEqual(reached(NOW_MS + 48 * HOUR_MS + 1, far), []);
    assert.deepEqual(reached(NOW_MS + 24 * HOUR_MS, far), [24]);
    assert.deepEqual(reached(NOW_MS + 24 * HOUR_MS, { ms: 0, reachedHours: 48 }), [24]);
    assert.deepEqual(reached(NOW_MS + 24 * HOUR_MS, { ms: 0, reachedHours: 24 }), []);
    assert.deepEqual(reached(NOW_MS + 30 * HOUR_MS, { ms: 0, reachedHours: 24 }), []);
  });

  test("is raised again whenever the cut-off is brought forward once a warning hour has passed", () => {
    const warned = { ms: NOW_MS + 20 * HOUR_MS, reachedHours: 24 };
    assert.deepEqual(reached(NOW_MS + 2 * HOUR_MS, warned), [24]);
    assert.deepEqual(reached(NOW_MS + 22 * HOUR_MS, warned), []);
    assert.deepEqual(reached(NOW_MS + 60 * HOUR_MS, { ms: NOW_MS + 80 * HOUR_MS, reachedHours: null }), []);
  });

  test("is raised until the cut-off, and not when the cut-off is first seen", () => {
    assert.deepEqual(reached(NOW_MS + 1, far), [24]);
    assert.deepEqual(reached(NOW_MS, far), []);
    assert.deepEqual(reached(NOW_MS + 1, null), []);
  });

  test("is over once the vessel has left or does not come: nothing is raised, recorded or due", () => {
    for (const more of [{ departure: { actual: NOW_MS } }, { status: "BLNK" }] as const) {
      const record = closing({ FCO: NOW_MS + HOUR_MS, DCO: D }, { FCO: far }, more);
      assert.deepEqual(looked(record), { drafts: [], raised: record.raised });
      assert.equal(cutOffDueMs(record, HOURS, NOW_MS), null);
    }
  });

  test("is due at the next warning hour of the next cut-off", () => {
    const due = (cutOffs: Record<string, number>) => cutOffDueMs(closing(cutOffs), HOURS, NOW_MS);
    assert.equal(due({ FCO: D, DCO: D - HOUR_MS }), D - 49 * HOUR_MS);
    assert.equal(due({ FCO: NOW_MS + 48 * HOUR_MS }), NOW_MS + 24 * HOUR_MS);
    assert.equal(due({ FCO: NOW_MS + 48 * HOUR_MS + 1 }), NOW_MS + 1);
    assert.equal(due({ FCO: NOW_MS + 24 * HOUR_MS }), null);
    assert.equal(due({}), null);
  });

  test("is raised for deadlines, not for earliest times", () => {
    const record = closing({ ECP: D, EFC: D });
    assert.deepEqual(looked(record).raised.cutOffs, {});
    assert.equal(cutOffDueMs(record, HOURS, NOW_MS), null);
  });

  test("has the standard's names of cut-offs", () => {
    const named = "DCO VCO FCO LCO PCO RCO DGC OBC TCO STA SPA CUA AFC ECP".split(" ").map(cutOffName);
    const names =
      "Documentation cut-off, VGM cut-off, FCL delivery cut-off, LCL delivery cut-off, Port cut-off, Reefer cut-off, " +
      "Dangerous goods cut-off, Out-of-gauge and break-bulk cut-off, Transshipment cut-off, " +
      "Standard booking acceptance, Special booking acceptance, Customs acceptance, Advance filing cut-off";
    assert.deepEqual(named, [...names.split(", "), null]);
  });
});

test("a call raises slips and cut-offs together, and records both", () => {
  const record = callOf(
    { departure: { planned: D + 2 * DAY_MS }, cutOffs: { FCO: NOW_MS + HOUR_MS } },
    { raised: { departure: at(D), cutOffs: { FCO: { ms: 0, reachedHours: null } } } },
  );
  const { drafts, record: after } = callEvents(record, HOURS, NOW_MS);
  assert.deepEqual(column(drafts, "type"), ["sailing_slipped", "cutoff_approaching"]);
  assert.equal(after.raised.slippedOn, utcDay(NOW_MS));
  assert.deepEqual(after.raised.cutOffs["FCO"], { ms: NOW_MS + HOUR_MS, reachedHours: 24 });
});

test("a call is due at the first of its events, or never", () => {
  const today = utcDay(NOW_MS);
  const raised = { departure: at(D), slippedOn: today };
  const slip = callOf({ departure: { planned: D + 2 * DAY_MS }, cutOffs: { FCO: D } }, { raised: raised });
  assert.equal(nextDueMs(slip, HOURS, NOW_MS), Date.parse(today) + DAY_MS);
  assert.equal(nextDueMs(callOf({ cutOffs: { FCO: D } }), HOURS, NOW_MS), D - 48 * HOUR_MS);
  assert.equal(nextDueMs(callOf({}), HOURS, NOW_MS), null);
});

test("hours are rounded to the hundredth", () =>
  assert.deepEqual([36 * HOUR_MS, 18_000, 17_999, -18_001].map(hoursOf), [36, 0.01, 0, -0.01]));
