/** What work logs while the database is away, and over our own faults. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createOutageLog } from "../../src/freight/work/outage.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";

test("an outage is logged once and its end once, our own fault each time", () => {
  const log = recordingLog();
  const outage = createOutageLog("polling", log, manualClock());
  for (let times = 0; times < 2; times += 1) outage.began(new StoreUnavailable("no answer"));
  for (let times = 0; times < 2; times += 1) outage.began(new Error("a column does not exist"));
  outage.ended();
  outage.ended();
  assert.deepEqual(
    log.lines.map(({ level, message }) => [level, message]),
    [
      ["warn", "work waits for the database"],
      ["error", "work failed"],
      ["error", "work failed"],
      ["info", "work goes on: the database answers again"],
    ],
  );
});
