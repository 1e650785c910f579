import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../runtime/durations.ts";
import type { Cell } from "../../store/cell.ts";
import { dropOrphans, dropPartitions, makePartitions } from "../../store/deliveries/partitions.ts";
import { expireParked, pruneDedupKeys } from "../../store/deliveries/pruning.ts";
import { queueClamp } from "../../store/deliveries/queue.sql.ts";
import { pruneDeletedEndpoints } from "../../store/endpoints/deleted-endpoints.ts";
import type { EngineContext } from "../engine-context.ts";

/**
 * Retention in one cell: creates partitions ahead and drops them after `historyMs`, ends deliveries parked for
 * longer than `parkedMs`, and deletes the history of deleted endpoints (spec 4.1: delete). Any number of nodes
 * may prune at once.
 */
export type Pruner = ReturnType<typeof createPruner>;

type PrunerContext = Pick<
  EngineContext,
  "settings" | "database" | "clock" | "log" | "onExpired" | "unreported" | "onReported"
>;

/** The range of the partitions; it reaches back because a clock may be set back. */
const DAYS_BACK = 2;
const DAYS_AHEAD = 4;
/** What a start makes, on each side of now: partitions are slow to make, and the first sweep makes the others. */
const START_REACH_MS = HOUR_MS;
/** How far the clocks of two nodes may differ. */
const CLOCK_SKEW_MS_MAX = 30_000;
const PARTITIONS_EVERY_MS = HOUR_MS;
/** Between two steps that prune rows, once one has left none. */
const ROWS_EVERY_MS = 5 * MINUTE_MS;
/** Statements of one kind in one step; each changes a bounded number of rows. */
const STATEMENTS_A_STEP_MAX = 200;
/** Fewer: the history of a deleted endpoint may be long, and its deletion is not urgent. */
const DELETIONS_A_STEP_MAX = 5;
/** Until then a raise may use a stale route to the endpoint, and a node may release its deliveries. */
const DELETED_FOR_MS_MIN = 60_000;

export function createPruner(engine: PrunerContext, cell: Cell) {
  const { settings, database, clock, log } = engine;
  // Wall-clock time, since it passes while the machine is suspended.
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  let prunedAtMs = Number.NEGATIVE_INFINITY;

  async function renewPartitions(nowMs: number, goesOn: () => boolean): Promise<boolean> {
    await makePartitions(database, cell, nowMs - DAYS_BACK * DAY_MS, nowMs + DAYS_AHEAD * DAY_MS);
    // Once an hour, even if dropping fails: its locks may conflict with others.
    renewedAtMs = nowMs;
    const beforeMs = nowMs - settings.historyMs;
    await repeat(goesOn, STATEMENTS_A_STEP_MAX, () => dropOrphans(database, cell, beforeMs));
    await dropPartitions(database, cell, beforeMs);
    return true;
  }

  /** False: it failed, or left some. */
  async function attempt(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (cause) {
      log.warn({ err: cause, cell: cell.number }, "pruning failed; a later sweep continues");
      return false;
    }
  }

  async function pruneRows(nowMs: number, goesOn: () => boolean): Promise<void> {
    const { parkedMs, historyMs } = settings;
    const kinds = [
      [STATEMENTS_A_STEP_MAX, () => endParked(engine, cell, nowMs - parkedMs)],
      [DELETIONS_A_STEP_MAX, () => pruneDeletedEndpoints(database, cell, nowMs - DELETED_FOR_MS_MIN)],
      [STATEMENTS_A_STEP_MAX, () => pruneDedupKeys(database, cell, nowMs - historyMs)],
    ] as const;
    let isLeft = false;
    for (const [timesMax, work] of kinds)
      if (!(await attempt(() => repeat(goesOn, timesMax, work)))) isLeft = true;
    if (!isLeft) prunedAtMs = clock.monotonicMs();
  }

  return {
    /**
     * Call it before anything is raised: creates the partitions of these hours, and shortens waits that a clock ahead of
     * time has set.
     */
    async prepare(): Promise<void> {
      const nowMs = clock.nowMs();
      const reachMs = START_REACH_MS + settings.sweepIntervalMs;
      await makePartitions(database, cell, nowMs - reachMs, nowMs + reachMs);
      // Failing to shorten waits must not keep the service from starting.
      const waitsMs = [0, ...settings.retry.waitsMs];
      await attempt(async () => {
        await queueClamp(database, cell, { now: nowMs, waitsMs, skewMs: CLOCK_SKEW_MS_MAX });
        return true;
      });
    },
    /** Does a bounded part of the work. Call it with every sweep; it stops once `goesOn` returns false. */
    async step(goesOn: () => boolean): Promise<void> {
      const nowMs = clock.nowMs();
      if (nowMs - renewedAtMs >= PARTITIONS_EVERY_MS) await attempt(() => renewPartitions(nowMs, goesOn));
      const rowsEveryMs = Math.min(ROWS_EVERY_MS, settings.parkedMs);
      if (clock.monotonicMs() - prunedAtMs >= rowsEveryMs) await pruneRows(nowMs, goesOn);
    },
  };
}

/** True when there is more. */
async function endParked(
  { database, clock, onExpired, unreported, onReported }: PrunerContext,
  cell: Cell,
  beforeMs: number,
): Promise<boolean> {
  const { products, isMore } = await expireParked(database, cell, beforeMs, clock.nowMs(), unreported ?? []);
  if (products.length > 0) onReported?.(cell);
  for (const product of products) onExpired?.(product);
  return isMore;
}

/** Repeats `work` while it resolves with true, `timesMax` times at most. True: there is no more. */
async function repeat(
  goesOn: () => boolean,
  timesMax: number,
  work: () => Promise<boolean>,
): Promise<boolean> {
  let isLeft = true;
  for (let times = 0; isLeft && times < timesMax && goesOn(); times++) isLeft = await work();
  return !isLeft;
}
