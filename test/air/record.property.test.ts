/** What holds for every waybill, whatever its airline reports, in any order and any number of times. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import type { AirEvent, WaybillStatement } from "../../src/products/air/timeline/air-event.ts";
import { changesBetween, type TrackedWaybill } from "../../src/products/air/events.ts";
import { AIR_STATUSES } from "../../src/products/air/status.ts";
import { nextRecord, type WaybillRecord } from "../../src/products/air/record/waybill-record.ts";
import { checkEvents } from "../support/check-deliveries.ts";
import { AWB, NOW_MS, event, flight, hour, nextRecordOfOne } from "./statements.ts";
import { forAll, runs } from "../support/runs.ts";

const RUNS = { numRuns: runs(300) };

const CODES =
  "BKD DPU DOC FOH RCS RCT PRE MAN FOW DEP ARR FIW RCF TRM TFD NFD AWR AWD CRC CCD TGC DLV DDL DIS".split(
    " ",
  ) as AirEvent["code"][];

const airport = fc.constantFrom("FRA", "DXB", "SIN", null);
const pieces = fc.constantFrom(null, 3, 4, 10);

const anyEvent: fc.Arbitrary<AirEvent> = fc
  .record({
    code: fc.constantFrom(...CODES),
    station: airport,
    hours: fc.option(fc.integer({ min: 0, max: 30 })),
    flown: fc.constantFrom({}, flight("8001"), flight("8003")),
    planned: fc.constantFrom({}, {}, { planned: true as const }),
    to: airport,
    pieces,
    shipmentPart: fc.constantFrom(null, "total", "part", "split"),
    totalPieces: fc.constantFrom(null, 10),
  })
  .map(({ code, station, hours, flown, planned, ...more }) => {
    const arrival = more.to === null ? null : hour(40);
    return event(code, station, hours, { ...flown, ...planned, ...more, arrival });
  });

const anyStatement: fc.Arbitrary<WaybillStatement> = fc.record({
  awb: fc.constant(AWB),
  origin: airport,
  destination: airport,
  pieces,
  weightKg: fc.constantFrom(null, 100, 120),
  events: fc.array(anyEvent, { maxLength: 6 }),
});

const statements = fc.array(anyStatement, { minLength: 1, maxLength: 6 });

const TRACKED: TrackedWaybill = { id: "w", accountId: "a", airlineIata: "LH", sinceMs: 0 };

function after(all: readonly WaybillStatement[]): WaybillRecord {
  return all.reduce<WaybillRecord | null>((previous, one) => nextRecordOfOne(one, previous), null)!;
}

/** Over so many statements, one after the other. */
function holds(name: string, check: (all: readonly WaybillStatement[]) => void): void {
  test(name, () => forAll(RUNS, statements, check));
}

holds("any statements make a record, which reads back unchanged", (all) => {
  const record = after(all);
  assert.ok(AIR_STATUSES.includes(record.status));
  assert.deepEqual(JSON.parse(JSON.stringify(record)), record);
});

test("neither the order of statements nor a repeat matters, and all together say the same", () => {
  const orders = statements.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all)),
  );
  forAll(RUNS, orders, ([all, shuffled, again]) => {
    assert.deepEqual(after([...shuffled, ...again]), after(all));
    const [first, ...rest] = all;
    assert.deepEqual(nextRecord(AWB, rest, nextRecordOfOne(first!, null), NOW_MS), after(all));
  });
});

holds("a timeline is sorted by time", (all) => {
  const { timeline } = after(all);
  // Midnight stands for a day without a time.
  if (timeline.some(({ at }) => at === null || at.local.endsWith("T00:00:00"))) return;
  const times = timeline.map(({ at }) => at!.ms);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

holds("no event is raised on the first poll, and each status at most once in a waybill's life", (all) => {
  let record: WaybillRecord | null = null;
  const raised: string[] = [];
  for (const one of all) {
    const changes = changesBetween(TRACKED, record, nextRecordOfOne(one, record), 0);
    assert.ok(changes.events.length <= (record === null ? 0 : 1));
    checkEvents(changes.events);
    raised.push(...changes.events.map(({ type }) => type));
    ({ record } = changes);
    const again = changesBetween(TRACKED, record, nextRecordOfOne(one, record), 0);
    assert.deepEqual(again, { events: [], record });
  }
  assert.equal(new Set(raised).size, raised.length);
  assert.ok(!raised.includes("awb_departed"));
});
