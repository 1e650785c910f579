/** Makes waybills due now that an airline pushed messages about, and wakes the poller. */
import type { Cell } from "../../../store/cell.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import { makeDueByMessage } from "../../../freight/tracking/store/shipments-due.ts";
import { AIR_PRODUCT } from "../air-product.ts";

type WakeWaybillsPorts = Pick<NodeContext, "database" | "clock"> & {
  readonly cells: readonly Cell[];
  /** Of the poller. */
  readonly wake: () => void;
};

/** `awbs`: eleven digits each, of stored messages. Returns how many trackings became due. */
export async function wakeWaybills(
  { database, cells, clock, wake }: WakeWaybillsPorts,
  awbs: readonly string[],
): Promise<number> {
  let due = 0;
  for (const cell of cells) due += await makeDueByMessage(database, cell, AIR_PRODUCT, awbs, clock.nowMs());
  if (due > 0) wake();
  return due;
}
