/** What the store knows of tracked waybills beside their polling. */
import { textArray, uuidArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import { AIR_PRODUCT } from "../air-product.ts";
import * as sql from "./statements.ts";

/** `timeline` and `eta` are JSON, as the record has them. */
export type WaybillFacts = RowOf<typeof sql.waybillFacts>;

/** By id; a waybill without a record has none. */
export async function readWaybillFacts(
  db: Connection,
  cell: Cell,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WaybillFacts>> {
  const rows = await db.rows(sql.waybillFacts(cell), [accountId, uuidArray(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The ids of events that were raised, by their key; keys are kept as long as history is. */
export async function findRaised(
  db: Connection,
  cell: Cell,
  accountId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows(sql.waybillRaised(cell), [accountId, AIR_PRODUCT, textArray(keys)]);
  return new Map(rows.map(({ key, id }) => [key, id]));
}
