/**
 * The limits of a quota and their turns: when the next request may leave, by what is leased. Times are milliseconds
 * of the nodes' shared time.
 */
import { SECOND_MS } from "../../runtime/durations.ts";
import type { QuotaShare } from "./quota-share.ts";

/**
 * A request leaves up to `earlyMs` before its turn, and up to `lateMs` after the last moment of it that leaves room
 * for the next. So within any window of its length no more leave than the limit allows, wherever the upstream's own
 * windows begin.
 */
export type Limit = {
  readonly windowMs: number;
  readonly intervalMs: number;
  readonly earlyMs: number;
  readonly lateMs: number;
  /** In order. */
  readonly leased: Turns[];
  /** The last lease of any node ended here, as last seen; and this node's part of the leases of late, 0 to 1. */
  leasedUntilMs: number;
  part: number;
};

/** Leased time, and how many requests still have their turn in it. */
type Turns = { fromMs: number; readonly toMs: number; left: number };

/** The part of a limit that may leave at once. */
const BURST_SHARE = 1 / 12;
/** The part of a window that is left for requests that leave late and for clocks that differ; two seconds at most. */
const LATE_SHARE = 1 / 100;
const LATE_MS_MAX = 2 * SECOND_MS;

export function limitOf(
  limit: number | undefined,
  windowMs: number,
  { isShared }: Pick<QuotaShare, "isShared">,
): Limit | null {
  if (limit === undefined) return null;
  const burst = Math.max(1, Math.floor(limit * BURST_SHARE));
  const lateMs = isShared ? Math.min(windowMs * LATE_SHARE, LATE_MS_MAX) : 0;
  const intervalMs = (windowMs + lateMs) / (limit - burst + 1);
  return {
    windowMs,
    intervalMs,
    earlyMs: (burst - 1) * intervalMs,
    lateMs,
    leased: [],
    leasedUntilMs: 0,
    part: 0,
  };
}

/** When the next request may leave, by the limits that have leased turns; drops the turns that have lapsed. */
export function leavingAt(limits: readonly Limit[], fromMs: number, pausedUntilMs: number): number {
  let leavesAtMs = fromMs;
  // A later moment for one limit may be too late for the turns of another.
  for (let beforeMs = Number.NaN; beforeMs !== leavesAtMs;) {
    beforeMs = leavesAtMs;
    for (const limit of limits) {
      while (limit.leased.length > 0 && hasLapsed(limit, leavesAtMs, pausedUntilMs)) limit.leased.shift();
      if (limit.leased.length === 0) continue;
      leavesAtMs = Math.max(leavesAtMs, turnAt(limit, leavesAtMs, pausedUntilMs) - limit.earlyMs);
    }
  }
  return leavesAtMs;
}

/** The next turn of a limit for a request that leaves then. */
function turnAt({ leased, earlyMs }: Limit, leavesAtMs: number, pausedUntilMs: number): number {
  return Math.max(leased[0]!.fromMs, leavesAtMs, pausedUntilMs + earlyMs);
}

export function takeTurn(limit: Limit, leavesAtMs: number, pausedUntilMs: number): void {
  const turns = limit.leased[0]!;
  turns.fromMs = turnAt(limit, leavesAtMs, pausedUntilMs) + limit.intervalMs;
  turns.left -= 1;
  if (turns.left === 0) limit.leased.shift();
}

function hasLapsed(limit: Limit, leavesAtMs: number, pausedUntilMs: number): boolean {
  const { leased, intervalMs, lateMs } = limit;
  return turnAt(limit, leavesAtMs, pausedUntilMs) + intervalMs > leased[0]!.toMs + lateMs + ROUNDING_MS;
}

/** Sums of intervals are no exact numbers. */
const ROUNDING_MS = 0.01;
