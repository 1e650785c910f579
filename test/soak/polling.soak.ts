/** Polling under faults, again and again: `npm run test:soak`, some ten minutes. */
import { test } from "node:test";

import { killPollers } from "../faults/polling-killed.ts";

const RUNS = 8;

test("a service killed at every stage of the journeys that it polls loses no event and raises none twice", async (t) => {
  for (let run = 0; run < RUNS; run += 1) {
    await t.test(`run ${run + 1} of ${RUNS}`, async (inner) => {
      await killPollers(inner, Number.POSITIVE_INFINITY);
    });
  }
});
