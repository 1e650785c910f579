/** Announces to 100,000 accounts in two cells and notifies a third of them: `npm run test:soak`, some minutes. */
import { test } from "node:test";

import { killAnnouncers } from "../announcements/killing.ts";

test("a change of the API reaches every subscribed endpoint of 100,000 accounts once, though nodes are killed", async (t) => {
  const startedMs = performance.now();
  const told = await killAnnouncers(t, { crowd: 50_004, kills: 5, eventsMax: 500, msMax: 900_000 });
  t.diagnostic(`${told} accounts notified in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
});
