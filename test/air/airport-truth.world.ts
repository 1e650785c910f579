/**
 * Waybills of the simulated airport, compared with its truth: every event of the specification is raised, none is
 * missing, none comes twice, and flight, ETA, pieces and weight are right at any time (spec 2.6; spec 6.4: awb_accepted, awb_in_transit, awb_arrived, awb_available, awb_delivered;
 * 1: air_tracking).
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { nextRecord } from "../../src/products/air/record/waybill-record.ts";
import { createAirport, type Airport } from "../../packages/simulator/src/airport/airport.ts";
import { pushedMessages, type Life } from "../../packages/simulator/src/airport/life.ts";
import { journeyOf } from "../../packages/simulator/src/airport/journey.ts";
import type { Report } from "../../packages/simulator/src/airport/reporting.ts";
import { ADVERSARY_CLASSES } from "./airport-adversary-classes.ts";
import { CLASSES, MANIFESTED_AHEAD } from "./airport-classes.ts";
import { compareWithTruth } from "./airport-comparison.ts";
import { liveAtAirport, messagesOf } from "./airport-life.ts";
import { forAll } from "../support/runs.ts";

/** Some days before clocks are put forward in America, and some weeks before they are in Europe. */
const SPRING_MS = Date.UTC(2026, 2, 1);
/** Messages have no year. */
const NEW_YEAR_MS = Date.UTC(2026, 11, 20);
const HOUR_MS = 3_600_000;
const WAYBILLS = 1_000;
/** The soak compares all of them, in ten worlds. */
const COMPARED = 200;

/** Without this many events, the comparison would prove nothing. */
const EVENTS_MIN: Readonly<Record<string, number>> = {
  awb_accepted: 160,
  awb_in_transit: 170,
  awb_arrived: 160,
  awb_available: 160,
  awb_delivered: 160,
};

test("the events raised and the facts known of hundreds of waybills are exactly the true ones", () => {
  const airport = createAirport({ seed: 1, waybills: WAYBILLS, startMs: SPRING_MS });
  const raised = countedEvents(airport, COMPARED, (bookedMs) => bookedMs - HOUR_MS);
  for (const [type, least] of Object.entries(EVENTS_MIN)) {
    assert.ok((raised.get(type) ?? 0) >= least, `${type}: ${raised.get(type)}, not ${least}`);
  }
});

test("a thousand waybills show each class of what is difficult", (t) => {
  const airport = createAirport({ seed: 1, waybills: WAYBILLS, startMs: SPRING_MS });
  const lives = Array.from({ length: WAYBILLS }, (_, index) => airport.lifeOf(airport.waybillAt(index)));
  for (const [what, [leastPercent, isShown]] of Object.entries({ ...CLASSES, ...ADVERSARY_CLASSES })) {
    const percent = (lives.filter(isShown).length * 100) / WAYBILLS;
    t.diagnostic(`${percent.toFixed(1)} %: ${what}`);
    assert.ok(percent >= leastPercent, `${what}: ${percent} %, not ${leastPercent} %`);
  }
});

test("spec 6.4: cargo is in transit from its departure on, though a manifest of its next flight is made ahead", () => {
  const airport = createAirport({ seed: 1, waybills: WAYBILLS, startMs: SPRING_MS });
  const [, isShown] = CLASSES[MANIFESTED_AHEAD]!;
  const lives = Array.from({ length: WAYBILLS }, (_, index) => airport.lifeOf(airport.waybillAt(index)));
  for (const life of lives.filter(isShown)) {
    const { awb, bookedMs } = life.waybill;
    const departures = journeyOf(1, life.waybill).filter(({ code }) => code === "DEP");
    const leftMs = Math.min(...departures.map(({ atMs }) => atMs));
    const { events } = liveAtAirport(life, bookedMs - HOUR_MS);
    const early = events.filter(({ type, atMs }) => type === "awb_in_transit" && atMs < leftMs);
    assert.deepEqual(early, [], awb);
  }
});

test("spec 2.6: on the day on which a part left, at no known time, the flight that another is loaded on is right", () => {
  const airport = createAirport({ seed: 111, waybills: WAYBILLS, startMs: Date.UTC(2026, 7, 13) });
  const index = 327;
  const { differences } = compareWithTruth(airport, index, airport.waybillAt(index).bookedMs + 48 * HOUR_MS);
  assert.deepEqual(differences, []);
});

test("a status reached before tracking raises nothing, and a later one does", () => {
  const airport = createAirport({ seed: 2, waybills: WAYBILLS, startMs: NEW_YEAR_MS });
  const raised = countedEvents(airport, 90, (bookedMs, index) => bookedMs + (index % 9) * 24 * HOUR_MS);
  assert.ok((raised.get("awb_accepted") ?? 0) < (raised.get("awb_delivered") ?? 0) / 2);
});

test("spec 3.3: a waybill asked for ten months later is exact, and raises nothing", () => {
  const airport = createAirport({ seed: 5, waybills: WAYBILLS, startMs: SPRING_MS });
  const raised = countedEvents(airport, 60, (bookedMs) => bookedMs + 300 * 24 * HOUR_MS);
  assert.equal(raised.size, 0);
});

function countedEvents(
  airport: Airport,
  waybills: number,
  fromMs: (bookedMs: number, index: number) => number,
): ReadonlyMap<string, number> {
  const raised = new Map<string, number>();
  for (let index = 0; index < waybills; index += 1) {
    const { bookedMs } = airport.waybillAt(index);
    const { differences, events } = compareWithTruth(airport, index, fromMs(bookedMs, index));
    assert.deepEqual(differences, [], `waybill ${index}`);
    for (const { type } of events) raised.set(type, (raised.get(type) ?? 0) + 1);
  }
  return raised;
}

test("the order in which messages come makes no difference to the final record", () => {
  const airport = createAirport({ seed: 3, waybills: WAYBILLS, startMs: SPRING_MS });
  const lives = Array.from({ length: 120 }, (_, index) => airport.lifeOf(airport.waybillAt(index)));
  const pushed = lives.filter(({ waybill }) => waybill.airline.protocol === "fsu");
  const anyLife = fc.constantFrom(...pushed);
  const anyOrder = anyLife.chain((life) => fc.tuple(fc.constant(life), anyOrderOf(pushedMessages(life))));
  forAll(50, anyOrder, ([life, order]) => {
    assert.deepEqual(knownAfter(life, order), knownAfter(life, pushedMessages(life)));
  });
});

function anyOrderOf<Item>(items: readonly Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length });
}

/** Each message is received when it was sent, and gives the next record. */
function knownAfter(life: Life, messages: readonly (readonly Report[])[]): object {
  const { awb } = life.waybill;
  const nowMs = Math.max(...messages.flat().map(({ reportedMs }) => reportedMs));
  const empty = nextRecord(awb, [], null, nowMs);
  const { told: _, ...known } = messagesOf(life, messages).reduce(
    (record, one) => nextRecord(awb, [one], record, nowMs),
    empty,
  );
  return known;
}
