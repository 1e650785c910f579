import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createInterval, type Interval, type IntervalTask } from "../../src/runtime/interval.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { runToEnd, runInSlices, runInSlicesWithin, type SlicedWork } from "../../src/runtime/time-slices.ts";
import { columns } from "../support/columns.ts";

const EVERY_MS = 1_000;

function start(round: IntervalTask, options: { readonly firstAfterMs?: number } = {}) {
  const clock = manualClock();
  const log = recordingLog();
  const loops = createLoopMonitor(clock, log);
  const failures: unknown[] = [];
  const interval: Interval = createInterval(
    { clock, loops },
    { name: "work", everyMs: EVERY_MS, runMsMax: 60_000, ...options },
    round,
    (cause) => failures.push(cause),
  );
  interval.start();
  return { clock, log, loops, failures, interval };
}

describe("work that is done every so often", () => {
  test("goes on after a round that fails, whether it rejects or throws", async () => {
    let rounds = 0;
    const { clock, failures, interval } = start(() => {
      rounds += 1;
      if (rounds === 1) throw new Error("thrown");
      return rounds === 2 ? Promise.reject(new Error("rejected")) : Promise.resolve();
    });
    await clock.advance(3 * EVERY_MS);
    assert.equal(rounds, 4);
    assert.deepEqual(
      failures.map((failure) => (failure as Error).message),
      ["thrown", "rejected"],
    );
    await interval.stop();
    await clock.advance(10 * EVERY_MS);
    assert.equal(rounds, 4, "and not after it is stopped");
    assert.equal(clock.pending(), 0);
  });

  test("begins a round at once when woken, and one more after the running round", async () => {
    let rounds = 0;
    let end: () => void = () => undefined;
    const { clock, interval } = start(
      () =>
        new Promise((resolve) => {
          rounds += 1;
          end = resolve;
        }),
    );
    interval.wake();
    interval.wake();
    assert.equal(rounds, 1, "one at a time");
    end();
    await clock.advance(0);
    assert.equal(rounds, 2, "one more, for both");
    end();
    await clock.advance(EVERY_MS - 1);
    assert.equal(rounds, 2);
    interval.wake();
    assert.equal(rounds, 3);
    end();
    await interval.stop();
  });

  test("is one loop however often it is started, and none before it is or after it is stopped", async () => {
    let rounds = 0;
    const { clock, loops, interval } = start(async () => void (rounds += 1));
    interval.start();
    await clock.advance(EVERY_MS);
    assert.deepEqual([rounds, loops.silences().length], [2, 1]);
    await interval.stop();
    interval.start();
    interval.wake();
    await clock.advance(600_000);
    assert.deepEqual([rounds, loops.silences(), clock.pending()], [2, [], 0]);

    const idle = createInterval(
      { clock, loops },
      { name: "idle", everyMs: EVERY_MS },
      async () => void (rounds += 1),
      () => undefined,
    );
    idle.wake();
    await clock.advance(EVERY_MS);
    assert.equal(rounds, 2, "a wake before the start waits for it");
  });

  test("delays its first round by firstAfterMs", async () => {
    let rounds = 0;
    const { clock } = start(async () => void (rounds += 1), { firstAfterMs: 5_000 });
    await clock.advance(4_999);
    assert.equal(rounds, 0);
    await clock.advance(1);
    assert.equal(rounds, 1);
  });
});

describe("the watch over loops", () => {
  test("finds a round that never ends, logs it once, and logs when it gets on", async () => {
    let end: () => void = () => undefined;
    const { clock, log, loops } = start(() => new Promise((resolve) => (end = resolve)));
    await clock.advance(61_000);
    loops.check();
    assert.equal(loops.overdue(), null);
    assert.deepEqual(log.lines, []);
    await clock.advance(1);
    assert.equal(loops.overdue(), "work");
    loops.check();
    loops.check();
    assert.deepEqual(loops.silences(), [{ loop: "work", silentMs: 61_001, isOverdue: true }]);
    end();
    await clock.advance(0);
    loops.check();
    assert.deepEqual(columns(log.lines, "level", "message"), [
      ["error", "a loop does not get on"],
      ["warn", "a loop gets on again"],
    ]);
    assert.equal(loops.overdue(), null);
  });

  test("lets a long round go on that reports between its steps", async () => {
    const { clock, loops, interval } = start(async (isStopped) => {
      while (!isStopped()) await new Promise<void>((resolve) => clock.after(50_000, resolve));
    });
    await clock.advance(500_000);
    assert.equal(loops.overdue(), null);
    const stopped = interval.stop();
    await clock.advance(50_000);
    await stopped;
    assert.deepEqual(loops.silences(), [], "what has ended on purpose is watched no more");
  });

  test("expects nothing of a loop that rests, and forgets one that has ended", async () => {
    const clock = manualClock();
    const loops = createLoopMonitor(clock, recordingLog());
    const pulse = loops.watch("settling", 10_000);
    pulse.idle();
    await clock.advance(1_000_000);
    assert.equal(loops.overdue(), null);
    pulse.progress();
    await clock.advance(10_001);
    assert.equal(loops.overdue(), "settling");
    pulse.end();
    assert.equal(loops.overdue(), null);
  });
});

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
