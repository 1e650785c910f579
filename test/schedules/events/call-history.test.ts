/** The events of one call over time: answers and checks one after the other, and what each raises. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import type { CallRecord } from "../../../src/products/schedules/calls/call-record.ts";
import type { CallStatement } from "../../../src/products/schedules/calls/call-statement.ts";
import { raisedCancellation } from "../../../src/products/schedules/events/blank-sailing.ts";
import { callEvents } from "../../../src/products/schedules/events/call-events.ts";
import {
  measureServiceDay,
  RELIABILITY_DEFAULTS,
} from "../../../src/products/schedules/reliability/reliability.ts";
import { measureArrival } from "../../../src/products/schedules/calls/baseline.ts";
import { START_MS } from "../../support/clock.ts";
import { DAY_MS, HOUR_MS, said, type Said } from "../statements.ts";
import { recordAfter } from "./record.ts";

const HOURS = [48, 24];
const D = START_MS + 30 * DAY_MS;

type Step = { readonly atMs: number; readonly says?: CallStatement };

/** The data of what each step raises. */
function raised(steps: readonly Step[]): readonly (readonly Record<string, unknown>[])[] {
  let record: CallRecord | null = null;
  return steps.map(({ atMs, says }) => {
    const before: CallRecord | null = record;
    const after: CallRecord | null = says === undefined ? before : recordAfter(before, says, "ovs", atMs);
    if (after === null) return [];
    const cancelled = raisedCancellation({ before, after }, atMs);
    const events = callEvents({ ...after, raised: { ...after.raised, cancelled } }, HOURS, atMs);
    ({ record } = events);
    return events.drafts.map(({ data }) => data as Record<string, unknown>);
  });
}

describe("sailing_slipped", () => {
  const leaves = (ms: number, more: Said = {}) => said({ departure: { estimated: ms }, ...more });
  const slips = (...steps: readonly Step[]) =>
    raised(steps).map((all) => all.map((data) => data["delta_hours"]));
  const day = (days: number, says?: CallStatement): Step => ({
    atMs: START_MS + days * DAY_MS,
    ...(says === undefined ? {} : { says }),
  });

  test("adds small moves up, and counts from the last event", () => {
    const steps = [0, 10, 20, 30, 50].map((hours, days) => day(days, leaves(D + hours * HOUR_MS)));
    assert.deepEqual(slips(...steps), [[], [], [], [30], []]);
  });

  test("counts an estimate against the plan before it", () => {
    const planned = said({ departure: { planned: D } });
    assert.deepEqual(slips(day(0, planned), day(1, leaves(D + 2 * DAY_MS))), [[], [48]]);
  });
});

describe("cutoff_approaching", () => {
  const closes = (ms: number, more: Said = {}) =>
    said({ departure: { planned: D + DAY_MS }, cutOffs: { FCO: ms }, ...more });
  const warnings = (...steps: readonly [hours: number, says?: CallStatement][]) =>
    raised(
      steps.map(([hours, says]) => ({ atMs: D - hours * HOUR_MS, ...(says === undefined ? {} : { says }) })),
    ).map((all) => all.map((data) => data["hours_before"]));

  const CASES: readonly [
    what: string,
    steps: readonly [hours: number, says?: CallStatement][],
    expected: readonly number[][],
  ][] = [
    ["the nearest alone after an absence", [[100, closes(D)], [10]], [[], [24]]],
    [
      "at once when a move passes a warning hour",
      [[100, closes(D + 50 * HOUR_MS)], [40, closes(D)], [24]],
      [[], [48], [24]],
    ],
    [
      "nothing again after a small move",
      [[100, closes(D)], [48], [40, closes(D + HOUR_MS)], [23], [22]],
      [[], [48], [], [24], []],
    ],
    [
      "again after a move far away",
      [[100, closes(D)], [48], [24], [20, closes(D + 100 * HOUR_MS)], [-52], [-76]],
      [[], [48], [24], [], [48], [24]],
    ],
  ];
  for (const [what, steps, expected] of CASES) {
    test(`warns ${what}`, () => assert.deepEqual(warnings(...steps), expected));
  }
});

test("codes of cut-offs that a feed invents each time do not pile up", () => {
  let record: CallRecord | null = null;
  for (let step = 0; step < 20; step += 1) {
    const codes = Array.from({ length: 30 }, (_, number) => [`X${step}_${number}`, D] as const);
    const says = said({ cutOffs: Object.fromEntries(codes) });
    record = recordAfter(record, says, "cs", START_MS + step * HOUR_MS);
  }
  const names = Object.keys(record!.reports["cs"]!.said).filter((name) => name.startsWith("cutOff."));
  assert.equal(names.length, 100);
});

describe("the arrival that a call is measured by", () => {
  /** Whether it came on time, by what was expected and when; null: it is not measured. */
  const onTime = (...steps: readonly [daysBefore: number, arrival: Said["arrival"]][]): boolean | null => {
    const record = steps.reduce<CallRecord | null>(
      (before, [days, arrival = {}]) => recordAfter(before, said({ arrival }), "ovs", D - days * DAY_MS),
      null,
    );
    return measureArrival(record!)?.onTime ?? null;
  };

  test("is the last one expected a fortnight before", () => {
    assert.equal(
      onTime([30, { estimated: D }], [10, { estimated: D + 3 * DAY_MS }], [-3, { actual: D + 3 * DAY_MS }]),
      false,
    );
    assert.equal(
      onTime([30, { estimated: D - 5 * DAY_MS }], [20, { estimated: D }], [-1, { actual: D + DAY_MS }]),
      true,
    );
  });

  test("is the one before a move that brings the arrival nearer than a fortnight", () =>
    assert.equal(
      onTime([30, { estimated: D + 20 * DAY_MS }], [10, { estimated: D }], [0, { actual: D }]),
      false,
    ));

  test("is none if the call became known later", () =>
    assert.equal(onTime([10, { estimated: D }], [0, { actual: D }]), null));

  test("allows one day by the port's calendar", () => {
    // Noon in UTC is nine in the evening at Yokohama: 27 hours later is the day after the next there.
    assert.equal(onTime([30, { estimated: D }], [-2, { actual: D + 26 * HOUR_MS }]), true);
    assert.equal(onTime([30, { estimated: D }], [-2, { actual: D + 27 * HOUR_MS }]), false);
  });
});

// spec 6.2: reliability_drop
describe("reliability_drop", () => {
  const DAY = "2026-11-01";
  /** What each day raises, of on-time calls in a hundred. */
  const falls = (...days: readonly number[]) => {
    let reference: number | null = null;
    return days.map((onTime) => {
      const window = { carrier: "HRNL", service: "HE1", onTime, measured: 100, reference };
      const result = measureServiceDay(window, DAY, RELIABILITY_DEFAULTS);
      ({ reference } = result);
      return (result.draft?.data as { drop_points: number } | undefined)?.drop_points ?? null;
    });
  };

  test("is raised once for a fall, however slow, and again for the next", () => {
    assert.deepEqual(falls(90, 85, 81, 80, 79, 71, 70), [null, null, null, 10, null, null, 10]);
    assert.deepEqual(falls(50, 70, 61, 60), [null, null, null, 10]);
  });

  test("is not raised for too few calls", () => {
    const window = { carrier: "HRNL", service: "HE1", onTime: 0, measured: 9, reference: 900 };
    assert.deepEqual(measureServiceDay(window, DAY, RELIABILITY_DEFAULTS), { reference: 900, draft: null });
  });
});
