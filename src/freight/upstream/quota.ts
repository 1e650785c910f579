/**
 * How many requests an upstream takes. Each limit has turns, an interval apart; a request takes a turn of each, and
 * leaves up to a burst of intervals before it (the generic cell rate algorithm, so that nothing has to tick).
 *
 *     asked ─▶ a turn is leased ─▶ granted ─▶ leaves, now or at its time
 *       │         ▲      └─ not taken in time ─▶ lapsed
 *       │         └─(none is left: leased, for all that wait and what is expected)
 *       ├─ too long to wait, or nobody can lease now ─▶ refused
 *       └─(429)─▶ paused on all nodes until its Retry-After has passed; then from nothing
 */
import { waitAtMost } from "../../runtime/cleanup.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../runtime/durations.ts";
import type { Clock } from "../../runtime/clock.ts";
import { ownShare, type Lease, type QuotaShare } from "./quota-share.ts";

/** What an upstream allows all nodes together; of several limits all hold. */
export type QuotaSettings = {
  readonly perSecond?: number | undefined;
  readonly perMinute?: number | undefined;
  readonly perDay?: number | undefined;
};

export type QuotaGrant =
  /** The request may leave after `waitMs`; its turn is taken. */
  | { readonly kind: "granted"; readonly waitMs: number }
  /** No turn was taken; there is one after `retryAfterMs`. */
  | { readonly kind: "refused"; readonly retryAfterMs: number };

export type Quota = {
  /**
   * Takes a turn that comes within `waitMsMax`. Turns are first come, first served on a node. Never rejects.
   */
  take(waitMsMax: number): Promise<QuotaGrant>;
  /** The upstream wants nothing for so long. */
  drain(forMs: number): void;
  /** How long nothing may leave, not even what has been granted; 0: it may. */
  drainedForMs(): number;
};

/**
 * A request leaves up to `earlyMs` before its turn, and up to `lateMs` after the last moment of it that leaves room
 * for the next. So within any window of its length no more leave than the limit allows, wherever the upstream's own
 * windows begin.
 */
