import assert from "node:assert/strict";
import { test } from "node:test";

import type { CellEngine } from "../../src/engine/cell-engine.ts";
import type { EngineContext } from "../../src/engine/engine-context.ts";
import { createIntervals, createSweeps } from "../../src/engine/intervals.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { manualClock } from "../support/clock.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";

// spec 8: sweep
test("every cell is swept every 30 seconds, in turn, and one that hangs holds up no other", async () => {
  const clock = manualClock();
  const sweeps: string[] = [];
  const cell = (name: string) =>
    ({
      cell: { number: 0 },
      loops: unwatchedLoops,
      sweep: async () => void sweeps.push(name),
      checkMembership: () => {},
    }) as unknown as CellEngine;
  const hanging = { ...cell("hangs"), sweep: () => new Promise<void>(() => undefined) };
  const context = {
    settings: DEFAULT_ENGINE_SETTINGS,
    clock,
    log: silentLog,
    loops: unwatchedLoops,
    dispatch: { watch: () => {}, evict: () => {} },
  } as unknown as EngineContext;
  const intervals = [
    ...createIntervals(context, new Map()),
    ...createSweeps(context, [cell("one"), hanging, cell("other")]),
  ];
  for (const interval of intervals) interval.start();
  await clock.advance(9_999);
  assert.deepEqual(sweeps, []);
  await clock.advance(1);
  assert.deepEqual(sweeps, ["one"]);
  await clock.advance(20_000);
  assert.deepEqual(sweeps, ["one", "other"]);
  await clock.advance(30_000);
  assert.deepEqual(sweeps, ["one", "other", "one", "other"]);
  const stopped = Promise.all(intervals.map((interval) => interval.stop()));
  await clock.advance(5_000);
  await stopped;
});
