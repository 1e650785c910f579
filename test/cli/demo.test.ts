/** What the demo refuses; what it shows is in `test/service/demo.world.ts`. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { run } from "./run.ts";

test("a folder without recordings is refused before anything starts", async () => {
  for (const folder of ["/nowhere", import.meta.dirname]) {
    const { status, out, err } = await run(["demo", "--recordings", folder]);
    assert.deepEqual([status, out], [2, ""]);
    assert.match(err, new RegExp(`^${folder} (cannot be read|holds no recorded answers)`));
  }
});
