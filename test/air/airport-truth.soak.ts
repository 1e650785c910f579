/** The airport's truth in many worlds; see airport-truth.world.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createAirport } from "../../packages/simulator/src/airport/airport.ts";
import { compareWithTruth } from "./airport-comparison.ts";

const WORLDS = 10;
const WAYBILLS = 1_000;
const DAY_MS = 24 * 3_600_000;

for (let seed = 100; seed < 100 + WORLDS; seed += 1) {
  // From January to September: an hour that clocks show twice in autumn looks the same both times in a message.
  const startMs = Date.UTC(2026, 0, 15) + (seed % 8) * 30 * DAY_MS;
  test(`the events raised in the airport of seed ${seed} are exactly the true ones`, () => {
    const airport = createAirport({ seed, waybills: WAYBILLS, startMs });
    for (let index = 0; index < WAYBILLS; index += 1) {
      const fromMs = airport.waybillAt(index).bookedMs + ((index % 9) - 1) * DAY_MS;
      const { differences } = compareWithTruth(airport, index, fromMs);
      assert.deepEqual(differences, [], `waybill ${index} of seed ${seed}`);
    }
  });
}
