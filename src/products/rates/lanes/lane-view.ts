/** Lanes and their rates as they are shown: to clients, in the operator's answers and by commands. */
import type { PastRate, StoredLane, StoredRate } from "../store/rate-lanes-read.ts";
import { surchargesText, type ShownSurcharge } from "./change.ts";
import { digitsOf } from "../currency.ts";
import { formatDecimal } from "../decimal.ts";
import type { Lane } from "./lane.ts";
import { laneOf, priceOf } from "./stored-rate.ts";

export type ShownRate = {
  readonly id: string;
  /** Amounts are decimals of the lane's currency, as text. */
  readonly base: string;
  readonly surcharges: readonly ShownSurcharge[];
  readonly total: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
  readonly loaded_at: string;
};

export type ShownLane = Lane & { readonly id: string; readonly rate: ShownRate | null };

export type ShownPastRate = ShownRate & {
  readonly ended_at: string | null;
  readonly ended_by: "replaced" | "removed" | null;
};

export function showLane(stored: StoredLane): ShownLane {
  const { id, rate, currency } = stored;
  return { id, ...laneOf(stored), rate: rate === null ? null : showRate(rate, currency) };
}

export function showPastRate(past: PastRate, currency: string): ShownPastRate {
  const ended_at = past.endedAt?.toISOString() ?? null;
  return { ...showRate(past, currency), ended_at, ended_by: past.endedBy };
}

function showRate(rate: StoredRate, currency: string): ShownRate {
  const digits = digitsOf(currency);
  const { base, surcharges, total } = priceOf(rate);
  return {
    id: rate.id,
    base: formatDecimal(base, digits),
    surcharges: surchargesText(surcharges, digits),
    total: formatDecimal(total, digits),
    valid_from: rate.validFrom,
    valid_to: rate.validTo,
    loaded_at: rate.loadedAt.toISOString(),
  };
}
