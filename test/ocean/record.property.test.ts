/** What holds of every record, whatever a carrier says and in whatever order. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { JOURNEYS_FOLDER, readRecordings } from "../../packages/simulator/src/replay/server.ts";
import type { CarrierEvent } from "../../src/products/ocean/sources/carrier-event.ts";
import { nextRecordAt, nextRecord } from "../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../src/products/ocean/record/shipment-record.ts";
import { timelineOf } from "../../src/products/ocean/timeline/timeline.ts";
import { tripsOf } from "../../src/products/ocean/timeline/trip.ts";
import { DAY_MS } from "../../src/runtime/durations.ts";
import { march } from "./event.ts";
import { statementsOf, UNARMED } from "./life.ts";
import { anyEvent, anyEvents } from "./any-event.ts";
import { forAll, runs } from "../support/runs.ts";

const NOW = march(28);
const RUNS = { numRuns: runs(300) };

function record(events: readonly CarrierEvent[], previous: ShipmentRecord | null = null): ShipmentRecord {
  return nextRecord({ carrier: "HRNL", identifierType: null, events, freeDays: [] }, previous, UNARMED, NOW);
}

/** The record after answers that each tell one statement more. */
function grown(statements: readonly CarrierEvent[]): readonly ShipmentRecord[] {
  const records: ShipmentRecord[] = [];
  for (let count = 1; count <= statements.length; count += 1) {
    records.push(record(statements.slice(0, count), records.at(-1) ?? null));
  }
  return records;
}

/** Without what depends on the polls: when an ETA was seen, what was promised first. */
function shown({ status, eta, boxes }: ShipmentRecord): object {
  const seen = boxes.map((box) => {
    const { equipment, vessel, voyage, origin, discharge, destination, transshipments } = box;
    const { milestones, timeline } = box;
    const places = { origin, discharge, destination, transshipments };
    return { equipment, status: box.status, vessel, voyage, ...places, milestones, timeline };
  });
  return { status, eta, boxes: seen };
}

test("no statements of a carrier are too strange for a record", () =>
  forAll(
    RUNS,
    anyEvents,
    anyEvents,
    fc.integer({ min: march(1), max: march(90) }),
    (first, second, later) => {
      const before = record(first);
      const after = record(second, before);
      const much = nextRecordAt(after, UNARMED, later);
      assert.ok([before, after, much].every(({ boxes }) => boxes.length > 0));
      assert.deepEqual(JSON.parse(JSON.stringify(after)), after);
    },
  ));

test("the order of an answer's statements does not matter, nor one that comes twice", () => {
  const orders = anyEvents.chain((events) =>
    fc.tuple(
      fc.constant(events),
      fc.shuffledSubarray(events, { minLength: events.length }),
      fc.subarray(events),
    ),
  );
  forAll(RUNS, orders, ([events, shuffled, twice]) => {
    assert.deepEqual(record([...shuffled, ...twice]), record(events));
  });
});

test("in whatever order the statements of a journey arrive, its record is the same in the end", async () => {
  for (const recording of await readRecordings(JOURNEYS_FOLDER)) {
    const [{ events: statements } = { events: [] }] = tripsOf(statementsOf(recording));
    const whole = shown(record(statements));
    forAll(10, fc.shuffledSubarray([...statements], { minLength: statements.length }), (arrival) => {
      assert.deepEqual(shown(grown(arrival).at(-1) as ShipmentRecord), whole);
    });
  }
});

test("an estimate of what has happened is nothing new, whenever it was made", () => {
  const estimates = anyEvents.chain((events) => {
    const actual = events.filter(({ classifier }) => classifier === "actual");
    // A box that was taken off again may be loaded again.
    const done = actual.filter(({ code }) => code !== "LOAD");
    const about = done.length === 0 ? fc.constant([]) : fc.array(estimateOf(done), { maxLength: 8 });
    return fc.tuple(fc.constant(actual), about);
  });
  forAll(RUNS, estimates, ([actual, more]) => {
    assert.deepEqual(timelineOf([...actual, ...more]), timelineOf(actual));
  });
});

function estimateOf(actual: readonly CarrierEvent[]): fc.Arbitrary<CarrierEvent> {
  return fc.tuple(fc.constantFrom(...actual), anyEvent).map(([event, other]) => ({
    ...event,
    // Another vessel, or the same one days later, may come for a box that was left behind.
    at: event.code === "DEPA" && other.at.ms - event.at.ms > 5 * DAY_MS ? event.at : other.at,
    createdAtMs: other.createdAtMs,
    vessel: event.code === "DEPA" ? event.vessel : other.vessel,
    classifier: other.classifier === "planned" ? "planned" : "estimated",
  }));
}
