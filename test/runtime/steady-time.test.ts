import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { LEAN_RATE_MAX, steadyTime } from "../../src/runtime/steady-time.ts";
import { forAll } from "../support/runs.ts";

const CHECK_INTERVAL_MS = 5000;
const START_MS = Date.UTC(2026, 10, 2);
const DAY_MS = 86_400_000;

/** A machine whose wall clock can be set and which can be suspended. */
function machine() {
  const at = { wallMs: START_MS, monotonicMs: 1000, uptimeMs: 90_000 };
  const jumps: number[] = [];
  const suspensions: number[] = [];
  const time = steadyTime(
    {
      wallMs: () => at.wallMs,
      monotonicMs: () => at.monotonicMs,
      // To the second, as some systems give it.
      uptimeMs: () => Math.floor(at.uptimeMs / 1000) * 1000,
    },
    CHECK_INTERVAL_MS,
    { jumped: (ms) => jumps.push(ms), suspended: (ms) => suspensions.push(ms) },
  );
  const run = (ms: number) => {
    at.wallMs += ms;
    at.monotonicMs += ms;
    at.uptimeMs += ms;
  };
  const runChecked = (ms: number) => {
    for (let leftMs = ms; leftMs > 0; leftMs -= CHECK_INTERVAL_MS) {
      run(Math.min(leftMs, CHECK_INTERVAL_MS));
      time.check();
    }
  };
  const suspend = (ms: number) => {
    at.wallMs += ms;
    at.uptimeMs += ms;
  };
  return { at, time, jumps, suspensions, run, runChecked, suspend };
}

test("an undisturbed clock tells the wall clock's time", () => {
  const { at, time, jumps, runChecked, run } = machine();
  runChecked(60_000);
  run(1234);
  assert.equal(time.nowMs(), at.wallMs);
  assert.deepEqual(jumps, []);
});

test("a small drift is made up within one interval, in silence", () => {
  const { at, time, jumps, runChecked, run } = machine();
  at.wallMs += 400;
  runChecked(CHECK_INTERVAL_MS);
  assert.equal(time.nowMs(), at.wallMs - 400, "the check itself moves nothing");
  run(CHECK_INTERVAL_MS / 2);
  assert.equal(time.nowMs(), at.wallMs - 200);
  run(CHECK_INTERVAL_MS / 2);
  assert.equal(time.nowMs(), at.wallMs);
  run(60_000);
  assert.equal(time.nowMs(), at.wallMs, "a check that comes late does not make it overshoot");
  assert.deepEqual(jumps, []);
});

for (const [direction, jumpMs] of [
  ["ahead", DAY_MS],
  ["back", -DAY_MS],
] as const) {
  test(`a wall clock that jumps a day ${direction} moves the time by a tenth of what passes, with one warning`, () => {
    const { at, time, jumps, runChecked } = machine();
    runChecked(CHECK_INTERVAL_MS);
    at.wallMs += jumpMs;
    runChecked(CHECK_INTERVAL_MS);
    const noticedMs = time.nowMs();
    runChecked(3_600_000);
    const passedMs = time.nowMs() - noticedMs;
    assert.equal(passedMs, 3_600_000 + Math.sign(jumpMs) * 360_000);
    assert.deepEqual(jumps, [jumpMs]);
  });
}

test("a jump of a minute is caught up with in ten minutes and leaves nothing behind", () => {
  const { at, time, jumps, runChecked } = machine();
  at.wallMs += 60_000;
  runChecked(CHECK_INTERVAL_MS + 600_000);
  assert.equal(time.nowMs(), at.wallMs);
  assert.deepEqual(jumps, [60_000]);
});

test("a second jump during the first is warned about as well", () => {
  const { at, jumps, runChecked } = machine();
  at.wallMs += DAY_MS;
  runChecked(60_000);
  at.wallMs -= DAY_MS;
  runChecked(600_000);
  assert.deepEqual(jumps, [DAY_MS, -DAY_MS]);
});

test("a machine that was suspended finds the right time at once", () => {
  const { at, time, jumps, suspensions, run, runChecked, suspend } = machine();
  run(777);
  suspend(7 * 3_600_000 + 345);
  runChecked(CHECK_INTERVAL_MS);
  assert.equal(time.nowMs(), at.wallMs);
  assert.deepEqual(suspensions, [7 * 3_600_000 + 345]);
  assert.deepEqual(jumps, []);
});

test("a wall clock that is set while the machine is suspended counts as a jump beyond the suspension", () => {
  const { at, time, jumps, suspensions, runChecked, suspend } = machine();
  suspend(3_600_000);
  at.wallMs += DAY_MS;
  const beforeMs = time.nowMs();
  runChecked(CHECK_INTERVAL_MS);
  assert.equal(time.nowMs(), beforeMs + CHECK_INTERVAL_MS + 3_600_000);
  assert.deepEqual(suspensions, [3_600_000]);
  assert.deepEqual(jumps, [DAY_MS]);
});

test("whatever the wall clock does, the time never goes back and never runs a tenth too fast or slow", () => {
  const step = fc.record({
    jumpMs: fc.integer({ min: -DAY_MS, max: DAY_MS }),
    passMs: fc.nat(20_000),
    check: fc.boolean(),
  });
  forAll(100, fc.array(step, { maxLength: 60 }), (steps) => {
    const { at, time, run } = machine();
    for (const { jumpMs, passMs, check } of steps) {
      at.wallMs += jumpMs;
      const beforeMs = time.nowMs();
      run(passMs);
      if (check) time.check();
      const movedMs = time.nowMs() - beforeMs;
      // Each of the two readings is cut to a whole millisecond.
      assert.ok(movedMs >= Math.floor(passMs * (1 - LEAN_RATE_MAX)) - 1, `${movedMs} in ${passMs}`);
      assert.ok(movedMs <= Math.ceil(passMs * (1 + LEAN_RATE_MAX)) + 1, `${movedMs} in ${passMs}`);
    }
  });
});
