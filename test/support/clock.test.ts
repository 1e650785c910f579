import assert from "node:assert/strict";
import { test } from "node:test";

import { manualClock, START_MS } from "./clock.ts";

test("timers fire in the order of their due times, each at its own time", async () => {
  const clock = manualClock();
  const fired: [string, number][] = [];
  const note = (name: string) => () => void fired.push([name, clock.nowMs() - START_MS]);
  clock.after(20, note("second"));
  clock.after(10, note("first"));
  clock.after(20, note("third"));
  clock.after(21, note("later"));
  await clock.advance(20);
  assert.deepEqual(fired, [
    ["first", 10],
    ["second", 20],
    ["third", 20],
  ]);
  assert.equal(clock.pending(), 1);
});

test("what a timer's promises set up falls due within the same advance", async () => {
  const clock = manualClock();
  let steps = 0;
  const step = () => {
    steps += 1;
    void Promise.resolve().then(() => clock.after(10, step));
  };
  clock.after(10, step);
  await clock.advance(100);
  assert.equal(steps, 10);
});

test("a timer that was taken back does not fire", async () => {
  const clock = manualClock();
  const cancel = clock.after(10, () => assert.fail("fired"));
  cancel();
  await clock.advance(20);
  assert.equal(clock.pending(), 0);
});

test("a jump of the wall clock moves no timer", async () => {
  const clock = manualClock();
  let fired = false;
  clock.after(10, () => {
    fired = true;
  });
  clock.jump(86_400_000);
  await clock.advance(9);
  assert.equal(fired, false);
  assert.equal(clock.nowMs(), START_MS + 86_400_000 + 9);
  assert.equal(clock.monotonicMs(), 9);
});
