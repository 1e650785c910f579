/** The harbour's truth in many worlds; see harbour-truth.test.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createHarbour } from "../../sim/harbour/harbour.ts";
import { compareWithTruth, START_MS } from "./harbour-comparison.ts";

const WORLDS = 20;
const BOXES = 1_000;

for (let seed = 100; seed < 100 + WORLDS; seed += 1) {
  test(`the events raised in the world of seed ${seed} are exactly those that the truth calls for`, () => {
    const harbour = createHarbour({ seed, boxes: BOXES, startMs: START_MS });
    for (let index = 0; index < BOXES; index += 1) {
      assert.deepEqual(compareWithTruth(harbour, index).differences, [], `box ${index} of seed ${seed}`);
    }
  });
}
