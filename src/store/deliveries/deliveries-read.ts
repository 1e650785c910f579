import type { DeliveryStatus } from "../../model/delivery.ts";
import { uuidArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../sql.ts";
import * as sql from "./statements.ts";

/** The endpoint's newest deliveries, newest first. */
export function listRecentDeliveries(db: Connection, cell: Cell, endpointId: string, limit: number) {
  return db.rows(sql.deliveryListRecent(cell), [endpointId, limit]);
}

/** `dueAt`: the earliest time of the next attempt; null when none waits. */
export type FoundDelivery = RowOf<typeof sql.deliverySearch>;

/** Deliveries of some endpoints, newest first; a null status: any. */
export function searchDeliveries(
  db: Connection,
  cell: Cell,
  endpointIds: readonly string[],
  status: DeliveryStatus | null,
  limit: number,
): Promise<FoundDelivery[]> {
  return db.rows(sql.deliverySearch(cell), [uuidArray(endpointIds), status, limit]);
}
