import assert from "node:assert/strict";
import { test } from "node:test";

import { createProblemLog } from "../../../src/products/schedules/sources/problem-log.ts";
import { manualClock } from "../../support/clock.ts";
import { recordingLog } from "../../support/log.ts";

const HOUR_MS = 3_600_000;

test("a cause of unreadable parts is logged once for each feed, and then how often they came, every six hours", async () => {
  const clock = manualClock();
  const log = recordingLog();
  const say = createProblemLog(clock, log);
  const problem = (at: number, message = `"N${at}" is no place`) => ({ path: `$[${at}].port`, message });
  for (let at = 0; at < 57; at += 1) say("heron", [problem(at), problem(at + 1)]);
  assert.deepEqual(
    log.lines.map(({ fields }) => fields),
    [{ feed: "heron", problems: [problem(0)] }],
  );
  say("gull", [problem(0)]);
  say("heron", [problem(0, "must be a time")]);
  assert.equal(log.lines.length, 3);
  say("heron", []);
  await clock.advance(6 * HOUR_MS);
  say("heron", [problem(3)]);
  say("heron", [problem(4)]);
  assert.deepEqual(
    log.lines.slice(3).map(({ fields }) => fields),
    [{ feed: "heron", times: 114 }],
  );
});

test("causes without bound do not fill the memory, nor the log", () => {
  const log = recordingLog();
  const say = createProblemLog(manualClock(), log);
  for (let at = 0; at < 1_000; at += 1) say("heron", [{ path: "$", message: "x".repeat(at) }]);
  assert.equal(log.lines.length, 100);
});
