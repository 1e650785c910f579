/** What the store knows of tracked waybills beside their polling. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import { AIR_PRODUCT } from "../air-product.ts";
import { waybillFacts, waybillRaised } from "./waybills.sql.ts";

/** `timeline` and `eta` are JSON, as the record has them. */
export type WaybillFacts = RowOf<typeof waybillFacts>;

/** By id; a waybill without a record has none. */
export async function readWaybillFacts(
  db: Connection,
  cell: Cell,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WaybillFacts>> {
  const rows = await waybillFacts(db, cell, { accountId, ids });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The ids of events that were raised, by their key; keys are kept as long as history is. */
export async function findRaised(
  db: Connection,
  cell: Cell,
  accountId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await waybillRaised(db, cell, { accountId, product: AIR_PRODUCT, keys });
  return new Map(rows.map(({ key, id }) => [key, id]));
}
