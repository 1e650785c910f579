/** Indices over baskets of lanes, and their values: hundredths of a point, as text. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { laneArrays, type LaneColumns } from "./rate-lanes.ts";
import type { RowOf } from "../../../store/sql.ts";
import {
  rateIndexAdvance,
  rateIndexBasketPrices,
  rateIndexDue,
  rateIndexGet,
  rateIndexInsert,
  rateIndexList,
  rateIndexRemove,
  rateIndexValueInsert,
  rateIndexValueList,
  rateIndexValueListLatest,
} from "./rate-indices.sql.ts";

/**
 * Days are `YYYY-MM-DD`; `basket` is JSON; `weekday` runs from 1, Monday, to 7; null: on demand only. `exchangeRates`
 * is JSON, those of the base date; null: the basket has one currency.
 */
export type StoredIndex = RowOf<typeof rateIndexList>;

/** `coverage` is in hundredths of a percent; `exchangeRates` is JSON; null: nothing was converted. */
export type StoredIndexValue = RowOf<typeof rateIndexValueList>;

/** False: there is one of that id. */
export async function addIndex(tx: Connection, cell: Cell, index: StoredIndex): Promise<boolean> {
  const { id, name, currency, baseDate, baseValue, basket, weekday, hourUtc, nextAt, createdAt } = index;
  const base = [id, name, currency, baseDate, baseValue, basket] as const;
  const row = [...base, weekday, hourUtc, nextAt, createdAt, index.exchangeRates] as const;
  return (await rateIndexInsert(tx, cell, ...row)).length > 0;
}

/** By id. */
export function listIndices(db: Connection, cell: Cell, limit: number) {
  return rateIndexList(db, cell, limit);
}

/** Null: there is no such index. */
export async function getIndex(db: Connection, cell: Cell, id: string) {
  return rateIndexGet(db, cell, id);
}

/** The one that is due first; null: none is. */
export async function readDueIndex(db: Connection, cell: Cell, atMs: number) {
  return rateIndexDue(db, cell, atMs);
}

export async function advanceIndex(tx: Connection, cell: Cell, id: string, nextAtMs: number) {
  await rateIndexAdvance(tx, cell, id, nextAtMs);
}

/** False: there is no such index. Its values go with it. */
export async function removeIndex(db: Connection, cell: Cell, id: string): Promise<boolean> {
  return (await rateIndexRemove(db, cell, id)).length > 0;
}

/** False: there is a value of that date, and it stays. */
export async function addIndexValue(tx: Connection, cell: Cell, indexId: string, one: StoredIndexValue) {
  const { dated, value, coverage, lanesCarried, lanesMissing, computedAt, exchangeRates } = one;
  const counts = [coverage, lanesCarried, lanesMissing] as const;
  const columns = [indexId, dated, value, ...counts, computedAt, exchangeRates] as const;
  return (await rateIndexValueInsert(tx, cell, ...columns)).length > 0;
}

/** The latest first, up to a day; null: all. */
export function listIndexValues(
  db: Connection,
  cell: Cell,
  indexId: string,
  upTo: string | null,
  limit: number,
): Promise<readonly StoredIndexValue[]> {
  return rateIndexValueList(db, cell, indexId, upTo, limit);
}

/** The latest of each of several indices. */
export function listLatestIndexValues(
  db: Connection,
  cell: Cell,
  indexIds: readonly string[],
  limit: number,
): Promise<readonly (StoredIndexValue & { readonly indexId: string })[]> {
  return rateIndexValueListLatest(db, cell, indexIds, limit);
}

/** What a lane costs on a day; `carried`: by a rate that has ended. Null: unknown. */
export type BasketPrice = RowOf<typeof rateIndexBasketPrices>;

/** In the order of the lanes; a rate that has ended counts for `carriedDays` more. */
export function readBasketPrices(
  db: Connection,
  cell: Cell,
  lanes: readonly LaneColumns[],
  day: string,
  carriedDays: number,
): Promise<readonly BasketPrice[]> {
  return rateIndexBasketPrices(db, cell, ...laneArrays(lanes), day, carriedDays);
}
