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
import { runs } from "../support/runs.ts";

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

test("any statements make a record, which reads back unchanged", () => {
  fc.assert(
    fc.property(statements, (all) => {
      const record = after(all);
      assert.ok(AIR_STATUSES.includes(record.status));
      assert.deepEqual(JSON.parse(JSON.stringify(record)), record);
    }),
    RUNS,
  );
});

test("neither the order of statements nor a repeat matters", () => {
  const orders = statements.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all)),
  );
  fc.assert(
    fc.property(orders, ([all, shuffled, again]) => {
      assert.deepEqual(after([...shuffled, ...again]), after(all));
    }),
    RUNS,
  );
});

test("statements together give the same record as one after the other", () => {
  fc.assert(
    fc.property(statements, anyStatement, (all, before) => {
      const previous = nextRecordOfOne(before, null);
      assert.deepEqual(nextRecord(AWB, all, previous, NOW_MS), after([before, ...all]));
    }),
    RUNS,
  );
});

test("a timeline is sorted by time", () => {
  fc.assert(
    fc.property(statements, (all) => {
      const times = after(all).timeline.flatMap(({ at }) => at?.ms ?? []);
      const { timeline } = after(all);
      // Midnight stands for a day without a time.
      if (timeline.every(({ at }) => at !== null && !at.local.endsWith("T00:00:00"))) {
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        );
      }
    }),
    RUNS,
  );
});

test("no event is raised on the first poll, and each status at most once in a waybill's life", () => {
  fc.assert(
    fc.property(statements, (all) => {
      let record: WaybillRecord | null = null;
      const raised: string[] = [];
      for (const one of all) {
        const isFirst: boolean = record === null;
        const changes = changesBetween(TRACKED, record, nextRecordOfOne(one, record), 0);
        if (isFirst) assert.deepEqual(changes.events, []);
        checkEvents(changes.events);
        assert.ok(changes.events.length <= 1);
        raised.push(...changes.events.map(({ type }) => type));
        ({ record } = changes);
        const again = changesBetween(TRACKED, record, nextRecordOfOne(one, record), 0);
        assert.deepEqual(again, { events: [], record });
      }
      assert.equal(new Set(raised).size, raised.length);
      assert.ok(!raised.includes("awb_departed"));
    }),
    RUNS,
  );
});
