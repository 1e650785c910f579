import type { DeliveryRecord } from "../../model/delivery.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import * as sql from "./statements.ts";

/** The endpoint's newest deliveries, newest first. */
export function listRecentDeliveries(
  connection: Connection,
  cell: Cell,
  endpointId: string,
  limit: number,
): Promise<DeliveryRecord[]> {
  return connection.rows(sql.deliveryRecent(cell), [endpointId, limit]);
}
