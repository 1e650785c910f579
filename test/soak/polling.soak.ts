/** Polling under faults, again and again: `npm run test:soak`, some ten minutes. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { killInHarbour } from "../faults/harbour-killed.ts";
import { killPollers } from "../faults/polling-killed.ts";

const RUNS = 4;

test("a poller killed at every moment of sixty days raises exactly what the harbour's truth calls for", async (t) => {
  const voyage = { boxes: 12, accounts: 4, days: 60, momentsBetweenKillsMax: 1 };
  const { kills, interrupted } = await killInHarbour(t, voyage);
  // Only of the third that leaves the database alone it can be seen.
  assert.ok(interrupted * 6 > kills, `${interrupted} of ${kills} kills were seen to break looks off`);
});

test("a service killed at every stage of the journeys that it polls loses no event and raises none twice", async (t) => {
  for (let run = 0; run < RUNS; run += 1) {
    await t.test(`run ${run + 1} of ${RUNS}`, async (inner) => {
      await killPollers(inner, Number.POSITIVE_INFINITY);
    });
  }
});
