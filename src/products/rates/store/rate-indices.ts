/** Indices over baskets of lanes, and their values. Values are hundredths of a point, as text. */
import { textArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { LaneColumns } from "./rate-lanes.ts";
import * as sql from "./statements.ts";

/** Days are `YYYY-MM-DD`; `basket` is JSON. */
export type StoredIndex = {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly baseDate: string;
  readonly baseValue: string;
  readonly basket: string;
  /** 1 Monday to 7 Sunday; null: on demand only. */
  readonly weekday: number | null;
  readonly hourUtc: number;
  readonly nextAt: Date | null;
  readonly createdAt: Date;
};

export type StoredIndexValue = {
  readonly dated: string;
  readonly value: string;
  /** Hundredths of a percent. */
  readonly coverage: number;
  readonly lanesCarried: number;
  readonly lanesMissing: number;
  readonly computedAt: Date;
};

/** False: there is one of that id. */
export async function addIndex(tx: Connection, directory: Cell, index: StoredIndex): Promise<boolean> {
  const { id, name, currency, baseDate, baseValue, basket, weekday, hourUtc, nextAt, createdAt } = index;
  const added = await tx.rows(sql.rateIndexInsert(directory), [
    id,
    name,
    currency,
    baseDate,
    baseValue,
    basket,
    weekday,
    hourUtc,
    nextAt,
    createdAt,
  ]);
  return added.length > 0;
}

/** By id. */
export function listIndices(
  connection: Connection,
  directory: Cell,
  limit: number,
): Promise<readonly StoredIndex[]> {
  return connection.rows(sql.rateIndexList(directory), [limit]);
}

/** Null: there is no such index. */
export async function getIndex(
  connection: Connection,
  directory: Cell,
  id: string,
): Promise<StoredIndex | null> {
  const [index] = await connection.rows(sql.rateIndexGet(directory), [id]);
  return index ?? null;
}

/** The one that is due first; null: none is. */
export async function readDueIndex(
  connection: Connection,
  directory: Cell,
  atMs: number,
): Promise<StoredIndex | null> {
  const due = sql.rateIndexDue(directory);
  const [index] = await connection.rows(due, [new Date(atMs)]);
  return index ?? null;
}

export async function advanceIndex(
  tx: Connection,
  directory: Cell,
  id: string,
  nextAtMs: number,
): Promise<void> {
  await tx.rows(sql.rateIndexAdvance(directory), [id, new Date(nextAtMs)]);
}

/** False: there is no such index. Its values go with it. */
export async function removeIndex(connection: Connection, directory: Cell, id: string): Promise<boolean> {
  return (await connection.rows(sql.rateIndexRemove(directory), [id])).length > 0;
}

/** False: there is a value of that date, and it stays. */
export async function addIndexValue(
  tx: Connection,
  directory: Cell,
  indexId: string,
  one: StoredIndexValue,
): Promise<boolean> {
  const { dated, value, coverage, lanesCarried, lanesMissing, computedAt } = one;
  const columns = [indexId, dated, value, coverage, lanesCarried, lanesMissing, computedAt] as const;
  return (await tx.rows(sql.rateIndexValueInsert(directory), columns)).length > 0;
}

/** The latest first, up to a day; null: all. */
export function listIndexValues(
  connection: Connection,
  directory: Cell,
  indexId: string,
  upTo: string | null,
  limit: number,
): Promise<readonly StoredIndexValue[]> {
  const values = sql.rateIndexValueList(directory);
  return connection.rows(values, [indexId, upTo, limit]);
}

/** The latest of each of several indices. */
export function listLatestIndexValues(
  connection: Connection,
  directory: Cell,
  indexIds: readonly string[],
  limit: number,
): Promise<readonly (StoredIndexValue & { readonly indexId: string })[]> {
  return connection.rows(sql.rateIndexValueListLatest(directory), [textArray(indexIds), limit]);
}

/** What a lane costs on a day; `carried`: by a rate that has ended. Null: nobody knows. */
export type BasketPrice = { readonly total: string | null; readonly carried: boolean };

/** In the order of the lanes; a rate that has ended counts for `carriedDays` more. */
export function readBasketPrices(
  connection: Connection,
  directory: Cell,
  lanes: readonly LaneColumns[],
  day: string,
  carriedDays: number,
): Promise<readonly BasketPrice[]> {
  return connection.rows(sql.rateIndexBasketPrices(directory), [
    textArray(lanes.map(({ origin }) => origin)),
    textArray(lanes.map(({ destination }) => destination)),
    textArray(lanes.map(({ equipment }) => equipment)),
    textArray(lanes.map(({ carrier }) => carrier)),
    textArray(lanes.map(({ currency }) => currency)),
    day,
    carriedDays,
  ]);
}
