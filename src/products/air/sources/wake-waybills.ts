/** Makes waybills due now that an airline pushed messages about, and wakes the poller. */
import type { Clock } from "../../../runtime/clock.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { makeDueByMessage } from "../../../freight/tracking/store/shipments-due.ts";
import { AIR_PRODUCT } from "../air-product.ts";

export type WakeWaybillsPorts = {
  readonly database: Connection;
  readonly cells: readonly Cell[];
  readonly clock: Clock;
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
