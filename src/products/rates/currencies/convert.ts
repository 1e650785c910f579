/**
 * Converts prices on a day by the rates of one source, exactly. Between two currencies it goes through the source's base,
 * by rates of one date: the latest on or before the day that has both.
 *
 *     price in B = price in A × (B per unit of the base) ÷ (A per unit of the base)
 */
import { digitsOf } from "../currency.ts";
import type { Fraction } from "../fraction.ts";
import { EXCHANGE_UNIT, type ExchangeRate } from "./exchange-rate.ts";

export type Quote = Pick<ExchangeRate, "currency" | "date" | "rate">;

/** Rates of one source around a day: of the days on which a rate still converts, the latest day first. */
export type QuoteTable = {
  readonly source: string;
  readonly base: string;
  readonly quotes: readonly Quote[];
};

/** How the prices of a basket become prices in one currency. */
export type Exchange = QuoteTable & {
  /** What a minor unit of each currency is in minor units of the one; without it: no rate is known. */
  readonly factors: ReadonlyMap<string, Fraction>;
  /** Currencies without a rate. */
  readonly missing: readonly string[];
};

/** The result has the quotes that it uses, and comes of these alone as well. */
export function exchangeInto(table: QuoteTable, currencies: readonly string[], into: string): Exchange {
  const ways = currencies.map((currency) => ({ currency, way: wayBetween(table, currency, into) }));
  const used = new Set(ways.flatMap(({ way }) => way?.quotes ?? []));
  return {
    source: table.source,
    base: table.base,
    quotes: [...used].toSorted(byDate),
    factors: new Map(
      ways.flatMap(({ currency, way }) => (way === null ? [] : [[currency, way.factor] as const])),
    ),
    missing: ways.flatMap(({ currency, way }) => (way === null ? [currency] : [])),
  };
}

/** The latest first. */
function byDate(one: Quote, other: Quote): number {
  if (one.date !== other.date) return one.date > other.date ? -1 : 1;
  return one.currency < other.currency ? -1 : 1;
}

type Way = { readonly factor: Fraction; readonly quotes: readonly Quote[] };

function wayBetween({ base, quotes }: QuoteTable, from: string, into: string): Way | null {
  for (const [, ofDate] of Map.groupBy(quotes, ({ date }) => date)) {
    const [one, other] = [from, into].map((currency) =>
      currency === base ? null : ofDate.find((quote) => quote.currency === currency),
    );
    if (one === undefined || other === undefined) continue;
    const factor = {
      numerator: (other?.rate ?? EXCHANGE_UNIT) * minorUnits(into),
      denominator: (one?.rate ?? EXCHANGE_UNIT) * minorUnits(from),
    };
    return { factor, quotes: [one, other].filter((quote) => quote !== null) };
  }
  return null;
}

/** In one unit of the currency. */
function minorUnits(currency: string): bigint {
  return 10n ** BigInt(digitsOf(currency));
}
