import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { test, type TestContext } from "node:test";

import { startSystemClock } from "../../src/runtime/system-clock.ts";
import { silentLog } from "../support/log.ts";

const MONTH_MS = 31 * 86_400_000;

/** The system clock on timers and times that stand until `pass` moves them. */
function start(t: TestContext) {
  const now = { ms: 1_000 };
  t.mock.method(performance, "now", () => now.ms);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const clock = startSystemClock(silentLog);
  t.after(clock.stop);
  const pass = (ms: number, ofTimersMs = ms) => {
    now.ms += ms;
    t.mock.timers.tick(ofTimersMs);
  };
  return { clock, pass };
}

test("the system clock starts at the wall clock's time", (t) => {
  const beforeMs = Date.now();
  const nowMs = start(t).clock.nowMs();
  assert.ok(beforeMs <= nowMs && nowMs <= Date.now());
});

test("a timer never fires early, as Node's own may", (t) => {
  const { clock, pass } = start(t);
  let fired = 0;
  clock.after(10.4, () => (fired += 1));
  // Node's timers know whole milliseconds, and run a little ahead.
  pass(9.6, 11);
  assert.equal(fired, 0);
  pass(0.8, 1);
  assert.equal(fired, 1);
});

test("a timer that was taken back does not fire, and taking it back twice is harmless", (t) => {
  const { clock, pass } = start(t);
  const cancel = clock.after(1, () => assert.fail("it fires"));
  cancel();
  cancel();
  pass(5);
});

test("a delay of a month fires at its end, and not at once as Node's own timer would", (t) => {
  const { clock, pass } = start(t);
  let fired = 0;
  clock.after(MONTH_MS, () => (fired += 1));
  pass(MONTH_MS - 1);
  assert.equal(fired, 0);
  pass(1);
  assert.equal(fired, 1);
});
