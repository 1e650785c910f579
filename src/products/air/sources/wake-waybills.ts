/** What an airline has pushed of a waybill is looked at now instead of at its next turn. */
import type { Clock } from "../../../runtime/clock.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { makeDueByMessage } from "../../../freight/tracking/store/shipments-due.ts";
import { AIR_PRODUCT } from "../air-product.ts";

export type WakeWaybillsPorts = {
  readonly database: Connection;
  readonly cells: readonly Cell[];
  readonly clock: Clock;
  /** Looks now. */
  readonly wake: () => void;
};

/** `awbs` are eleven digits each, of messages that are kept. Returns how many trackings are looked at for it. */
export async function wakeWaybills(
  { database, cells, clock, wake }: WakeWaybillsPorts,
  awbs: readonly string[],
): Promise<number> {
  let due = 0;
  for (const cell of cells) due += await makeDueByMessage(database, cell, AIR_PRODUCT, awbs, clock.nowMs());
  if (due > 0) wake();
  return due;
}
