import assert from "node:assert/strict";
import { test } from "node:test";

import { createBreaker, type BreakerResult, type BreakerPermit } from "../../src/freight/upstream/breaker.ts";
import { manualClock } from "../support/clock.ts";

const SETTINGS = { faultsMax: 3, openMs: 1_000, openMsMax: 3_000 };

function scene() {
  const clock = manualClock();
  const breaker = createBreaker(clock, { fraction: () => 1 }, SETTINGS);
  const pass = (): BreakerPermit & { kind: "granted" } => {
    const passage = breaker.acquire();
    assert.ok(passage.kind === "granted", "the breaker is open");
    return passage;
  };
  const ask = (result: BreakerResult, times = 1, retryAfterMs: number | null = null): void => {
    for (let asked = 0; asked < times; asked += 1) pass().report(result, retryAfterMs);
  };
  return { clock, breaker, pass, ask };
}

test("it opens after so many faults in a row, and not when an answer is among them", () => {
  const { breaker, ask } = scene();
  ask("fault", 2);
  ask("answered");
  ask("fault", 2);
  assert.equal(breaker.isOpen(), false);
  ask("fault");
  assert.equal(breaker.isOpen(), true);
  assert.deepEqual(breaker.acquire(), { kind: "refused", retryAfterMs: 1_000 });
});

test("when its time is over one probe passes, and an answer closes it", async () => {
  const { clock, breaker, pass, ask } = scene();
  ask("fault", 3);
  await clock.advance(999);
  assert.equal(breaker.acquire().kind, "refused");
  await clock.advance(1);
  const probe = pass();
  assert.deepEqual(breaker.acquire(), { kind: "refused", retryAfterMs: 1_000 });
  probe.report("answered");
  ask("fault", 2);
  assert.equal(breaker.isOpen(), false);
});

test("each probe that fails doubles its time up to a bound, and an answer resets it", async () => {
  const { clock, breaker, ask } = scene();
  ask("fault", 3);
  for (const openMs of [1_000, 2_000, 3_000, 3_000]) {
    assert.deepEqual(breaker.acquire(), { kind: "refused", retryAfterMs: openMs });
    await clock.advance(openMs);
    ask("fault");
  }
  await clock.advance(3_000);
  ask("answered");
  ask("fault", 3);
  assert.deepEqual(breaker.acquire(), { kind: "refused", retryAfterMs: 1_000 });
});

test("requests of an earlier state do not count in a later one", async () => {
  const { clock, breaker, pass, ask } = scene();
  const [slow, ...hung] = Array.from({ length: 5 }, pass);
  ask("fault", 3);
  await clock.advance(900);
  for (const one of hung) one.report("fault");
  await clock.advance(100);
  const probe = pass();
  slow?.report("answered");
  assert.equal(breaker.isOpen(), true);
  probe.report("answered");
  assert.equal(breaker.isOpen(), false);
});

test("a probe that was never sent leaves its place to the next", async () => {
  const { clock, breaker, pass, ask } = scene();
  ask("fault", 3);
  await clock.advance(1_000);
  ask("not_sent");
  pass().report("answered");
  assert.equal(breaker.isOpen(), false);
});

test("it stays open for as long as the upstream asks, up to its bound", () => {
  for (const [retryAfterMs, openMs] of [
    [2_500, 2_500],
    [3_600_000, 3_000],
    [10, 1_000],
  ] as const) {
    const { breaker, ask } = scene();
    ask("fault", 3, retryAfterMs);
    assert.deepEqual(breaker.acquire(), { kind: "refused", retryAfterMs: openMs });
  }
});
