import type { Additional } from "./shape.ts";

/** The data of the rates product's events (spec 6.2). Decimals are strings: parse them with a decimal type. */
export type RatesEvents = {
  readonly lane_rate_updated: LaneRateUpdatedData;
  readonly index_refreshed: IndexRefreshedData;
};

export type LaneRateUpdatedData = Additional & {
  readonly lane_id?: string;
  /** UN/LOCODE. */
  readonly origin: string;
  readonly destination: string;
  /** ISO 6346 size and type code, or a trade group: `22G1`, `40HC`. */
  readonly equipment: string;
  /** SCAC; null for the market's rate. */
  readonly carrier: string | null;
  /** ISO 4217. */
  readonly currency: string;
  readonly reason?: "loaded" | "removed" | "began" | "expired";
  /** Dates are `YYYY-MM-DD`. */
  readonly effective_on?: string;
  readonly old_base?: string | null;
  /** Null: there was no rate before. */
  readonly old_total: string | null;
  readonly new_base?: string | null;
  /** Null: there is no rate any more. */
  readonly new_total: string | null;
  readonly change?: string | null;
  readonly change_percent?: string | null;
  readonly surcharges?: readonly RateSurcharge[];
  /** What is to be paid besides the total: for each bill of lading, or in another currency. */
  readonly not_in_total?: readonly RateBesideTotal[];
  /** Of the rate before: a promotion goes before the standard rate while it runs. Null: there was none. */
  readonly old_layer?: "standard" | "promotion" | null;
  readonly new_layer?: "standard" | "promotion" | null;
  readonly valid_from?: string | null;
  readonly valid_to?: string | null;
  /** Null: not stated. */
  readonly kind?: "contract" | "spot" | null;
  /** Its number or name. */
  readonly contract?: string | null;
  /** `FAK`: freight of all kinds. */
  readonly commodity?: string;
  readonly transit_days?: number | null;
  readonly origin_demurrage_free_days?: number | null;
  readonly origin_detention_free_days?: number | null;
  /** Of demurrage and detention together. */
  readonly origin_combined_free_days?: number | null;
  readonly destination_demurrage_free_days?: number | null;
  readonly destination_detention_free_days?: number | null;
  readonly destination_combined_free_days?: number | null;
};

export type RateSurcharge = {
  readonly code: string;
  readonly amount: string;
  /** True when the base rate contains it, so the total does not add it. */
  readonly included: boolean;
  readonly per?: "container" | "bill" | "percent";
  /** Of the base, if per percent: `amount` is what it comes to. */
  readonly percent?: string | null;
  readonly currency?: string;
  readonly name?: string | null;
};

export type RateBesideTotal = {
  readonly per: "container" | "bill";
  readonly currency: string;
  readonly amount: string;
};

export type IndexRefreshedData = Additional & {
  readonly index_id: string;
  readonly name?: string;
  readonly currency?: string;
  readonly dated: string;
  /** Points, with two decimals. */
  readonly value: string;
  readonly previous?: IndexComparison | null;
  readonly four_weeks_before?: IndexComparison | null;
  readonly coverage_percent?: string;
  readonly lanes_carried?: number;
  readonly lanes_missing?: number;
  /** What converted prices of other currencies, the latest first. */
  readonly exchange_rates?: readonly ExchangeRate[];
  /** Without an exchange rate of the day. */
  readonly currencies_missing?: readonly string[];
  readonly lanes?: number;
};

/** What one unit of `base` costs in `currency`. */
export type ExchangeRate = {
  /** Who published it, a name or a URL. */
  readonly source: string;
  readonly base: string;
  readonly currency: string;
  readonly date: string;
  readonly rate: string;
};

/** An earlier value, and the change since. */
export type IndexComparison = {
  readonly dated: string;
  readonly value: string;
  readonly change: string;
  readonly change_percent: string | null;
};
