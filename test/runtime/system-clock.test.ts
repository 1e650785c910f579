import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { test } from "node:test";

import type { Log } from "../../src/runtime/log.ts";
import { startSystemClock } from "../../src/runtime/system-clock.ts";

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

test("the system clock starts at the wall clock's time", () => {
  const clock = startSystemClock(silent);
  const differenceMs = Math.abs(clock.nowMs() - Date.now());
  clock.stop();
  assert.ok(differenceMs < 1000, `${differenceMs} ms apart`);
});

test("a timer never fires early", async () => {
  const clock = startSystemClock(silent);
  const lateMs = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const delayMs = index / 5;
      const startMs = performance.now();
      return new Promise<number>((resolve) => {
        clock.after(delayMs, () => resolve(performance.now() - startMs - delayMs));
      });
    }),
  );
  clock.stop();
  assert.ok(Math.min(...lateMs) >= 0, `${Math.min(...lateMs)} ms`);
});

test("a timer that was taken back does not fire, and taking it back twice is harmless", async () => {
  const clock = startSystemClock(silent);
  let fired = false;
  const cancel = clock.after(1, () => {
    fired = true;
  });
  cancel();
  cancel();
  await new Promise<void>((resolve) => void clock.after(5, resolve));
  clock.stop();
  assert.equal(fired, false);
});

test("a delay of a month does not fire at once, as Node's own timer would", async () => {
  const clock = startSystemClock(silent);
  let fired = false;
  const cancel = clock.after(31 * 86_400_000, () => {
    fired = true;
  });
  await new Promise<void>((resolve) => void clock.after(5, resolve));
  cancel();
  clock.stop();
  assert.equal(fired, false);
});
