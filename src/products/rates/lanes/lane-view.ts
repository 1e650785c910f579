/** Lanes and their rates as they are shown: to clients, in the operator's answers and by commands. */
import type { PastRate, StoredLane, StoredRate } from "../store/rate-lanes-read.ts";
import { surchargeViews, type SurchargeView } from "./change.ts";
import { digitsOf } from "../currency.ts";
import { formatDecimal } from "../decimal.ts";
import type { Lane } from "./lane.ts";
import { laneOf, priceOf } from "./stored-rate.ts";

export type RateView = {
  readonly id: string;
  /** Amounts are decimals of the lane's currency, as text. */
  readonly base: string;
  readonly surcharges: readonly SurchargeView[];
  readonly total: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
  readonly loaded_at: string;
};

export type LaneView = Lane & { readonly id: string; readonly rate: RateView | null };

export type PastRateView = RateView & {
  readonly ended_at: string | null;
  readonly ended_by: "replaced" | "removed" | null;
};

export function laneView(stored: StoredLane): LaneView {
  const { id, rate, currency } = stored;
  return { id, ...laneOf(stored), rate: rate === null ? null : rateView(rate, currency) };
}

export function pastRateView(past: PastRate, currency: string): PastRateView {
  const ended_at = past.endedAt?.toISOString() ?? null;
  return { ...rateView(past, currency), ended_at, ended_by: past.endedBy };
}

function rateView(rate: StoredRate, currency: string): RateView {
  const digits = digitsOf(currency);
  const { base, surcharges, total } = priceOf(rate);
  return {
    id: rate.id,
    base: formatDecimal(base, digits),
    surcharges: surchargeViews(surcharges, digits),
    total: formatDecimal(total, digits),
    valid_from: rate.validFrom,
    valid_to: rate.validTo,
    loaded_at: rate.loadedAt.toISOString(),
  };
}
