/** Sources of exchange rates, and what converts on a day. */
import type { Static } from "typebox";

import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { exchangeSourceList, exchangeRateListOn } from "../store/exchange/exchange-rates.sql.ts";
import { EXCHANGE_DAYS_MAX, EXCHANGE_SOURCES_MAX } from "./exchange-rate.ts";
import type { ExchangeRateSchema } from "./exchange-schema.ts";

export type ExchangeRateView = Static<typeof ExchangeRateSchema>;

/** `source`, null: all. `day`: of the rates. */
export async function viewExchangeRates(
  db: Connection,
  cell: Cell,
  { source, day }: { readonly source: string | null; readonly day: string },
) {
  const sources = await exchangeSourceList(db, cell, EXCHANGE_SOURCES_MAX);
  const rates = await exchangeRateListOn(db, cell, { source, day, daysBefore: EXCHANGE_DAYS_MAX });
  return {
    sources: sources
      .filter((one) => source === null || one.source === source)
      .map(({ loadedAt, ...one }) => ({ ...one, loaded_at: loadedAt.toISOString() })),
    rates: rates.map(({ dated, ...rate }): ExchangeRateView => ({
      source: rate.source,
      base: rate.base,
      currency: rate.currency,
      date: dated,
      rate: rate.rate,
    })),
  };
}
