import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { createQuota } from "../../src/freight/upstream/quota.ts";
import { manualClock } from "../support/clock.ts";

test("without a limit everything passes, until the upstream wants nothing for a while", async () => {
  const clock = manualClock();
  const quota = createQuota({}, clock);
  for (let asked = 0; asked < 1_000; asked += 1)
    assert.deepEqual(await quota.take(0), { kind: "granted", waitMs: 0 });
  quota.drain(30_000);
  assert.deepEqual(await quota.take(1_000), { kind: "refused", retryAfterMs: 30_000 });
  await clock.advance(29_500);
  assert.deepEqual(await quota.take(1_000), { kind: "granted", waitMs: 500 });
  assert.equal(quota.drainedForMs(), 500);
  await clock.advance(500);
  assert.equal(quota.drainedForMs(), 0);
});

test("turns are in the order of asking, and a request that would wait too long learns for how long", async () => {
  const quota = createQuota({ perSecond: 4 }, manualClock());
  const turns = await Promise.all(Array.from({ length: 6 }, () => quota.take(1_000)));
  assert.deepEqual(
    turns.map((turn) => (turn.kind === "granted" ? turn.waitMs : -turn.retryAfterMs)),
    [0, 250, 500, 750, 1_000, -1_250],
  );
});

test("a bucket that was drained fills from nothing", async () => {
  const clock = manualClock();
  const quota = createQuota({ perMinute: 600 }, clock);
  quota.drain(5_000);
  await clock.advance(5_000);
  assert.deepEqual(await quota.take(0), { kind: "granted", waitMs: 0 });
  assert.equal((await quota.take(0)).kind, "refused");
});

test("however it is asked, no window has more requests than any of the limits", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 50, maxLength: 150 }),
      async (perSecond, perMinute, pauses) => {
        const clock = manualClock();
        const quota = createQuota({ perSecond, perMinute }, clock);
        const leftAt: number[] = [];
        for (const pauseMs of pauses) {
          if (pauseMs > 1_500) await clock.advance(pauseMs - 1_500);
          const turn = await quota.take(1_000);
          if (turn.kind === "granted") leftAt.push(clock.monotonicMs() + turn.waitMs);
        }
        for (const [limit, windowMs] of [
          [perSecond, 1_000],
          [perMinute, 60_000],
        ] as const) {
          for (const fromMs of leftAt) {
            const within = leftAt.filter((ms) => ms >= fromMs && ms < fromMs + windowMs - 1e-6);
            assert.ok(within.length <= limit, `${within.length} in ${windowMs} ms, ${limit} allowed`);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});
