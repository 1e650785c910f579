import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { dropPartitions, makePartitions } from "../store/partitions.ts";
import { clampQueue, expireParked, pruneDeletedEndpoints, pruneEventKeys } from "../store/pruning.ts";
import type { EngineSettings } from "./settings.ts";

/**
 * Keeps the cell's tables in shape: partitions are made ahead and dropped after retention, what has
 * been parked for too long ends, and the history of endpoints that are gone goes. Any number of nodes
 * may do it at once.
 */
export type Pruner = {
  /** Before anything is raised: the partitions of today and of the days to come. */
  prepare(): Promise<void>;
  /** A bounded piece of the work; called with every sweep. */
  step(): Promise<void>;
};

const DAY_MS = 86_400_000;
/** Partitions reach so far back at the start, since a clock may be set back; and so far ahead. */
const DAYS_BACK = 2;
const DAYS_AHEAD = 4;
const PARTITIONS_EVERY_MS = 3_600_000;

export function createPruner(
  settings: EngineSettings,
  database: Database,
  cell: Cell,
  clock: Clock,
  log: Log,
): Pruner {
  let partitionsMs = Number.NEGATIVE_INFINITY;

  async function renewPartitions(): Promise<void> {
    const nowMs = clock.nowMs();
    await makePartitions(database, cell, nowMs - DAYS_BACK * DAY_MS, nowMs + DAYS_AHEAD * DAY_MS);
    await dropPartitions(database, cell, nowMs - settings.historyMs);
    partitionsMs = clock.monotonicMs();
  }

  return {
    async prepare() {
      await renewPartitions();
      const nowMs = clock.nowMs();
      const longestWaitMs = Math.max(...settings.retry.waitsMs);
      await clampQueue(database, cell, nowMs, nowMs + longestWaitMs + settings.sweepIntervalMs);
    },
    async step() {
      try {
        if (clock.monotonicMs() - partitionsMs >= PARTITIONS_EVERY_MS) await renewPartitions();
        const nowMs = clock.nowMs();
        await expireParked(database, cell, nowMs - settings.parkedMs);
        await pruneDeletedEndpoints(database, cell);
        await pruneEventKeys(database, cell, nowMs - settings.historyMs);
      } catch (cause) {
        log.warn({ err: cause, cell: cell.number }, "pruning failed; it goes on with the next sweep");
      }
    },
  };
}
