/**
 * How many requests an upstream takes. Each limit has turns, an interval apart; a request takes a turn of each, and
 * leaves up to a burst of intervals before it (the generic cell rate algorithm, so that nothing has to tick).
 *
 *     asked ─▶ a turn is leased ─▶ granted ─▶ leaves, now or at its time
 *       │         ▲      └─ not used in time ─▶ lapsed
 *       │         └─(none is left: leased, for all that wait and what is expected)
 *       ├─ too long to wait, or nobody can lease now ─▶ refused
 *       └─(429)─▶ paused on all nodes until its Retry-After has passed; then from nothing
 */
import { waitAtMost } from "../../runtime/cleanup.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../runtime/durations.ts";
import type { Clock } from "../../runtime/clock.ts";
import { ownShare, type Lease, type QuotaShare } from "./quota-share.ts";
import type { QuotaSettings } from "./upstream-schema.ts";
import { leavingAt, limitOf, takeTurn, type Limit } from "./turns.ts";

/** Each limit, and the time in which it lets so many requests through. */
export const QUOTA_WINDOWS = [
  ["perSecond", SECOND_MS, "second"],
  ["perMinute", MINUTE_MS, "minute"],
  ["perDay", DAY_MS, "day"],
] as const;

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

/** What is leased is to be used up after this time: alone, and where nodes share. */
const LEASE_MS_ALONE = 5 * SECOND_MS;
const LEASE_MS_SHARED = 200;
/** A node's part is that of so long. */
const PART_MS = 5 * SECOND_MS;
const TURNS_A_LEASE_MAX = 1_000;
/** How long a request waits for a lease. */
const LEASE_WAIT_MS_MAX = SECOND_MS;
/** Leases that a request waits for: others may take what came. */
const LEASES_A_TURN_MAX = 20;
/** When to ask again where there was no lease. */
const LEASE_RETRY_MS = SECOND_MS;

type Sharing = {
  readonly limits: readonly Limit[];
  readonly clock: Clock;
  readonly share: QuotaShare;
  leasing: Promise<void> | null;
  /** How long the last lease took to come, and whether one came. */
  answerMs: number;
  isAnswered: boolean;
  leaseMs: number;
  leasedAtMs: number;
  /** Requests that wait for a turn, how many took one since the last lease, and how many do of late. */
  waiting: number;
  taken: number;
  takenPerMs: number;
  /** Until then there is no turn. */
  noneBeforeMs: number;
  /** A lease for requests that wait so long was refused, and the next is asked for after a while. */
  refused: { readonly waitMsMax: number; readonly untilMs: number };
};

export function createQuota(
  settings: QuotaSettings,
  clock: Clock,
  share: QuotaShare = ownShare(clock),
): Quota {
  const limits = QUOTA_WINDOWS.map(([limit, windowMs]) => limitOf(settings[limit], windowMs, share)).filter(
    (one) => one !== null,
  );
  const sharing: Sharing = {
    limits,
    clock,
    share,
    leasing: null,
    answerMs: 0,
    isAnswered: true,
    leaseMs: LEASE_MS_ALONE,
    leasedAtMs: 0,
    waiting: 0,
    taken: 0,
    takenPerMs: 0,
    noneBeforeMs: 0,
    refused: { waitMsMax: 0, untilMs: 0 },
  };
  return {
    async take(waitMsMax) {
      await share.refresh();
      sharing.waiting += 1;
      try {
        for (let leases = 0; leases <= LEASES_A_TURN_MAX; leases += 1) {
          const grant = await grantOf(sharing, waitMsMax);
          if (grant !== null) return grant;
        }
        return { kind: "refused", retryAfterMs: LEASE_RETRY_MS };
      } finally {
        sharing.waiting -= 1;
      }
    },
    drain: share.pause,
    drainedForMs: () => Math.max(0, share.pausedUntilMs() - share.nowMs()),
  };
}

