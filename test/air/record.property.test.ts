/** What holds of every waybill, whatever its airline says, in whatever order and however often. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import type { AirEvent, WaybillStatement } from "../../src/products/air/timeline/air-event.ts";
import { changesBetween, type TrackedWaybill } from "../../src/products/air/events.ts";
import { AIR_STATUSES } from "../../src/products/air/status.ts";
import {
  nextRecordOfOne,
  nextRecord,
  type WaybillRecord,
} from "../../src/products/air/record/waybill-record.ts";
import { checkEvents } from "../support/check-deliveries.ts";
import { AWB, event, flight, hour } from "./statements.ts";

const RUNS = { numRuns: 300 };

const CODES = "BKD FOH RCS RCT PRE MAN DEP ARR RCF TRM TFD NFD AWR AWD CRC CCD TGC DLV DDL DIS".split(
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

function after(said: readonly WaybillStatement[]): WaybillRecord {
  return said.reduce<WaybillRecord | null>((previous, one) => nextRecordOfOne(one, previous), null)!;
}

test("no statements are too strange for a record, and it is as it was when it is read back", () => {
  fc.assert(
    fc.property(statements, (said) => {
      const record = after(said);
      assert.ok(AIR_STATUSES.includes(record.status));
      assert.deepEqual(JSON.parse(JSON.stringify(record)), record);
    }),
    RUNS,
  );
});

test("the order in which statements come does not matter, nor one that comes again", () => {
  const orders = statements.chain((said) =>
    fc.tuple(fc.constant(said), fc.shuffledSubarray(said, { minLength: said.length }), fc.subarray(said)),
  );
  fc.assert(
    fc.property(orders, ([said, shuffled, again]) => {
      assert.deepEqual(after([...shuffled, ...again]), after(said));
    }),
    RUNS,
  );
});

test("statements that come at once say what they say one after the other", () => {
  fc.assert(
    fc.property(statements, anyStatement, (said, before) => {
      const previous = nextRecordOfOne(before, null);
      assert.deepEqual(nextRecord(AWB, said, previous), after([before, ...said]));
    }),
    RUNS,
  );
});

test("a timeline is sorted by time", () => {
  fc.assert(
    fc.property(statements, (said) => {
      const times = after(said).timeline.flatMap(({ at }) => at?.ms ?? []);
      const { timeline } = after(said);
      if (timeline.every(({ at }) => at !== null)) {
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        );
      }
    }),
    RUNS,
  );
});

test("no event is raised on the first look, and each status at most once in a waybill's life", () => {
  fc.assert(
    fc.property(statements, (said) => {
      let record: WaybillRecord | null = null;
      const raised: string[] = [];
      for (const one of said) {
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
