import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { AT_ONCE } from "./shipments.ts";
import { shipmentDueByFirstMessage, shipmentDueByMessage } from "./shipments.sql.ts";

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