/** Null: a lease has come, and there may be a turn now. */
async function grantOf(sharing: Sharing, waitMsMax: number): Promise<QuotaGrant | null> {
  const { limits, share, refused, clock } = sharing;
  const nowMs = share.nowMs();
  const pausedUntilMs = share.pausedUntilMs();
  const leavesAtMs = leavingAt(limits, Math.max(nowMs, pausedUntilMs), pausedUntilMs);
  const lacking = limits.filter(({ leased }) => leased.length === 0);
  if (lacking.length === 0) {
    const waitMs = leavesAtMs - nowMs;
    if (waitMs > waitMsMax) return { kind: "refused", retryAfterMs: Math.ceil(waitMs) };
    for (const limit of limits) takeTurn(limit, leavesAtMs, pausedUntilMs);
    sharing.taken += 1;
    return { kind: "granted", waitMs };
  }
  const waitMs = Math.max(leavesAtMs, sharing.noneBeforeMs) - nowMs;
  const refusedForMs = waitMsMax <= refused.waitMsMax ? refused.untilMs - nowMs : 0;
  if (waitMs > waitMsMax || refusedForMs > 0) {
    return { kind: "refused", retryAfterMs: Math.ceil(Math.max(waitMs, refusedForMs)) };
  }
  sharing.leasing ??= lease(sharing, lacking, leavesAtMs, waitMsMax).finally(() => {
    sharing.leasing = null;
  });
  const isInTime = await waitAtMost(clock, LEASE_WAIT_MS_MAX, sharing.leasing);
  return isInTime && sharing.isAnswered ? null : { kind: "refused", retryAfterMs: LEASE_RETRY_MS };
}

async function lease(
  sharing: Sharing,
  lacking: readonly Limit[],
  leavesAtMs: number,
  waitMsMax: number,
): Promise<void> {
  const { clock, share, leaseMs, noneBeforeMs } = sharing;
  const askedAtMs = clock.monotonicMs();
  const passedMs = Math.max(1, askedAtMs - sharing.leasedAtMs);
  sharing.takenPerMs = averaged(sharing.takenPerMs, sharing.taken / passedMs, passedMs, SECOND_MS);
  sharing.taken = 0;
  sharing.leasedAtMs = askedAtMs;
  const expected = Math.floor(sharing.takenPerMs * leaseMs);
  const turns = Math.min(sharing.waiting + expected, TURNS_A_LEASE_MAX);
  // A turn that is over when the answer comes is lost.
  const answeredAtMs = share.nowMs() + sharing.answerMs;
  // The larger a node's part is, the less it leases ahead: so the others find turns.
  const part = leaseMs === LEASE_MS_ALONE ? 0 : Math.max(...lacking.map((limit) => limit.part));
  const leases = await share.lease(
    lacking.map(({ windowMs, intervalMs, earlyMs }) => {
      const notBeforeMs = Math.max(leavesAtMs, answeredAtMs, share.pausedUntilMs() + earlyMs);
      const bounds = { turns, waitMsMax: waitMsMax * (1 - part), aheadMs: leaseMs };
      return { windowMs, intervalMs, earlyMs, notBeforeMs, ...bounds };
    }),
  );
  sharing.answerMs = clock.monotonicMs() - askedAtMs;
  sharing.isAnswered = leases !== null;
  for (const one of leases ?? []) receive(sharing, one);
  if (sharing.noneBeforeMs > noneBeforeMs) {
    sharing.refused = { waitMsMax, untilMs: share.nowMs() + LEASE_MS_SHARED };
  }
}

function receive(sharing: Sharing, { windowMs, leavesAt, fromMs, toMs, isShared }: Lease): void {
  sharing.leaseMs = isShared ? LEASE_MS_SHARED : LEASE_MS_ALONE;
  const limit = sharing.limits.find((one) => one.windowMs === windowMs)!;
  const passedMs = toMs - limit.leasedUntilMs;
  limit.leasedUntilMs = toMs;
  if (passedMs > 0) limit.part = averaged(limit.part, (toMs - fromMs) / passedMs, passedMs, PART_MS);
  const left = Math.round((toMs - fromMs) / limit.intervalMs);
  if (left === 0) sharing.noneBeforeMs = Math.max(sharing.noneBeforeMs, leavesAt);
  else limit.leased.push({ fromMs, toMs, left });
}

/** The average so far and that of the time since, weighed so that what is older than `memoryMs` hardly counts. */
function averaged(average: number, since: number, sinceMs: number, memoryMs: number): number {
  return since + (average - since) * Math.exp(-sinceMs / memoryMs);
}
