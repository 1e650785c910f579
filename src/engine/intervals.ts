/** What the engine does every so often. */
import { createInterval, type Interval } from "../runtime/interval.ts";
import type { CellEngine } from "./cell-engine.ts";
import type { EngineContext } from "./engine-context.ts";

/** A run takes no time; the bound detects a lost timer. */
const WATCH_MS_MAX = 10_000;

/** The engine's watch over open attempts, and the sweeps of the cells (spec 8: sweep), in turn and each by itself. */
export function createIntervals(context: EngineContext, engines: readonly CellEngine[]): readonly Interval[] {
  const { settings, dispatch, log } = context;
  const failed = (cause: unknown) => log.error({ err: cause }, "an interval of the engine failed");
  const watchMs = settings.stallMs / 4;
  const sweepMs = settings.sweepIntervalMs;
  return [
    createInterval(
      context,
      { name: "attempts", everyMs: watchMs, firstAfterMs: watchMs, runMsMax: WATCH_MS_MAX },
      async () => {
        dispatch.watch();
        for (const engine of engines) engine.checkMembership();
      },
      failed,
    ),
    createInterval(
      context,
      { name: "endpoint queues", everyMs: sweepMs, firstAfterMs: sweepMs, runMsMax: WATCH_MS_MAX },
      async () => dispatch.evict(),
      failed,
    ),
    ...engines.map((engine, index) =>
      createInterval(
        { clock: context.clock, loops: engine.loops },
        {
          name: `sweep in cell ${engine.cell.number}`,
          everyMs: sweepMs,
          firstAfterMs: (sweepMs * (index + 1)) / engines.length,
        },
        (isStopped) => engine.sweep(() => !isStopped()),
        failed,
      ),
    ),
  ];
}
