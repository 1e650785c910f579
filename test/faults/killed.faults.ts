import { test } from "node:test";

import { killNodes } from "./killing.ts";

test("a node killed at random moments under load, with its database or without, loses nothing that it accepted", async (t) => {
  await killNodes(t, 3);
});
