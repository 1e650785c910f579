/**
 * How many requests an upstream takes: one token bucket for each limit it has, kept as the moment at
 * which the bucket would be full again (the generic cell rate algorithm), so that nothing has to tick.
 *
 *     tokens left ─(taken)─▶ … ─▶ empty ─▶ the next ones wait their turn, for a bounded time
 *          └──────────────(429)──────────────▶ drained until the upstream's Retry-After has passed
 */
import { DAY_MS, MINUTE_MS } from "../../runtime/durations.ts";
import type { Clock } from "../../runtime/clock.ts";

/** What an upstream allows this process; of several limits all hold. */
export type QuotaSettings = {
  readonly perSecond?: number | undefined;
  readonly perMinute?: number | undefined;
  readonly perDay?: number | undefined;
};

export type QuotaGrant =
  /** The request may leave after `waitMs`; its token is taken. */
  | { readonly kind: "granted"; readonly waitMs: number }
  /** No token was taken; there is one after `retryAfterMs`. */
  | { readonly kind: "refused"; readonly retryAfterMs: number };

export type Quota = {
  /** Takes a token, and a later turn if one comes within `waitMsMax`: turns are in the order of asking. */
  take(waitMsMax: number): QuotaGrant;
  /** The upstream wants nothing for so long. */
  drain(forMs: number): void;
  /** How long nothing may leave, not even what has been granted; 0: it may. */
  drainedForMs(): number;
};

/**
 * `burst` may leave at once and then one each `intervalMs`: together never more than the limit within
 * any window of its length, wherever the upstream's own windows begin.
 */
type Bucket = { readonly burst: number; readonly intervalMs: number; fullAtMs: number };

/** The part of a limit that may leave at once. */
const BURST_SHARE = 1 / 10;

export function createQuota(settings: QuotaSettings, clock: Clock): Quota {
  const buckets = [
    bucket(settings.perSecond, 1_000),
    bucket(settings.perMinute, MINUTE_MS),
    bucket(settings.perDay, DAY_MS),
  ].filter((one) => one !== null);
  let drainedUntilMs = 0;

  return {
    take(waitMsMax) {
      const nowMs = clock.monotonicMs();
      const leavesAtMs = Math.max(nowMs, drainedUntilMs, ...buckets.map(nextAtMs));
      const waitMs = leavesAtMs - nowMs;
      if (waitMs > waitMsMax) return { kind: "refused", retryAfterMs: Math.ceil(waitMs) };
      for (const one of buckets) one.fullAtMs = Math.max(one.fullAtMs, leavesAtMs) + one.intervalMs;
      return { kind: "granted", waitMs };
    },
    drain(forMs) {
      drainedUntilMs = Math.max(drainedUntilMs, clock.monotonicMs() + forMs);
      for (const one of buckets) {
        one.fullAtMs = Math.max(one.fullAtMs, drainedUntilMs + (one.burst - 1) * one.intervalMs);
      }
    },
    drainedForMs: () => Math.max(0, drainedUntilMs - clock.monotonicMs()),
  };
}

function bucket(limit: number | undefined, windowMs: number): Bucket | null {
  if (limit === undefined) return null;
  const burst = Math.max(1, Math.floor(limit * BURST_SHARE));
  return { burst, intervalMs: windowMs / (limit - burst + 1), fullAtMs: 0 };
}

function nextAtMs({ burst, intervalMs, fullAtMs }: Bucket): number {
  return fullAtMs - (burst - 1) * intervalMs;
}
