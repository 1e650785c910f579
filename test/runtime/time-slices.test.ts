/** Long work lets others have their turn, and short work is done at once. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { runToEnd, runInSlices, runInSlicesWithin, type SlicedWork } from "../../src/runtime/time-slices.ts";

function* counting(steps: number, then: () => void = () => undefined): SlicedWork<number> {
  for (let step = 0; step < steps; step += 1) {
    then();
    yield;
  }
  return steps;
}

/** How often others had their turn while the work was done, each step of which takes so long. */
async function turnsOf(steps: number, stepMs: number): Promise<number> {
  let nowMs = 0;
  let turns = 0;
  let over = false;
  const others = (): void => {
    turns += 1;
    if (!over) setImmediate(others);
  };
  setImmediate(others);
  const work = counting(steps, () => (nowMs += stepMs));
  assert.equal(await runInSlices(work, { monotonicMs: () => nowMs }), steps);
  over = true;
  return turns;
}

test("work that takes long is done in turns", async () => {
  assert.equal(await turnsOf(100, 5), 50);
});

test("short work is done at once, however many its steps", async () => {
  assert.equal(await turnsOf(1_000, 0), 0);
  assert.equal(runToEnd(counting(3)), 3);
});

test("work is given up once its own slices took too long, however long others take between them", async () => {
  for (const [stepMs, expected] of [
    [10, 100],
    [11, "stopped"],
  ] as const) {
    let nowMs = 0;
    const others = setImmediate(function between() {
      nowMs += 60_000;
      setImmediate(between).unref();
    });
    const work = counting(100, () => (nowMs += stepMs));
    assert.equal(await runInSlicesWithin(1_000, work, { monotonicMs: () => nowMs }), expected);
    clearImmediate(others);
  }
});

test("what fails in the middle of the work rejects", async () => {
  const failing = counting(3, () => {
    throw new Error("no third step");
  });
  await assert.rejects(runInSlices(failing, { monotonicMs: () => 0 }), /no third step/);
});
