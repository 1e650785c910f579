/** The thread on which plans are made, when it takes too long, and when the service ends. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createPlanningDesk, PLANNING_DEFAULTS } from "../../src/producers/loading/planning-desk.ts";
import { readLoadRequest } from "../../src/producers/loading/read-request.ts";
import type { LoadRequest } from "../../src/producers/loading/cargo.ts";
import { manualClock } from "../support/clock.ts";

function request(kinds: number, count: number): LoadRequest {
  const cargo = Array.from({ length: kinds }, (_, at) => ({
    length_mm: 300 + 17 * at,
    width_mm: 200 + 13 * at,
    height_mm: 400,
    weight_kg: 10,
    count,
  }));
  const read = readLoadRequest({ cargo });
  if (read.kind === "invalid") throw new Error(read.message);
  return read.request;
}

const SMALL = request(1, 1);
const LARGE = request(40, 400);

test("a plan that takes too long is given up, who waits too long is put off, and the next one is made", async () => {
  const clock = manualClock();
  const desk = createPlanningDesk(clock);
  const tooLong = desk.plan("one", LARGE);
  const waiting = desk.plan("two", SMALL);
  await clock.advance(PLANNING_DEFAULTS.waitMsMax);
  assert.deepEqual(await waiting, { kind: "busy", whose: "all" });
  await clock.advance(PLANNING_DEFAULTS.workMsMax - PLANNING_DEFAULTS.waitMsMax);
  assert.deepEqual(await tooLong, { kind: "busy", whose: "all" });
  const made = await desk.plan("one", SMALL);
  assert.equal(made.kind === "made" && made.summary.pieces_placed, 1);
  await desk.stop();
});

test("when the service ends, plans under way and those that wait are refused, and no other is begun", async () => {
  const desk = createPlanningDesk(manualClock());
  const refused = [desk.plan("one", LARGE), desk.plan("two", SMALL)].map((plan) =>
    assert.rejects(plan, /the service ends/),
  );
  await desk.stop();
  await Promise.all(refused);
  await assert.rejects(desk.plan("three", SMALL), /the service ends/);
});
