import type { DeliveryRecord } from "../../model/delivery.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { statement } from "../sql.ts";

/** The endpoint's newest deliveries, newest first. */
export function listRecentDeliveries(
  connection: Connection,
  cell: Cell,
  endpointId: string,
  limit: number,
): Promise<DeliveryRecord[]> {
  return connection.rows<DeliveryRecord>(statement("delivery_recent", cell), [endpointId, limit]);
}
