/** Exchange rates and their sources. Rates are decimals as text; days are `YYYY-MM-DD`. */
import type { Cell } from "../../../../store/cell.ts";
import type { Connection } from "../../../../store/database.ts";
import type { RowOf } from "../../../../store/sql.ts";
import {
  exchangeRateCompare,
  exchangeRateCount,
  exchangeRateRemove,
  exchangeRateUpsert,
  exchangeSourceRemove,
  type exchangeSourceList,
} from "./exchange-rates.sql.ts";

/** `first` and `last` are days; `currencies` counts those of the last one. */
export type StoredExchangeSource = RowOf<typeof exchangeSourceList>;

/** What one unit of the source's base costs in `currency`. */
export type ExchangeRateColumns = {
  readonly source: string;
  readonly dated: string;
  readonly currency: string;
  readonly rate: string;
};

/** How many of them were there before: the same, or with another rate, which is gone now. */
export type StoredExchangeRates = RowOf<typeof exchangeRateCompare>;

/** No two of them have the same source, day and currency. */
export async function storeExchangeRates(
  tx: Connection,
  cell: Cell,
  rates: readonly ExchangeRateColumns[],
): Promise<StoredExchangeRates> {
  const before = await exchangeRateCompare(tx, cell, rates);
  if (before.same < rates.length) await exchangeRateUpsert(tx, cell, rates);
  return before;
}

/** Those of a day, or all of a source; a source without any goes with them. Returns how many. */
export async function removeExchangeRates(
  tx: Connection,
  cell: Cell,
  source: string,
  day: string | null,
): Promise<number> {
  const counted = await exchangeRateCount(tx, cell, { source, day });
  await exchangeRateRemove(tx, cell, { source, day });
  await exchangeSourceRemove(tx, cell, source);
  return counted.count;
}
