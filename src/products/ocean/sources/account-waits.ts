/**
 * When shipments are polled again for which an account's own quota had no turn. They alone wait, not the carrier's queue;
 * and they come back one after the other, as the quota lets them, so that few are refused again.
 */
import type { PollReply } from "../../../freight/polling/poll-handler.ts";
import { isUrgent, type ClaimedShipment } from "../../../freight/polling/store/polls.ts";
import { ownQuotas, type OwnQuotas } from "../../../freight/upstream/account-quotas.ts";
import { QUOTA_WINDOWS, type QuotaSettings } from "../../../freight/upstream/quota.ts";
import { DAY_MS, HOUR_MS } from "../../../runtime/durations.ts";
import type { Log } from "../../../runtime/log.ts";
import { carrierNamed, type Carrier } from "./carriers.ts";

/** Null: the quota is the carrier's, for all accounts. `waitMs`: until the next turn. */
export type AccountWaits = (claimed: ClaimedShipment, waitMs: number, nowMs: number) => PollReply | null;

/** Beyond it, shipments come back to see whether the quota has grown, and the log says once that it is too small. */
const SPREAD_MS_MAX = HOUR_MS;

/** By carrier and account, as the file names them. */
type Waits = { latestMs: number; reportedMs: number };

export function createAccountWaits(carriers: readonly Carrier[], log: Log): AccountWaits {
  const known = new Map<Carrier, OwnQuotas>();
  const all = new Map<string, Waits>();
  return (claimed, waitMs, nowMs) => {
    const { carrier: scac, accountId } = claimed;
    const carrier = scac === null ? null : carrierNamed(carriers, scac);
    if (carrier === null) return null;
    const first = known.getOrInsertComputed(carrier, ownQuotas).get(accountId);
    if (first === undefined) return null;
    const turnMs = nowMs + waitMs;
    // A client waits for it.
    if (isUrgent(claimed)) return waiting(claimed, turnMs);
    const waits = all.getOrInsertComputed(`${carrier.scac} ${first}`, () => ({ latestMs: 0, reportedMs: 0 }));
    const inTurnMs = waits.latestMs + intervalMs(carrier.quota);
    waits.latestMs = Math.min(Math.max(turnMs, inTurnMs), turnMs + SPREAD_MS_MAX);
    if (inTurnMs > turnMs + SPREAD_MS_MAX && nowMs - waits.reportedMs >= DAY_MS) {
      waits.reportedMs = nowMs;
      const about = { carrier: carrier.scac, account: first };
      log.warn(about, "an account's own quota is too small for its shipments: they are polled late");
    }
    return waiting(claimed, waits.latestMs);
  };
}

/** It is no failure of the shipment, and says nothing of the carrier. */
function waiting(claimed: ClaimedShipment, nextPollAtMs: number): PollReply {
  const { failures, failure } = claimed;
  const nothing = { refreshedAtMs: null, answerDigest: null, state: null };
  const result = { claimed, nextPollAtMs, failures, failure, ...nothing };
  return { kind: "polled", outcome: "unavailable", answered: false, update: { result, events: [] } };
}

/** Between two turns of the fastest limit; what a slower one refuses then is spread again. */
function intervalMs(quota: QuotaSettings = {}): number {
  const intervals = QUOTA_WINDOWS.flatMap(([setting, windowMs]) => {
    const limit = quota[setting];
    return limit === undefined ? [] : [windowMs / limit];
  });
  return intervals.length === 0 ? 0 : Math.min(...intervals);
}
