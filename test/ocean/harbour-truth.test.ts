/**
 * A thousand boxes of the simulated harbour against its truth: what is raised is exactly what the specification
 * calls for, none missing, none twice. harbour-truth.soak.ts has more worlds.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createHarbour } from "../../packages/simulator/src/harbour/harbour.ts";
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

test("the events raised for a thousand boxes are exactly the expected ones", () => {
  const harbour = createHarbour({ seed: SEED, boxes: BOXES, startMs: START_MS });
  const raised = new Map<string, number>();
  for (let index = 0; index < BOXES; index += 1) {
    const { differences, events } = compareWithTruth(harbour, index);
    assert.deepEqual(differences, [], `box ${index} of seed ${SEED}`);
    for (const { type } of events) raised.set(type, (raised.get(type) ?? 0) + 1);
  }
  for (const [type, least] of Object.entries(EVENTS_MIN)) {
    assert.ok((raised.get(type) ?? 0) >= least, `${type}: ${raised.get(type)}, not ${least}`);
  }
});
