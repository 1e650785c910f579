/** Shipments that wait for sailings. */
import { textArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import * as sql from "./statements.ts";

/** Makes the shipments of the cell that wait for any of the sailings due for re-evaluation. */
export async function wakeAwaitingShipments(
  db: Connection,
  cell: Cell,
  keys: readonly string[],
  atMs: number,
): Promise<void> {
  await db.rows(sql.shipmentWakeByCall(cell), [textArray(keys), new Date(atMs)]);
}
