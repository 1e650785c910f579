/**
 * When shipments are polled again for which an account's own quota had no turn. They alone wait, not the carrier's queue;
 * and they come back one after the other, as the quota lets them, so that few are refused again.
 */
import { DAY_MS, HOUR_MS } from "../../runtime/durations.ts";
import type { Log } from "../../runtime/log.ts";
import { ownQuotas, type OwnQuotas, type SignInSettings } from "../upstream/account-quotas.ts";
import { QUOTA_WINDOWS } from "../upstream/quota.ts";
import { isUrgent, type ClaimedShipment } from "./store/polls.ts";
import type { QuotaSettings } from "../upstream/upstream-schema.ts";

/** Asked for a shipment, with what its entry says of it. */
type AskedSource = SignInSettings & {
  readonly scac: string;
  readonly quota?: QuotaSettings | undefined;
};

/** The time of the next poll; null: the quota is the carrier's, for all accounts. `waitMs`: until the next turn. */
export type AccountWaits = (
  source: AskedSource | null,
  claimed: Pick<ClaimedShipment, "accountId" | "nextPollAt">,
  waitMs: number,
  nowMs: number,
) => number | null;

/** Beyond it, shipments come back to see whether the quota has grown, and the log says once that it is too small. */
const SPREAD_MS_MAX = HOUR_MS;

/** By carrier and account, as the file names them. */
type Waits = { latestMs: number; reportedMs: number };

export function createAccountWaits(log: Pick<Log, "warn">): AccountWaits {
  const known = new Map<AskedSource, OwnQuotas>();
  const all = new Map<string, Waits>();
  return (source, claimed, waitMs, nowMs) => {
    if (source === null) return null;
    const first = known.getOrInsertComputed(source, ownQuotas).get(claimed.accountId);
    if (first === undefined) return null;
    const turnMs = nowMs + waitMs;
    // A client waits for it.
    if (isUrgent(claimed)) return turnMs;
    const waits = all.getOrInsertComputed(`${source.scac} ${first}`, () => ({ latestMs: 0, reportedMs: 0 }));
    const inTurnMs = waits.latestMs + intervalMs(source.quota);
    waits.latestMs = Math.min(Math.max(turnMs, inTurnMs), turnMs + SPREAD_MS_MAX);
    if (inTurnMs > turnMs + SPREAD_MS_MAX && nowMs - waits.reportedMs >= DAY_MS) {
      waits.reportedMs = nowMs;
      const about = { carrier: source.scac, account: first };
      log.warn(about, "an account's own quota is too small for its shipments: they are polled late");
    }
    return waits.latestMs;
  };
}

/** Between two turns of the fastest limit; what a slower one refuses then is spread again. */
function intervalMs(quota: QuotaSettings = {}): number {
  const intervals = QUOTA_WINDOWS.flatMap(([setting, windowMs]) => {
    const limit = quota[setting];
    return limit === undefined ? [] : [windowMs / limit];
  });
  return intervals.length === 0 ? 0 : Math.min(...intervals);
}
