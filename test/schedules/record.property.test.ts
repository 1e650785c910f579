import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import type { CallFacts, CallRecord } from "../../src/products/schedules/calls/call-record.ts";
import { CALL_STATUSES, type CallStatement } from "../../src/products/schedules/calls/call-statement.ts";
import { raisedCancellation } from "../../src/products/schedules/events/blank-sailing.ts";
import { callEvents } from "../../src/products/schedules/events/call-events.ts";
import { mergeStatements } from "../../src/products/schedules/calls/merge-statements.ts";
import { factsOf } from "../../src/products/schedules/calls/feed-reports.ts";
import { START_MS } from "../support/clock.ts";
import { recordAfter } from "./events/record.ts";
import { DAY_MS, HOUR_MS, said } from "./statements.ts";
import { forAll } from "../support/runs.ts";

const D = START_MS + 20 * DAY_MS;

const time = fc.option(
  fc.integer({ min: -60, max: 60 }).map((hours) => D + hours * HOUR_MS),
  { nil: undefined },
);
const times = fc
  .record({ planned: time, estimated: time, actual: time })
  .map((named) => Object.fromEntries(Object.entries(named).filter(([, ms]) => ms !== undefined)));

const statement: fc.Arbitrary<CallStatement> = fc
  .record({
    arrival: times,
    departure: times,
    status: fc.option(fc.constantFrom(...CALL_STATUSES)),
    terminal: fc.option(fc.constantFrom("HMB", "MNM")),
    reference: fc.option(fc.constantFrom("a", "b")),
    remark: fc.option(fc.constantFrom("fog", "strike")),
    cutOffs: fc.option(fc.dictionary(fc.constantFrom("FCO", "VCO", "EFC"), fc.constantFrom(D, D - DAY_MS))),
    vessel: fc.constantFrom(
      { imo: "9321483", name: "HERON DAWN", isDummy: false },
      { imo: null, name: "HERON DAWN", isDummy: false },
      { imo: "9321483", name: null, isDummy: false },
      { imo: null, name: "HRNLTBN1", isDummy: true },
    ),
  })
  .map(said);

type Telling = { readonly feed: string; readonly atMs: number; readonly says: CallStatement };

/** What three feeds say over some days, each in its own order. */
const tellings: fc.Arbitrary<readonly Telling[]> = fc.array(
  fc.record({
    feed: fc.constantFrom("cs-ports", "cs-vessels", "ovs"),
    atMs: fc.integer({ min: 0, max: 100 }).map((step) => START_MS + step * 6 * HOUR_MS),
    says: statement,
  }),
  { minLength: 1, maxLength: 12 },
);

function factsAfter(all: readonly Telling[]): CallFacts {
  const record = all.reduce<CallRecord | null>(
    (before, { feed, atMs, says }) => recordAfter(before, says, feed, atMs),
    null,
  );
  return factsOf(record!.reports);
}

const byTime = (one: Telling, other: Telling) => one.atMs - other.atMs;

describe("the record of a call", () => {
  test("has the same facts, in whatever order feeds are polled", () =>
    forAll(100, tellings, (all) => {
      const inTime = all.toSorted(byTime);
      const feedByFeed = [...Map.groupBy(inTime, ({ feed }) => feed).values()].flat();
      const backwards = [...Map.groupBy(inTime, ({ feed }) => feed).values()].toReversed().flat();
      assert.deepEqual(factsAfter(feedByFeed), factsAfter(inTime));
      assert.deepEqual(factsAfter(backwards), factsAfter(inTime));
    }));

  test("never expects an estimate once there is an actual time", () =>
    forAll(100, tellings, (all) => {
      const { arrival } = factsAfter(all.toSorted(byTime));
      const isTold = all.some(({ says }) => says.arrival.actual !== null);
      assert.equal(arrival.actual !== null, isTold);
    }));

  test("has the same calls, in whatever order an answer lists them", () =>
    forAll(100, fc.array(statement, { minLength: 1, maxLength: 6 }), (group) => {
      assert.deepEqual(mergeStatements(group.toReversed()), mergeStatements(group));
    }));

  test("keeps a vessel's IMO number, whichever feed gives it, while the others give its name alone", () => {
    const name = "HERON DAWN";
    const vessel = fc.constantFrom(
      { imo: "9321483", name, isDummy: false },
      { imo: null, name, isDummy: false },
    );
    const telling = fc.record({
      feed: fc.constantFrom("cs", "ovs"),
      atMs: fc.integer({ min: START_MS, max: START_MS + 5 }),
      says: vessel.map((one) => said({ vessel: one })),
    });
    forAll(100, fc.array(telling, { minLength: 1, maxLength: 6 }), (all) => {
      const isTold = all.some(({ says }) => says.vessel.imo !== null);
      assert.equal(factsAfter(all.toSorted(byTime)).vessel.imo, isTold ? "9321483" : null);
    });
  });

  test("raises each event once, however often answers and checks are repeated", () =>
    forAll(100, tellings, (all) => {
      const once = keysRaised(all.toSorted(byTime), 1);
      const often = keysRaised(all.toSorted(byTime), 3);
      assert.deepEqual(often, once);
    }));
});

/** The keys of the events if every answer comes that many times. */
function keysRaised(all: readonly Telling[], repeats: number): readonly string[] {
  let record: CallRecord | null = null;
  const keys: string[] = [];
  for (const { feed, atMs, says } of all.flatMap((one) => Array.from({ length: repeats }, () => one))) {
    const before: CallRecord | null = record;
    const after: CallRecord = recordAfter(before, says, feed, atMs);
    const cancelled = raisedCancellation({ before, after }, atMs);
    const events = callEvents({ ...after, raised: { ...after.raised, cancelled } }, [48, 24], atMs);
    ({ record } = events);
    keys.push(...events.drafts.map(({ key }) => key));
  }
  return keys;
}
