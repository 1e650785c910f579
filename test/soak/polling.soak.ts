/** Polling under faults, again and again: `npm run test:soak`, some ten minutes. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { killInHarbour } from "../faults/harbour-killed.ts";

test("a poller killed at every moment of sixty days raises exactly what the harbour's truth calls for", async (t) => {
  const voyage = { boxes: 12, accounts: 4, days: 60, momentsBetweenKillsMax: 1 };
  const { kills, interrupted } = await killInHarbour(t, voyage);
  // Only of the third that leaves the database alone it can be seen.
  assert.ok(interrupted * 6 > kills, `${interrupted} of ${kills} kills were seen to break looks off`);
});
