/**
 * When shipments are polled again for which an account's own quota had no turn. They alone wait, not the carrier's queue;
 * and they come back one after the other, as the quota lets them, so that few are refused again.
 */
import type { PollReply } from "../../../freight/polling/poll-handler.ts";
import type { ClaimedShipment } from "../../../freight/polling/store/polls.ts";
import { ownQuotas, type OwnQuotas } from "../../../freight/upstream/account-quotas.ts";
import type { QuotaSettings } from "../../../freight/upstream/quota.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../runtime/durations.ts";
import { carrierNamed, type Carrier } from "./carriers.ts";

/** Null: the quota is the carrier's, for all accounts. `waitMs`: until the next turn. */
export type AccountWaits = (claimed: ClaimedShipment, waitMs: number, nowMs: number) => PollReply | null;

/** Beyond it, shipments come back to see whether the quota has grown. */
const SPREAD_MS_MAX = HOUR_MS;

export function createAccountWaits(carriers: readonly Carrier[]): AccountWaits {
  const known = new Map<Carrier, OwnQuotas>();
  /** By carrier and account, as the file names them. */
  const latestMs = new Map<string, number>();
  return (claimed, waitMs, nowMs) => {
    const { carrier: scac, accountId } = claimed;
    const carrier = scac === null ? null : carrierNamed(carriers, scac);
    if (carrier === null) return null;
    const first = known.getOrInsertComputed(carrier, ownQuotas).get(accountId);
    if (first === undefined) return null;
    const key = `${carrier.scac} ${first}`;
    const turnMs = nowMs + waitMs;
    const inTurnMs = (latestMs.get(key) ?? 0) + intervalMs(carrier.quota);
    const nextMs = Math.min(Math.max(turnMs, inTurnMs), turnMs + SPREAD_MS_MAX);
    latestMs.set(key, nextMs);
    return waiting(claimed, nextMs);
  };
}

/** It is no failure of the shipment, and says nothing of the carrier. */
function waiting(claimed: ClaimedShipment, nextPollAtMs: number): PollReply {
  const { failures, failure } = claimed;
  const nothing = { refreshedAtMs: null, answerDigest: null, state: null };
  const result = { claimed, nextPollAtMs, failures, failure, ...nothing };
  return { kind: "polled", outcome: "unavailable", answered: false, update: { result, events: [] } };
}

/** Between two turns of the strictest limit. */
function intervalMs({ perSecond, perMinute, perDay }: QuotaSettings = {}): number {
  const intervals = [
    [perSecond, SECOND_MS],
    [perMinute, MINUTE_MS],
    [perDay, DAY_MS],
  ] as const;
  return Math.max(...intervals.map(([limit, windowMs]) => (limit === undefined ? 0 : windowMs / limit)));
}
