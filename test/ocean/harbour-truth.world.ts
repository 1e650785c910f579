/**
 * A thousand boxes of the simulated harbour against its truth: what is raised is exactly what the specification
 * calls for, none missing, none twice. harbour-truth.soak.ts has more worlds.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createHarbour } from "../../packages/simulator/src/harbour/harbour.ts";
import { CLASS_NAMES } from "./harbour-classes.ts";
import { compareWithTruth, START_MS } from "./harbour-comparison.ts";

const SEED = 1;
const BOXES = 1_000;
/** What the world must contain for the comparison to mean anything. */
const EVENTS_MIN: Readonly<Record<string, number>> = {
  vessel_departed: 900,
  container_arrived: 900,
  eta_changed: 700,
  customs_hold: 100,
  container_available: 900,
  container_delivered: 900,
  container_misrouted: 25,
  schedule_disruption: 200,
  demurrage_warning: 800,
  demurrage_started: 300,
  shipment_updated: 5_000,
};

/** And of each class, in shipments. */
const SHOWN_MIN: Readonly<Record<string, number>> = {
  "earlier trips": 40,
  "next trip awaited": 8,
  "trip after": 25,
  "transshipment of a month": 10,
  "transshipment named": 25,
  "sent on after its release": 15,
  "sent on after a handover": 6,
  "held twice, or after its release": 20,
  "release withdrawn": 15,
  "left behind on the quay": 30,
  "taken off": 20,
  "left behind twice": 10,
  "left behind at a transshipment": 10,
  "trucked between terminals": 30,
  "no departures": 30,
  "dates only": 30,
  "discharged and loaded at one instant": 4,
  "implied departure": 30,
  "implied delivery": 5,
  rail: 100,
  "end dropped": 20,
  "actual time ahead": 15,
  "plan gone with a discharge": 10,
  "two shifts in a day": 5,
  "free days stated": 60,
  "free days moved": 25,
  "free days stated at a transshipment": 20,
  "one voyage number": 10,
  "released at sea": 25,
  "answers from two caches": 20,
  "out and in again at the last port": 10,
  "shuttled by barge": 10,
  "shuttled by train": 10,
  "shuttled by truck": 10,
  "late for its ship, and booked on the next": 8,
  "late for its ship, and not booked yet": 5,
  "next call of the ship that discharged it": 30,
  "carried past its destination": 20,
  "carried past, with the discharge there planned until it is found": 8,
  "pruned after its end": 50,
  "pruned in the answer of its end": 20,
  "free days foreseen, and stated at the discharge": 10,
  "free days foreseen alone": 10,
  "free days over before the discharge": 5,
  "free days on a gate of the first port": 5,
  "port in another form": 20,
  "port under its neighbour's code": 8,
};

test("the events raised for a thousand boxes are exactly the expected ones", (t) => {
  const harbour = createHarbour({ seed: SEED, boxes: BOXES, startMs: START_MS });
  const raised = new Map<string, number>();
  const shown = new Map<string, number>();
  for (let index = 0; index < BOXES; index += 1) {
    const { differences, events, classes } = compareWithTruth(harbour, index);
    assert.deepEqual(differences, [], `box ${index} of seed ${SEED}`);
    for (const { type } of events) raised.set(type, (raised.get(type) ?? 0) + 1);
    for (const name of classes) shown.set(name, (shown.get(name) ?? 0) + 1);
  }
  for (const [type, least] of Object.entries(EVENTS_MIN)) {
    assert.ok((raised.get(type) ?? 0) >= least, `${type}: ${raised.get(type)}, not ${least}`);
  }
  for (const name of CLASS_NAMES) {
    const count = shown.get(name) ?? 0;
    t.diagnostic(`${name}: ${((count / BOXES) * 100).toFixed(1)} %`);
    assert.ok(count >= (SHOWN_MIN[name] ?? 1), `${name}: ${count}, not ${SHOWN_MIN[name]}`);
  }
});
