/** Exchange rates as they are loaded: what one unit of a base currency costs in another, of a source, on a day. */
import { formatDecimal } from "../decimal.ts";

/** Digits behind the point of a rate; before it, as of any decimal. */
export const EXCHANGE_DIGITS = 12;

/** 1, as a {@link ExchangeRate.rate}. */
export const EXCHANGE_UNIT = 10n ** BigInt(EXCHANGE_DIGITS);

export type ExchangeRate = {
  /** Who published it: a name, or a URL. */
  readonly source: string;
  /** ISO 4217; all rates of a source have the same. */
  readonly base: string;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** In units of 10^-12; above 0. */
  readonly rate: bigint;
};

/** `1.1302`, without zeros behind. */
export function exchangeRateText(rate: bigint): string {
  const text = formatDecimal(rate, EXCHANGE_DIGITS);
  let end = text.length;
  while (text[end - 1] === "0") end -= 1;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}

/**
 * A rate converts on its day and this many days after it: over weekends, holidays, and a week's delay. An older one is
 * no rate of the day.
 */
export const EXCHANGE_DAYS_MAX = 7;

/** Sources that there may be. */
export const EXCHANGE_SOURCES_MAX = 20;
