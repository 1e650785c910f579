/** The exchange rates that convert the prices of an index's lanes into its currency, on its base date and on a day. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { exchangeInto, type Exchange } from "../currencies/convert.ts";
import { EXCHANGE_DAYS_MAX, EXCHANGE_SOURCES_MAX } from "../currencies/exchange-rate.ts";
import { quoteOf, storedExchange, storedSource } from "../currencies/stored-exchange.ts";
import { exchangeSourceList, exchangeRateListUntil } from "../store/exchange/exchange-rates.sql.ts";
import type { StoredIndex } from "../store/rate-indices.ts";
import { basketOf } from "./basket.ts";
import { foreignCurrencies, type IndexDefinition } from "./definition.ts";

/** Null: all lanes have the currency of the index. A text says what to change. */
export async function exchangeOnBaseDate(
  tx: Connection,
  cell: Cell,
  { lanes, currency, baseDate, exchangeSource }: IndexDefinition,
): Promise<Exchange | string | null> {
  const foreign = foreignCurrencies(lanes, currency);
  if (foreign.length === 0) return null;
  const sources = await exchangeSourceList(tx, cell, EXCHANGE_SOURCES_MAX);
  const names = sources.map(({ source }) => source).join(", ");
  if (sources.length === 0) {
    return `there are lanes in ${foreign.join(", ")}: load exchange rates first (boathook rates currencies load), or take lanes in ${currency} alone`;
  }
  if (exchangeSource === null && sources.length > 1) {
    return `exchange_source must say whose exchange rates convert ${foreign.join(", ")}: there are ${names}`;
  }
  const source = sources.find((one) => exchangeSource === null || one.source === exchangeSource);
  if (source === undefined) return `exchange_source must be one of ${names}`;
  const exchange = await readExchange(tx, cell, source, [foreign, currency], baseDate);
  if (exchange.missing.length === 0) return exchange;
  return `${noExchangeRate(exchange, currency, baseDate)}; load them first, or take another base_date`;
}

export type IndexExchange = { readonly onBaseDate: Exchange; readonly onDay: Exchange };

/** Null: nothing is converted. */
export async function exchangeOfIndex(
  tx: Connection,
  cell: Cell,
  index: StoredIndex,
  day: string,
): Promise<IndexExchange | null> {
  const { currency, exchangeRates } = index;
  if (exchangeRates === null) return null;
  const foreign = foreignCurrencies(basketOf(index), currency);
  return {
    onBaseDate: storedExchange(exchangeRates, foreign, currency),
    onDay: await readExchange(tx, cell, storedSource(exchangeRates), [foreign, currency], day),
  };
}

async function readExchange(
  tx: Connection,
  cell: Cell,
  { source, base }: Pick<Exchange, "source" | "base">,
  [foreign, currency]: readonly [readonly string[], string],
  day: string,
): Promise<Exchange> {
  const days = { day, daysBefore: EXCHANGE_DAYS_MAX };
  const rates = await exchangeRateListUntil(tx, cell, {
    source,
    ...days,
    currencies: [...foreign, currency],
  });
  const quotes = rates.map(({ dated, currency: of, rate }) => quoteOf(dated, of, rate));
  // A source that was removed may have come back with another base.
  return exchangeInto({ source, base: rates[0]?.base ?? base, quotes }, foreign, currency);
}

/** "ECB has no rates of 2026-11-20, or of the 7 days before, between USD and INR" */
export function noExchangeRate({ source, missing }: Exchange, currency: string, day: string): string {
  return `${source} has no exchange rates of ${day}, or of the ${EXCHANGE_DAYS_MAX} days before it, between ${currency} and ${missing.join(", ")}`;
}
