import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { AT_ONCE } from "./shipments.ts";
import {
  shipmentDueByFirstMessage,
  shipmentDueByMessage,
  shipmentDueByReference,
  shipmentDueByVessel,
} from "./shipments.sql.ts";

/**
 * Makes shipments due before all others if one of these normalised references is theirs or their transport
 * document's, and if they are or may be this carrier's. Returns how many; safe to repeat.
 */
export async function makeDueByReference(
  db: Connection,
  cell: Cell,
  product: string,
  carrier: string,
  references: readonly string[],
): Promise<number> {
  return (await shipmentDueByReference(db, cell, { references, carrier, atOnce: AT_ONCE, product })).length;
}

/** Shipments that one callback makes due by their vessel; the largest ships carry some 10,000 boxes of all lines. */
const ABOARD_MAX = 1_000;

/**
 * Makes the shipments of a carrier due before all others that are aboard of one of these vessels, by IMO
 * number, and whose transport documents the carrier has never named. Returns how many.
 */
export async function makeDueByVessel(
  db: Connection,
  cell: Cell,
  product: string,
  carrier: string,
  imos: readonly string[],
): Promise<number> {
  return (
    await shipmentDueByVessel(db, cell, { imos, carrier, atOnce: AT_ONCE, product, aboardMax: ABOARD_MAX })
  ).length;
}

/**
 * Makes the shipments of these references due for re-evaluation, without a poll of their carrier; shipments without
 * an answer so far become due for a poll before all others, and for re-evaluation if the product makes a first record of
 * messages alone. Returns how many.
 */
export async function makeDueByMessage(
  db: Connection,
  cell: Cell,
  product: string,
  references: readonly string[],
  atMs: number,
  isFirstToo = false,
): Promise<number> {
  // One after the other: together they would lock shipments before polls, and savers lock polls first.
  // In this order, none is missed whose first answer comes between the two.
  const first = await shipmentDueByFirstMessage(db, cell, { product, references, atOnce: AT_ONCE });
  const answered = await shipmentDueByMessage(db, cell, { product, references, at: atMs, isFirstToo });
  return answered.length + first.length;
}
