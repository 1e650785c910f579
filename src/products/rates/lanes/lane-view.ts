/** Lanes and their rates, as routes and commands show them. */
import type { Static } from "typebox";

import type { LaneSchema, LoadedRateSchema, PastRateSchema, RateSchema } from "../rate-schema.ts";
import type { LoadedRate, PastRate, StoredLane, StoredRate } from "../store/reading/rate-lanes-read.ts";
import { digitsOf } from "../currency.ts";
import { formatDecimal, PERCENT_DIGITS, percentBetween } from "../decimal.ts";
import { laneOf, priceOf } from "./lane.ts";
import { layerOf } from "./layers.ts";
import { notInTotal, surchargeViews } from "./surcharges.ts";
import { termsOf } from "./terms.ts";

export type LaneView = Static<typeof LaneSchema>;
export type PastRateView = Static<typeof PastRateSchema>;

export function laneView(stored: StoredLane): LaneView {
  const { id, rate, currency } = stored;
  return { id, ...laneOf(stored), rate: rate === null ? null : rateView(rate, currency) };
}

export function pastRateView(past: PastRate, currency: string): PastRateView {
  const ended_at = past.endedAt?.toISOString() ?? null;
  return { ...rateView(past, currency), ended_at, ended_by: past.endedBy };
}

export function loadedRateView(loaded: LoadedRate): Static<typeof LoadedRateSchema> {
  const { laneId: lane_id, currency, oldTotal, total } = loaded;
  const percent = oldTotal === null ? null : percentBetween(BigInt(oldTotal), BigInt(total));
  return {
    ...pastRateView(loaded, currency),
    lane_id,
    ...laneOf(loaded),
    old_total: oldTotal === null ? null : formatDecimal(BigInt(oldTotal), digitsOf(currency)),
    change_percent: percent === null ? null : formatDecimal(percent, PERCENT_DIGITS),
  };
}

function rateView(rate: StoredRate, currency: string): Static<typeof RateSchema> {
  const digits = digitsOf(currency);
  const { base, surcharges, total } = priceOf(rate);
  return {
    id: rate.id,
    layer: layerOf(rate.layer),
    base: formatDecimal(base, digits),
    surcharges: surchargeViews(surcharges, currency),
    total: formatDecimal(total, digits),
    not_in_total: notInTotal(surcharges, currency),
    valid_from: rate.validFrom,
    valid_to: rate.validTo,
    ...termsOf(rate.terms),
    loaded_at: rate.loadedAt.toISOString(),
  };
}
