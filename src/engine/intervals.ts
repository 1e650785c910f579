/** What the engine does every so often. */
import { createInterval, type Interval } from "../runtime/interval.ts";
import type { Cell } from "../store/cell.ts";
import type { CellEngine } from "./cell-engine.ts";
import type { EngineContext } from "./engine-context.ts";

/** A run takes no time; the bound detects a lost timer. */
const WATCH_MS_MAX = 10_000;

const failing = (log: EngineContext["log"]) => (cause: unknown) =>
  log.error({ err: cause }, "an interval of the engine failed");

/** The engine's watch over open attempts and over its membership in the cells that it has by then. */
export function createIntervals(
  context: EngineContext,
  engines: ReadonlyMap<Cell, Pick<CellEngine, "checkMembership">>,
): readonly Interval[] {
  const { settings, dispatch, log } = context;
  const watchMs = settings.stallMs / 4;
  const sweepMs = settings.sweepIntervalMs;
  return [
    createInterval(
      context,
      { name: "attempts", everyMs: watchMs, firstAfterMs: watchMs, runMsMax: WATCH_MS_MAX },
      async () => {
        dispatch.watch();
        for (const engine of engines.values()) engine.checkMembership();
      },
      failing(log),
    ),
    createInterval(
      context,
      { name: "endpoint queues", everyMs: sweepMs, firstAfterMs: sweepMs, runMsMax: WATCH_MS_MAX },
      async () => dispatch.evict(),
      failing(log),
    ),
  ];
}

/** The sweeps of these cells (spec 8: sweep), in turn and each by itself. */
export function createSweeps(
  { settings, clock, log }: EngineContext,
  engines: readonly CellEngine[],
): readonly Interval[] {
  const everyMs = settings.sweepIntervalMs;
  return engines.map((engine, index) =>
    createInterval(
      { clock, loops: engine.loops },
      {
        name: `sweep in cell ${engine.cell.number}`,
        everyMs,
        firstAfterMs: (everyMs * (index + 1)) / engines.length,
      },
      (isStopped) => engine.sweep(() => !isStopped()),
      failing(log),
    ),
  );
}
