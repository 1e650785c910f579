/**
 * Some boxes of the simulated harbour against its truth: what is raised is exactly what the specification
 * calls for, none missing, none twice. harbour-truth.soak.ts has thousands.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createHarbour } from "../../sim/harbour/harbour.ts";
import { compareWithTruth, START_MS } from "./harbour-comparison.ts";

const SEED = 1;
const BOXES = 200;
/** What the world must have brought about, so that the comparison says something. */
const EVENTS_MIN: Readonly<Record<string, number>> = {
  vessel_departed: 180,
  container_arrived: 180,
  eta_changed: 140,
  customs_hold: 20,
  container_available: 180,
  container_delivered: 180,
  container_misrouted: 5,
  schedule_disruption: 40,
  demurrage_warning: 160,
  demurrage_started: 60,
  shipment_updated: 1_000,
};

test("the events raised for two hundred boxes are exactly those that the truth calls for", () => {
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
