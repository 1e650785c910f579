/** What the log says of a database's faults, and what it leaves to debugging. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { logFaults, withoutFaults } from "../../src/service/fault-log.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";

test("each server has a line of its own, and one when it has failed nothing for a while", async () => {
  const clock = manualClock();
  const log = recordingLog();
  const faults = logFaults(clock, log);
  const failure = new Error("ECONNREFUSED");
  for (let second = 0; second < 20; second += 1) {
    for (const server of ["east", "west"]) faults.failed("raise", "unreachable", failure, server);
    faults.done("north");
    await clock.advance(1_000);
  }
  const lines = () =>
    log.lines.map(({ message, fields }) => [message, (fields as { server: string }).server]);
  const began = ["east", "west"].map((server) => ["the database cannot be reached", server]);
  assert.deepEqual(lines(), began);
  await clock.advance(13_000);
  faults.done("east");
  assert.deepEqual(lines(), began, "it may fail again");
  await clock.advance(1_000);
  for (let times = 0; times < 2; times += 1) faults.done("east");
  assert.deepEqual(lines(), [...began, ["the database works again", "east"]]);
  assert.deepEqual(log.lines.at(-1)?.fields, { class: "unreachable", server: "east", seconds: 19 });
});

test("what fails of a known fault is for debugging; what fails for another reason is not", () => {
  const log = recordingLog();
  const others = withoutFaults(log);
  others.warn({ err: new StoreUnavailable("gone") }, "known");
  others.error({ cell: 1, cause: new StoreUnavailable("full", { reason: "disk_full" }) }, "known");
  others.warn({ err: new StoreUnavailable("busy", { reason: "contention" }) }, "busy");
  others.error({ err: new Error("a bug") }, "a bug");
  assert.deepEqual(
    log.lines.map(({ level, message }) => [level, message]),
    [
      ["debug", "known"],
      ["debug", "known"],
      ["warn", "busy"],
      ["error", "a bug"],
    ],
  );
});
