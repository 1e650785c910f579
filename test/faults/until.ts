import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits for real processes, for a bounded time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  msMax = 120_000,
): Promise<void> {
  const startedMs = performance.now();
  while (!(await condition())) {
    assert.ok(performance.now() - startedMs < msMax, `did not come about within ${msMax} ms: ${what}`);
    await sleep(10);
  }
}
