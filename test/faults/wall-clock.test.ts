/** A wall clock that somebody sets, under the engine as it runs for real: on a steady clock that follows it. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import type { Clock } from "../../src/runtime/clock.ts";
import { LEAN_RATE_MAX, steadyTime } from "../../src/runtime/steady-time.ts";
import { eventFor, FAIL, OK, startHarness, type Harness } from "../engine/harness.ts";
import type { ManualClock } from "../support/clock.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CHECK_INTERVAL_MS = 5_000;
const FIRST_WAITS_MS = [10_000, 60_000];
/** A failure is written 20 ms after it came, and its wait begins then. */
const LATE_MS_MAX = 25;

function steady(clock: ManualClock): Clock {
  const { monotonicMs } = clock;
  const quiet = { jumped: () => undefined, suspended: () => undefined };
  const time = steadyTime(
    { wallMs: clock.nowMs, monotonicMs, uptimeMs: monotonicMs },
    CHECK_INTERVAL_MS,
    quiet,
  );
  const check = (): void => {
    time.check();
    clock.after(CHECK_INTERVAL_MS, check);
  };
  clock.after(CHECK_INTERVAL_MS, check);
  return { nowMs: time.nowMs, monotonicMs, after: clock.after };
}

describe("a wall clock that is set", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness({}, {}, steady);
  });
  after(() => on.stop());
  beforeEach(() => {
    on.answer = () => FAIL;
  });

  /** An account with one endpoint, one event, and when it arrived, by a clock that nobody sets. */
  async function failOnce(): Promise<{ readonly id: string; readonly arrivedMs: readonly number[] }> {
    const { account, id } = await on.receiver();
    const arrivedMs: number[] = [];
    on.answer = ({ url }) => {
      if (url.endsWith(id)) arrivedMs.push(on.clock.monotonicMs());
      return FAIL;
    };
    await on.raise([eventFor(account)]);
    await on.until(async () => (await attemptsOf(id))[0] === 1, "the first attempt is settled");
    return { id, arrivedMs };
  }

  const attemptsOf = async (endpointId: string) =>
    (await on.sql("select attempt_count from cell.deliveries where endpoint_id = $1", [endpointId])).map(
      (row) => row["attempt_count"],
    );

  for (const [words, jumpMs] of [
    ["a day ahead", DAY_MS],
    ["a day back", -DAY_MS],
    ["an hour back", -HOUR_MS],
  ] as const) {
    test(`${words} neither brings retries forward nor puts them off`, async () => {
      const { id, arrivedMs } = await failOnce();
      on.clock.jump(jumpMs);
      for (const [index, waitMs] of FIRST_WAITS_MS.entries()) {
        const sinceMs = arrivedMs.at(-1)!;
        const earliestMs = sinceMs + waitMs / (1 + LEAN_RATE_MAX);
        const latestMs = sinceMs + waitMs / (1 - LEAN_RATE_MAX) + LATE_MS_MAX;
        await on.clock.advance(earliestMs - 1 - on.clock.monotonicMs());
        assert.equal(arrivedMs.length, index + 1, `attempt ${index + 2} came too early`);
        await on.until(() => arrivedMs.length > index + 1, `attempt ${index + 2}`);
        const atMs = arrivedMs.at(-1)!;
        assert.ok(atMs <= latestMs, `${atMs - sinceMs} ms after the last, for ${waitMs}`);
        await on.until(async () => (await attemptsOf(id))[0] === index + 2, "it is settled");
      }
    });

    test(`${words} lets fresh events through at once`, async () => {
      on.answer = () => OK;
      const { account, id } = await on.receiver();
      on.clock.jump(jumpMs);
      const arrived = on.arrivals.length;
      await on.raise([eventFor(account)]);
      await on.until(() => on.arrivals.length > arrived, "it arrives");
      assert.ok(on.arrivals.at(-1)!.url.endsWith(id));
    });
  }

  test("a day back before a start does not put retries off by a day", async () => {
    const { arrivedMs } = await failOnce();
    await on.drive(on.engine.stop());
    on.clock.jump(-DAY_MS);
    await on.join();
    const startedMs = on.clock.monotonicMs();
    await on.until(() => arrivedMs.length === 2, "the second attempt");
    assert.equal(on.clock.monotonicMs() - startedMs, 10_020);
  });
});
