/** The harbour's truth in many worlds; see harbour-truth.world.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createHarbour } from "../../packages/simulator/src/harbour/harbour.ts";
import { compareWithTruth, START_MS } from "./harbour-comparison.ts";

const WORLDS = 20;
const BOXES = 1_000;

for (let seed = 100; seed < 100 + WORLDS; seed += 1) {
  test(`the events raised in the world of seed ${seed} are exactly the expected ones`, (t) => {
    const harbour = createHarbour({ seed, boxes: BOXES, startMs: START_MS });
    let different = 0;
    for (let index = 0; index < BOXES; index += 1) {
      const { differences } = compareWithTruth(harbour, index);
      if (differences.length > 0) t.diagnostic(`box ${index}: ${differences.join("; ")}`);
      different += Number(differences.length > 0);
    }
    assert.equal(different, 0);
  });
}
