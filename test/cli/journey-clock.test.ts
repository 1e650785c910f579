import assert from "node:assert/strict";
import { test } from "node:test";

import { readRecordings, JOURNEYS_FOLDER } from "../../packages/simulator/src/replay/server.ts";
import { journeyClock } from "../../packages/simulator/src/demo/journey-clock.ts";
import { manualClock } from "../support/clock.ts";

const recordings = await readRecordings(JOURNEYS_FOLDER);
const longestMs = Math.max(...recordings.map(({ firstMs, lastMs }) => lastMs - firstMs));

test("the journeys stand still until they begin, and pass in order to their end", async () => {
  const clock = manualClock();
  const journeys = journeyClock(recordings, 1, clock);
  journeys.nowMs();
  await clock.advance(60_000);
  assert.equal(journeys.nowMs(), 0);
  journeys.begin();
  let before = 0;
  for (let asked = 0; !journeys.isOver(); asked++) {
    assert.ok(asked < 10_000, "they end");
    await clock.advance(10);
    const now = journeys.nowMs();
    assert.ok(now >= before);
    before = now;
  }
  assert.ok(journeys.nowMs() >= longestMs);
});

test("the clock waits at each moment until a client reads it", async () => {
  const clock = manualClock();
  const journeys = journeyClock(recordings, 1, clock);
  journeys.begin();
  await clock.advance(600_000);
  const first = journeys.nowMs();
  assert.ok(first < longestMs / 4, "it waits at the first");
  assert.equal(journeys.isOver(), false);
});

test("at twice the speed they take half the time", async () => {
  const tookMs = async (speed: number) => {
    const clock = manualClock();
    const journeys = journeyClock(recordings, speed, clock);
    journeys.begin();
    let steps = 0;
    for (; !journeys.isOver(); steps++) {
      await clock.advance(5);
      for (let look = 0; look < 20; look++) journeys.nowMs();
    }
    return steps * 5;
  };
  const [once, twice] = [await tookMs(1), await tookMs(2)];
  assert.ok(Math.abs(once / twice - 2) < 0.3, `${once} ms and ${twice} ms`);
  assert.ok(once > 10_000 && once < 30_000);
});
