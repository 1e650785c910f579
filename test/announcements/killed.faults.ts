import assert from "node:assert/strict";
import { test } from "node:test";

import { killAnnouncers } from "./killing.ts";

test("nodes that are killed while they announce tell every account of two cells once", async (t) => {
  const told = await killAnnouncers(t, { crowd: 3_000, kills: 3, eventsMax: 50, msMax: 60_000 });
  assert.equal(told, 2_000);
});
