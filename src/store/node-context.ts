import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { LoopMonitor } from "../runtime/loop-monitor.ts";
import type { Random } from "../runtime/random.ts";
import type { Cells } from "./cell.ts";
import type { Database } from "./database.ts";

/**
 * What every part of a running node works with. Extend it where a part needs more; where it needs less, take
 * `Pick<NodeContext, "database" | "clock">`.
 */
export type NodeContext = {
  readonly database: Database;
  /** The first one's `directory` is the directory of all. More may be added at any time (`perCell`). */
  readonly cells: Cells;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Watches what repeats itself, such as an `Interval`. */
  readonly loops: LoopMonitor;
};