type Limit = {
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

/** What is leased is to be used up after this time: alone, and where nodes share. */
const LEASE_MS_ALONE = 5 * SECOND_MS;
const LEASE_MS_SHARED = 200;
const PART_MS = 5_000;
const TURNS_A_LEASE_MAX = 1_000;
/** How long a request waits for a lease. */
const LEASE_WAIT_MS_MAX = SECOND_MS;
/** Leases that a request waits for: others may take what came. */
const LEASES_A_TURN_MAX = 20;
/** When to ask again where there was no lease. */
const LEASE_RETRY_MS = SECOND_MS;

export function createQuota(
  settings: QuotaSettings,
  clock: Clock,
  share: QuotaShare = ownShare(clock),
): Quota {
  const limits = [
    limitOf(settings.perSecond, SECOND_MS, share),
    limitOf(settings.perMinute, MINUTE_MS, share),
    limitOf(settings.perDay, DAY_MS, share),
  ].filter((one) => one !== null);
  let leasing: Promise<void> | null = null;
  /** Turns that requests wait for, and those taken since the last lease. */
  let waiting = 0;
  let taken = 0;
  let leasedAtMs = 0;
  let ratePerMs = 0;
  let leaseMs = LEASE_MS_ALONE;
  let answerMs = 0;
  let isAnswered = true;
  /** Until then there is no turn. */
  let noneBeforeMs = 0;
  let refused = { waitMsMax: 0, untilMs: 0 };

  async function lease(lacking: readonly Limit[], leavesAtMs: number, waitMsMax: number): Promise<void> {
    const askedAtMs = clock.monotonicMs();
    const passedMs = Math.max(1, askedAtMs - leasedAtMs);
    ratePerMs = averaged(ratePerMs, taken / passedMs, passedMs, SECOND_MS);
    [taken, leasedAtMs] = [0, askedAtMs];
    const turns = Math.min(waiting + Math.floor(ratePerMs * leaseMs), TURNS_A_LEASE_MAX);
    // A turn that is over when the answer comes is lost.
    const answeredAtMs = share.nowMs() + answerMs;
    const part = leaseMs === LEASE_MS_ALONE ? 0 : Math.max(...lacking.map((limit) => limit.part));
    const leases = await share.lease(
      lacking.map(({ windowMs, intervalMs, earlyMs }) => {
        const notBeforeMs = Math.max(leavesAtMs, answeredAtMs, share.pausedUntilMs() + earlyMs);
        return {
          windowMs,
          intervalMs,
          earlyMs,
          notBeforeMs,
          turns,
          waitMsMax: waitMsMax * (1 - part),
          aheadMs: leaseMs,
        };
      }),
    );
    answerMs = clock.monotonicMs() - askedAtMs;
    isAnswered = leases !== null;
    const had = noneBeforeMs;
    for (const one of leases ?? []) receive(one);
    if (noneBeforeMs > had) refused = { waitMsMax, untilMs: share.nowMs() + LEASE_MS_SHARED };
  }

  function receive({ windowMs, leavesAt, fromMs, toMs, isShared }: Lease): void {
    leaseMs = isShared ? LEASE_MS_SHARED : LEASE_MS_ALONE;
    const limit = limits.find((one) => one.windowMs === windowMs)!;
    const { leased, intervalMs } = limit;
    const passedMs = toMs - limit.leasedUntilMs;
    limit.leasedUntilMs = toMs;
    if (passedMs > 0) limit.part = averaged(limit.part, (toMs - fromMs) / passedMs, passedMs, PART_MS);
    const left = Math.round((toMs - fromMs) / intervalMs);
    if (left === 0) noneBeforeMs = Math.max(noneBeforeMs, leavesAt);
    else leased.push({ fromMs, toMs, left });
  }

  /** Null: there may be a turn now. */
  async function turn(waitMsMax: number): Promise<QuotaGrant | null> {
    const nowMs = share.nowMs();
    const pausedUntilMs = share.pausedUntilMs();
    const leavesAtMs = leavingAt(limits, Math.max(nowMs, pausedUntilMs), pausedUntilMs);
    const lacking = limits.filter(({ leased }) => leased.length === 0);
    const waitMs = (lacking.length === 0 ? leavesAtMs : Math.max(leavesAtMs, noneBeforeMs)) - nowMs;
    const refusedForMs = lacking.length > 0 && waitMsMax <= refused.waitMsMax ? refused.untilMs - nowMs : 0;
    if (waitMs > waitMsMax || refusedForMs > 0)
      return { kind: "refused", retryAfterMs: Math.ceil(Math.max(waitMs, refusedForMs)) };
    if (lacking.length === 0) {
      for (const limit of limits) takeTurn(limit, leavesAtMs, pausedUntilMs);
      taken += 1;
      return { kind: "granted", waitMs };
    }
    leasing ??= lease(lacking, leavesAtMs, waitMsMax).finally(() => {
      leasing = null;
    });
    const isInTime = await waitAtMost(clock, LEASE_WAIT_MS_MAX, leasing);
    return isInTime && isAnswered ? null : { kind: "refused", retryAfterMs: LEASE_RETRY_MS };
  }

  return {
    async take(waitMsMax) {
      await share.refresh();
      waiting += 1;
      try {
        for (let leases = 0; leases <= LEASES_A_TURN_MAX; leases += 1) {
          const grant = await turn(waitMsMax);
          if (grant !== null) return grant;
        }
        return { kind: "refused", retryAfterMs: LEASE_RETRY_MS };
      } finally {
        waiting -= 1;
      }
    },
    drain: share.pause,
    drainedForMs: () => Math.max(0, share.pausedUntilMs() - share.nowMs()),
  };
}

function limitOf(
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
function leavingAt(limits: readonly Limit[], fromMs: number, pausedUntilMs: number): number {
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

function takeTurn(limit: Limit, leavesAtMs: number, pausedUntilMs: number): void {
  const turns = limit.leased[0]!;
  turns.fromMs = turnAt(limit, leavesAtMs, pausedUntilMs) + limit.intervalMs;
  turns.left -= 1;
  if (turns.left === 0) limit.leased.shift();
}

function hasLapsed(limit: Limit, leavesAtMs: number, pausedUntilMs: number): boolean {
  const { leased, intervalMs, lateMs } = limit;
  return turnAt(limit, leavesAtMs, pausedUntilMs) + intervalMs > leased[0]!.toMs + lateMs + ROUNDING_MS;
}

/** The average so far and that of the time since, weighed so that what is older than `memoryMs` hardly counts. */
function averaged(average: number, since: number, sinceMs: number, memoryMs: number): number {
  return since + (average - since) * Math.exp(-sinceMs / memoryMs);
}

/** Sums of intervals are no exact numbers. */
const ROUNDING_MS = 0.01;
