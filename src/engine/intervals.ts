import type { CellEngine } from "./cell-engine.ts";
import { createInterval, type Interval } from "../runtime/interval.ts";
import type { EngineContext } from "./engine-context.ts";

/** A look at the open requests takes no time; it is the timer that must not be lost. */
const WATCH_MS_MAX = 10_000;

/** What the engine does every so often. */
export function createIntervals(parts: EngineContext, engines: readonly CellEngine[]): readonly Interval[] {
  const { settings, dispatch, log } = parts;
  const failed = (cause: unknown) => log.error({ err: cause }, "a round of the engine broke off");
  const watchMs = settings.stallMs / 4;
  const sweepMs = settings.sweepIntervalMs;
  return [
    createInterval(
      parts,
      { name: "attempts", everyMs: watchMs, firstAfterMs: watchMs, runMsMax: WATCH_MS_MAX },
      async () => {
        dispatch.watch();
        for (const engine of engines) engine.checkMembership();
      },
      failed,
    ),
    createInterval(
      parts,
      { name: "sweep", everyMs: sweepMs, firstAfterMs: sweepMs },
      async (isStopped) => {
        for (const engine of engines) if (!isStopped()) await engine.sweep(() => !isStopped());
        dispatch.evict();
      },
      failed,
    ),
  ];
}
