/** spec 3.3: repoll: a repeated answer raises nothing, whatever it holds. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import type { FreeDay } from "../../../src/products/ocean/sources/carrier-event.ts";
import { changesBetween } from "../../../src/products/ocean/events/changes.ts";
import { nextRecordAt, nextRecord, previousBox } from "../../../src/products/ocean/record/record.ts";
import type { RecordContext, ShipmentRecord } from "../../../src/products/ocean/record/shipment-record.ts";
import { checkEvents } from "../../support/check-deliveries.ts";
import { tariff } from "../demurrage/discharged-box.ts";
import { anyEvents } from "../any-event.ts";
import { march } from "../event.ts";
import { TRACKED } from "../life.ts";
import { forAll, runs } from "../../support/runs.ts";

const RUNS = 300;

/** Seldom more than a carrier says of a box. */
const anyAnswer = anyEvents.filter((events) => events.length > 0);

const anyFreeDays: fc.Arbitrary<readonly FreeDay[]> = fc.constantFrom(
  [],
  [{ equipment: null, lastFreeDay: "2026-03-25" }],
  [{ equipment: "HRNU4000017", lastFreeDay: "2026-03-29" }],
);

const anyContext: fc.Arbitrary<RecordContext> = fc.record({
  tariffs: fc.constantFrom([], [tariff({ freeDays: 3, rates: [{ fromDay: 1, centsUsd: 9_900 }] })]),
  armedFromMs: fc.constantFrom(null, march(10)),
});

test("the same answer again changes nothing and raises nothing, by poll or by re-evaluation", () =>
  forAll(
    runs(RUNS),
    fc.array(fc.tuple(anyAnswer, anyFreeDays), { minLength: 1, maxLength: 4 }),
    anyContext,
    (answers, context) => {
      let before: ShipmentRecord | null = null;
      for (const [index, [events, freeDays]] of answers.entries()) {
        const nowMs = march(8 + 8 * index);
        const statements = { carrier: "HRNL", identifierType: "booking", events, freeDays } as const;
        // The end that an answer leaves out is gone once a second one has left it out.
        const once = nextRecord(statements, before, context, nowMs);
        const next: ShipmentRecord = before === null ? once : nextRecord(statements, once, context, nowMs);
        const raised = changesBetween(TRACKED, before, next, context, nowMs);
        checkEvents(raised.events);
        if (before === null) assert.deepEqual(raised.events, []);
        const again = nextRecord(statements, raised.record, context, nowMs);
        assert.deepEqual(again, raised.record);
        assert.deepEqual(changesBetween(TRACKED, raised.record, again, context, nowMs).events, []);
        const later = nextRecordAt(raised.record, context, nowMs);
        assert.deepEqual(changesBetween(TRACKED, raised.record, later, context, nowMs).events, []);
        before = raised.record;
      }
    },
  ));

test("what happens once to a box has a key of its own, and no two things share one", () =>
  forAll(runs(RUNS), fc.array(anyAnswer, { minLength: 2, maxLength: 5 }), anyContext, (answers, context) => {
    const keys: string[] = [];
    let before: ShipmentRecord | null = null;
    for (const [index, events] of answers.entries()) {
      const nowMs = march(6 + 6 * index);
      const statements = {
        carrier: "HRNL",
        identifierType: "booking",
        // Each answer says all that the ones before it said.
        events: [...answers.slice(0, index).flat(), ...events],
        freeDays: [],
      } as const;
      const next: ShipmentRecord = nextRecord(statements, before, context, nowMs);
      const raised = changesBetween(TRACKED, before, next, context, nowMs);
      for (const { type, dedupKey } of raised.events) {
        assert.equal(dedupKey === undefined, type === "shipment_updated");
        if (dedupKey !== undefined && isOncePerLife(type)) keys.push(dedupKey);
      }
      before = raised.record;
    }
    assert.deepEqual(keys, [...new Set(keys)]);
  }));

test("spec 2.4: previous_status: the events of a box form a chain from the status that its record showed before, and each names a change", () =>
  forAll(
    runs(RUNS),
    fc.array(anyAnswer, { minLength: 2, maxLength: 5 }),
    anyFreeDays,
    (answers, freeDays) => {
      let before: ShipmentRecord | null = null;
      for (const [index, events] of answers.entries()) {
        const nowMs = march(6 + 6 * index);
        const context = { tariffs: [], armedFromMs: march(1) };
        const statements = { carrier: "HRNL", identifierType: "booking", events, freeDays } as const;
        const next: ShipmentRecord = nextRecord(statements, before, context, nowMs);
        const raised = changesBetween(TRACKED, before, next, context, nowMs);
        for (const { equipment, status } of next.boxes) {
          let shown = (before === null ? null : previousBox(before, equipment))?.status;
          for (const { type, data } of raised.events) {
            const fields = JSON.parse(data) as Readonly<Record<string, string>>;
            const isOwn = (fields["equipment_reference"] ?? null) === equipment;
            if (!isOwn || fields["new_status"] === undefined) continue;
            if (type.startsWith("demurrage")) assert.equal(fields["previous_status"], status, type);
            else if (fields["new_status"] !== shown) assert.equal(fields["previous_status"], shown, type);
            else assert.notEqual(fields["previous_status"], shown, type);
            shown = fields["new_status"] as typeof status;
          }
        }
        before = raised.record;
      }
    },
  ));

/** The others may happen again, and so may a retracted milestone. */
function isOncePerLife(type: string): boolean {
  return (
    ["container_arrived", "container_misrouted", "demurrage_warning", "demurrage_started"].includes(type) ||
    type === "schedule_disruption"
  );
}
