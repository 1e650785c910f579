import assert from "node:assert/strict";
import { test } from "node:test";

import { killPollers } from "./polling-killed.ts";

test("a service killed at random moments while it polls, with its database or without, raises what an undisturbed one does", async (t) => {
  assert.ok((await killPollers(t, 2)) > 100, "there is enough to lose");
});
