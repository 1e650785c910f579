import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Cell } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";
import { dropOrphans, dropPartitions, makePartitions } from "../../store/deliveries/partitions.ts";
import { clampQueue, expireParked, pruneDedupKeys } from "../../store/deliveries/pruning.ts";
import { pruneDeletedEndpoints } from "../../store/endpoints/deleted-endpoints.ts";
import type { EngineSettings } from "../settings.ts";

/**
 * Keeps the cell's tables in shape: partitions are made ahead and dropped after retention, what has
 * been parked for too long ends, and the history of endpoints that are gone goes. Any number of nodes
 * may do it at once.
 */
export type Pruner = {
  /**
   * Before anything is raised: the partitions of today and of the days to come. What a clock that ran
   * ahead has put off waits no longer than it should.
   */
  prepare(): Promise<void>;
  /** A bounded piece of the work; called with every sweep. Asks `goesOn` between statements. */
  step(goesOn: () => boolean): Promise<void>;
};

const DAY_MS = 86_400_000;
/** Partitions reach so far back at the start, since a clock may be set back; and so far ahead. */
const DAYS_BACK = 2;
const DAYS_AHEAD = 4;
/** By so much the clocks of two nodes may differ without the one thinking that the other's ran ahead. */
const CLOCK_SKEW_MS_MAX = 30_000;
const PARTITIONS_EVERY_MS = 3_600_000;
/** Statements of one kind in one step; each changes a bounded number of rows (`store/pruning.ts`). */
const STATEMENTS_A_STEP_MAX = 200;
/** The history of a deleted endpoint may be long, and nobody waits for it to go. */
const DELETIONS_A_STEP_MAX = 5;
/** Until then somebody may still raise by a route that has the endpoint, or give back what it held. */
const DELETED_FOR_MS_MIN = 60_000;

export function createPruner(
  settings: EngineSettings,
  database: Database,
  cell: Cell,
  clock: Clock,
  log: Log,
): Pruner {
  // By the time of day, which passes while the machine is suspended.
  let renewedAtMs = Number.NEGATIVE_INFINITY;

  async function makeAhead(nowMs: number): Promise<void> {
    await makePartitions(database, cell, nowMs - DAYS_BACK * DAY_MS, nowMs + DAYS_AHEAD * DAY_MS);
  }

  async function renewPartitions(nowMs: number, goesOn: () => boolean): Promise<void> {
    if (nowMs - renewedAtMs < PARTITIONS_EVERY_MS) return;
    await makeAhead(nowMs);
    // Dropping may be in somebody's way, or somebody in ours: whether it works or not, once an hour.
    renewedAtMs = nowMs;
    const beforeMs = nowMs - settings.historyMs;
    await repeat(goesOn, STATEMENTS_A_STEP_MAX, () => dropOrphans(database, cell, beforeMs));
    await dropPartitions(database, cell, beforeMs);
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      log.warn({ err: cause, cell: cell.number }, "pruning failed; it goes on with a later sweep");
    }
  }

  return {
    async prepare() {
      const nowMs = clock.nowMs();
      await makeAhead(nowMs);
      // A service that cannot shorten waits is better than none.
      await attempt(() =>
        clampQueue(database, cell, nowMs, [0, ...settings.retry.waitsMs], CLOCK_SKEW_MS_MAX),
      );
    },
    async step(goesOn) {
      const nowMs = clock.nowMs();
      const { parkedMs, historyMs } = settings;
      await attempt(() => renewPartitions(nowMs, goesOn));
      await attempt(() =>
        repeat(goesOn, STATEMENTS_A_STEP_MAX, () => expireParked(database, cell, nowMs - parkedMs)),
      );
      await attempt(() =>
        repeat(goesOn, DELETIONS_A_STEP_MAX, () =>
          pruneDeletedEndpoints(database, cell, nowMs - DELETED_FOR_MS_MIN),
        ),
      );
      await attempt(() =>
        repeat(goesOn, STATEMENTS_A_STEP_MAX, () => pruneDedupKeys(database, cell, nowMs - historyMs)),
      );
    },
  };
}

/** While there is more to do, and `timesMax` at most. */
async function repeat(goesOn: () => boolean, timesMax: number, work: () => Promise<boolean>): Promise<void> {
  for (let times = 0; times < timesMax && goesOn() && (await work()); times++);
}
