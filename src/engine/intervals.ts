import { createInterval, type Interval } from "../runtime/interval.ts";
import type { CellEngine } from "./cell-engine.ts";
import type { EngineContext } from "./engine-context.ts";

/** A run takes no time; the bound detects a lost timer. */
const WATCH_MS_MAX = 10_000;

/** The engine's watch over open attempts, and its sweep (spec 8: sweep). */
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
      { name: "sweep", everyMs: sweepMs, firstAfterMs: sweepMs },
      async (isStopped) => {
        for (const engine of engines) if (!isStopped()) await engine.sweep(() => !isStopped());
        dispatch.evict();
      },
      failed,
    ),
  ];
}
