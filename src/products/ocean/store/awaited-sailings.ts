/** Shipments that wait for sailings. */
import type { Cell, Cells } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { writeMessages, type MessageHandlers } from "../../../store/outbox/outbox.ts";
import { shipmentWakeByCall } from "./shipments.sql.ts";

const WAKE_BY_CALL = "ocean_wake_by_call";

type WakeByCall = { readonly keys: readonly string[]; readonly atMs: number };

/** In a transaction of the source: `shipmentWakeByCall` in each cell, soon after the commit. */
export function writeWakeByCall(
  tx: Connection,
  source: Cell,
  cells: Cells,
  keys: readonly string[],
  atMs: number,
): Promise<void> {
  const wake: WakeByCall = { keys, atMs };
  return writeMessages(tx, source, cells, WAKE_BY_CALL, [JSON.stringify(wake)], atMs);
}

/** Twice costs one more re-evaluation, which changes nothing. */
export const awaitedSailingMessages: MessageHandlers = {
  [WAKE_BY_CALL](db, cell, payload) {
    const { keys, atMs } = JSON.parse(payload) as WakeByCall;
    return shipmentWakeByCall(db, cell, { keys, at: atMs });
  },
};
