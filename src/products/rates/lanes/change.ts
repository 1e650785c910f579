/** What a change of the rate that holds on a lane is, and what is said of it. */
import { digitsOf } from "../currency.ts";
import { formatDecimal, PERCENT_DIGITS, percentBetween } from "../decimal.ts";
import type { Lane, Price, Surcharge } from "./lane.ts";

/** Why it changed: what was loaded or removed, or a day that began. */
export type ChangeReason = "loaded" | "removed" | "began" | "expired";

export type LaneChange = {
  readonly laneId: string;
  readonly lane: Lane;
  readonly reason: ChangeReason;
  /** From which day on, `YYYY-MM-DD`. */
  readonly effectiveOn: string;
  /** Null: no rate held. */
  readonly old: Price | null;
  readonly now: (Price & { readonly validFrom: string; readonly validTo: string | null }) | null;
};

/** Whether two prices are the same to whoever pays: a rate that only goes on under new dates is no change. */
export function isSamePrice(one: Price | null, other: Price | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.base === other.base &&
    one.total === other.total &&
    one.surcharges.length === other.surcharges.length &&
    one.surcharges.every((surcharge, index) => isSameSurcharge(surcharge, other.surcharges[index]!))
  );
}

function isSameSurcharge(one: Surcharge, other: Surcharge): boolean {
  return one.code === other.code && one.amount === other.amount && one.included === other.included;
}

/** The data of `lane_rate_updated` (docs/rates.md). */
export function laneRateUpdated({ laneId, lane, reason, effectiveOn, old, now }: LaneChange): object {
  const digits = digitsOf(lane.currency);
  const amount = (units: bigint | undefined) => (units === undefined ? null : formatDecimal(units, digits));
  const percent = old === null || now === null ? null : percentBetween(old.total, now.total);
  return {
    lane_id: laneId,
    ...lane,
    reason,
    effective_on: effectiveOn,
    old_base: amount(old?.base),
    old_total: amount(old?.total),
    new_base: amount(now?.base),
    new_total: amount(now?.total),
    change: old === null || now === null ? null : amount(now.total - old.total),
    change_percent: percent === null ? null : formatDecimal(percent, PERCENT_DIGITS),
    surcharges: surchargeViews(now?.surcharges ?? [], digits),
    valid_from: now?.validFrom ?? null,
    valid_to: now?.validTo ?? null,
  };
}

/** Surcharges as they are shown: their amounts as text. */
export function surchargeViews(surcharges: readonly Surcharge[], digits: number): readonly SurchargeView[] {
  return surcharges.map(({ code, amount, included }) => ({
    code,
    amount: formatDecimal(amount, digits),
    included,
  }));
}

export type SurchargeView = { readonly code: string; readonly amount: string; readonly included: boolean };
