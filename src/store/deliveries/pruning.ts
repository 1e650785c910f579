import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { pruneStep, ROWS_PER_STEP_MAX } from "../prune-step.ts";
import { deliveryExpireParked } from "./deliveries.sql.ts";
import { dedupKeyPrune } from "./events.sql.ts";

/**
 * Ends what has been parked behind endpoints inactive since before `beforeMs`, and reports it but of the `unreported`
 * products. `products`: of each delivery that it ended.
 */
export async function expireParked(
  db: Connection,
  cell: Cell,
  beforeMs: number,
  atMs: number,
  unreported: readonly string[],
): Promise<{ readonly products: readonly string[]; readonly isMore: boolean }> {
  const { count, products } = await deliveryExpireParked(db, cell, {
    before: beforeMs,
    at: atMs,
    unreported,
    rowsPerStepMax: ROWS_PER_STEP_MAX,
  });
  return { products, isMore: count === ROWS_PER_STEP_MAX };
}

/** Deletes deduplication keys made before `beforeMs`; true when there is more. */
export function pruneDedupKeys(db: Connection, cell: Cell, beforeMs: number): Promise<boolean> {
  return pruneStep((limit) => dedupKeyPrune(db, cell, { before: beforeMs, limit }));
}
