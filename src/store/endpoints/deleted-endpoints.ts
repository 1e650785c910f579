import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { deletedEndpointList, deletedEndpointPrune, deletedEndpointRemove } from "./deleted-endpoints.sql.ts";

/** What one call removes at most, so that no statement holds its locks for long. */
const DELIVERIES_A_STEP_MAX = 2_000;
const ENDPOINTS_A_STEP_MAX = 10;

/** Removes some of the history of endpoints deleted before `beforeMs`; true when there is more. */
export async function pruneDeletedEndpoints(db: Connection, cell: Cell, beforeMs: number) {
  const deleted = await deletedEndpointList(db, cell, {
    endpointsAStepMax: ENDPOINTS_A_STEP_MAX,
    before: new Date(beforeMs),
  });
  for (const { endpointId } of deleted) {
    const removed = await deletedEndpointPrune(db, cell, {
      endpointId,
      deliveriesAStepMax: DELIVERIES_A_STEP_MAX,
    });
    if (removed.count === DELIVERIES_A_STEP_MAX) return true;
    await deletedEndpointRemove(db, cell, endpointId);
  }
  return deleted.length === ENDPOINTS_A_STEP_MAX;
}
