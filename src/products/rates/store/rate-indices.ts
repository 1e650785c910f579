/** Indices over baskets of lanes, and their values: hundredths of a point, as text. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { LaneColumns } from "./rate-lanes.ts";
import type { RowOf } from "../../../store/sql.ts";
import type { rateIndexList, rateIndexValueList } from "./rate-indices.sql.ts";
import {
  rateIndexBasketPrices,
  rateIndexInsert,
  rateIndexRemove,
  rateIndexValueInsert,
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
  return (await rateIndexInsert(tx, cell, index)).length > 0;
}

/** False: there is no such index. Its values go with it. */
export async function removeIndex(db: Connection, cell: Cell, id: string): Promise<boolean> {
  return (await rateIndexRemove(db, cell, id)).length > 0;
}

/** False: there is a value of that date, and it stays. */
export async function addIndexValue(tx: Connection, cell: Cell, indexId: string, one: StoredIndexValue) {
  return (await rateIndexValueInsert(tx, cell, { ...one, indexId })).length > 0;
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
  return rateIndexBasketPrices(db, cell, { lanes, day, carriedDays });
}
