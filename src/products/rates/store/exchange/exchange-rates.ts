/** Exchange rates and their sources, in the first cell. Rates are decimals as text; days are `YYYY-MM-DD`. */
import { textArray } from "../../../../store/binary.ts";
import type { Cell } from "../../../../store/cell.ts";
import type { Connection } from "../../../../store/database.ts";
import type { RowOf } from "../../../../store/sql.ts";
import * as sql from "./statements.ts";

/** `first` and `last` are days; `currencies` counts those of the last one. */
export type StoredExchangeSource = RowOf<typeof sql.exchangeSourceList>;

/** By name. */
export function listExchangeSources(
  db: Connection,
  cell: Cell,
  limit: number,
): Promise<readonly StoredExchangeSource[]> {
  return db.rows(sql.exchangeSourceList(cell), [limit]);
}

/** The base of a source that is there does not change. */
export async function noteExchangeSource(
  tx: Connection,
  cell: Cell,
  { source, base }: Pick<StoredExchangeSource, "source" | "base">,
  atMs: number,
): Promise<void> {
  await tx.rows(sql.exchangeSourceUpsert(cell), [source, base, new Date(atMs)]);
}

/** What one unit of the source's base costs in `currency`. */
export type ExchangeRateColumns = {
  readonly source: string;
  readonly dated: string;
  readonly currency: string;
  readonly rate: string;
};

/** How many of them were there before: the same, or with another rate, which is gone now. */
export type StoredExchangeRates = RowOf<typeof sql.exchangeRateCompare>;

/** No two of them have the same source, day and currency. */
export async function storeExchangeRates(
  tx: Connection,
  cell: Cell,
  rates: readonly ExchangeRateColumns[],
): Promise<StoredExchangeRates> {
  const columns = [
    textArray(rates.map(({ source }) => source)),
    textArray(rates.map(({ dated }) => dated)),
    textArray(rates.map(({ currency }) => currency)),
    textArray(rates.map(({ rate }) => rate)),
  ] as const;
  const [before] = await tx.rows(sql.exchangeRateCompare(cell), columns);
  if (before!.same < rates.length) await tx.rows(sql.exchangeRateUpsert(cell), columns);
  return before!;
}

/** The latest day first. */
export function listExchangeRatesUntil(
  db: Connection,
  cell: Cell,
  source: string,
  { day, daysBefore }: { readonly day: string; readonly daysBefore: number },
  currencies: readonly string[],
): Promise<readonly RowOf<typeof sql.exchangeRateListUntil>[]> {
  return db.rows(sql.exchangeRateListUntil(cell), [source, day, daysBefore, textArray(currencies)]);
}

/** By source and currency, each with its latest rate on the day or the days before it. Null: of all sources. */
export function listExchangeRatesOn(
  db: Connection,
  cell: Cell,
  source: string | null,
  { day, daysBefore }: { readonly day: string; readonly daysBefore: number },
): Promise<readonly RowOf<typeof sql.exchangeRateListOn>[]> {
  return db.rows(sql.exchangeRateListOn(cell), [source, day, daysBefore]);
}

/** Those of a day, or all of a source; a source without any goes with them. Returns how many. */
export async function removeExchangeRates(
  tx: Connection,
  cell: Cell,
  source: string,
  day: string | null,
): Promise<number> {
  const [counted] = await tx.rows(sql.exchangeRateCount(cell), [source, day]);
  await tx.rows(sql.exchangeRateRemove(cell), [source, day]);
  await tx.rows(sql.exchangeSourceRemove(cell), [source]);
  return counted!.count;
}
