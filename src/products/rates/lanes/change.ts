/** The data of `lane_rate_updated`, and when two prices are the same. */
import { digitsOf } from "../currency.ts";
import { formatDecimal, PERCENT_DIGITS, percentBetween } from "../decimal.ts";
import { priceColumns, type OfferedLane, type Price } from "./lane.ts";
import type { Layer } from "./layers.ts";
import { notInTotal, surchargeViews } from "./surcharges.ts";
import { NO_TERMS, type Terms } from "./terms.ts";

/** A rate was loaded or removed; or a day began on which one begins, or the one before has expired. */
export type ChangeReason = "loaded" | "removed" | "began" | "expired";

export type LaneChange = {
  readonly laneId: string;
  readonly lane: OfferedLane;
  readonly reason: ChangeReason;
  /** `YYYY-MM-DD`. */
  readonly effectiveOn: string;
  /** Null: the lane had no current rate. */
  readonly old: (Price & { readonly layer: Layer }) | null;
  readonly now:
    | (Price & {
        readonly layer: Layer;
        readonly validFrom: string;
        readonly validTo: string | null;
        readonly terms: Terms;
      })
    | null;
};

/** A rate that continues under new dates is no change, nor is a surcharge that is called otherwise. */
export function isSamePrice(one: Price | null, other: Price | null): boolean {
  const text = (price: Price | null) => JSON.stringify(price && priceColumns(nameless(price)));
  return text(one) === text(other);
}

function nameless(price: Price): Price {
  return { ...price, surcharges: price.surcharges.map((one) => ({ ...one, name: null })) };
}

/** The event's data (docs/rates.md). */
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
    surcharges: surchargeViews(now?.surcharges ?? [], lane.currency),
    not_in_total: notInTotal(now?.surcharges ?? [], lane.currency),
    old_layer: old?.layer ?? null,
    new_layer: now?.layer ?? null,
    valid_from: now?.validFrom ?? null,
    valid_to: now?.validTo ?? null,
    ...(now?.terms ?? NO_TERMS),
  };
}
