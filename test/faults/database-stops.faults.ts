import { test } from "node:test";

import { stopDatabaseAgainAndAgain } from "./database-stops.ts";

test("a database that is stopped at once and started again under load costs errors, and nothing accepted", async (t) => {
  await stopDatabaseAgainAndAgain(t, 2);
});
