import { failureLevel } from "../model/errors.ts";
import { createInterval, type Interval, type IntervalPorts } from "../runtime/interval.ts";
import type { Log } from "../runtime/log.ts";

/**
 * A node uses a cell's new home at the latest so long after a move, when Citus passes its statements on until then, and
 * takes up a new cell.
 */
const READ_EVERY_MS = 5_000;

/** Follows cells that move to other servers, and takes up cells that were added. */
export function watchHomes(
  refresh: () => Promise<void>,
  { clock, loops, log }: IntervalPorts & { readonly log: Log },
): Interval {
  const interval = createInterval(
    { clock, loops },
    { name: "homes", everyMs: READ_EVERY_MS, firstAfterMs: READ_EVERY_MS },
    refresh,
    // The feed of the directory says that it is away.
    (cause) =>
      log[failureLevel(cause) === "warn" ? "debug" : "error"](
        { cause },
        "where the cells live could not be read; they stay where they were",
      ),
  );
  interval.start();
  return interval;
}
