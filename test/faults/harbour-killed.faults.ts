import assert from "node:assert/strict";
import { test } from "node:test";

import { killInHarbour } from "./harbour-killed.ts";

test("a poller killed at random moments, with its database or without, raises exactly what the harbour's truth calls for", async (t) => {
  const { events } = await killInHarbour(t, { boxes: 7, accounts: 4, days: 30, momentsBetweenKillsMax: 16 });
  assert.ok(events > 100, "there is enough to lose");
});
