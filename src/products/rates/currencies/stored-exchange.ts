/** The exchange rates that an index, or a value of one, was computed with, as the store keeps them. */
import type { Static } from "typebox";

import { parseDecimal } from "../decimal.ts";
import { EXCHANGE_DIGITS, exchangeRateText } from "./exchange-rate.ts";
import { exchangeInto, type Exchange, type Quote, type QuoteTable } from "./convert.ts";
import type { ExchangeRateSchema } from "./exchange-schema.ts";

type Stored = {
  readonly source: string;
  readonly base: string;
  readonly rates: readonly (readonly [date: string, currency: string, rate: string])[];
  readonly missing: readonly string[];
};

export function exchangeText({ source, base, quotes, missing }: Exchange): string {
  const rates = quotes.map(({ date, currency, rate }) => [date, currency, exchangeRateText(rate)] as const);
  return JSON.stringify({ source, base, rates, missing } satisfies Stored);
}

/** What converts into the currency of an index, of what was stored with it. */
export function storedExchange(text: string, currencies: readonly string[], into: string): Exchange {
  const { source, base, rates } = JSON.parse(text) as Stored;
  const quotes = rates.map(([date, currency, rate]) => quoteOf(date, currency, rate));
  return exchangeInto({ source, base, quotes }, currencies, into);
}

/** Whose rates convert. */
export function storedSource(text: string): Pick<QuoteTable, "source" | "base"> {
  const { source, base } = JSON.parse(text) as Stored;
  return { source, base };
}

export function quoteOf(date: string, currency: string, rate: string): Quote {
  const units = parseDecimal(rate, EXCHANGE_DIGITS);
  if (units === null) throw new Error(`the store has ${rate} for a rate of ${currency}`);
  return { date, currency, rate: units };
}

/** `text`: as stored; null: nothing was converted. */
export function exchangeRateViews(text: string | null): readonly Static<typeof ExchangeRateSchema>[] {
  if (text === null) return [];
  const { source, base, rates } = JSON.parse(text) as Stored;
  return rates.map(([date, currency, rate]) => ({ source, base, currency, date, rate }));
}

export function missingCurrencies(text: string | null): readonly string[] {
  return text === null ? [] : (JSON.parse(text) as Stored).missing;
}
