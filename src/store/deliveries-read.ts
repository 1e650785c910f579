import type { DeliveryRecord } from "../model/delivery.ts";
import type { Cell } from "./cell.ts";
import type { Connection } from "./database.ts";
import { statement } from "./sql.ts";

/** A delivery among those of all endpoints of an account. */
export type AccountDelivery = DeliveryRecord & { readonly endpointId: string; readonly product: string };

/** The endpoint's newest deliveries, newest first. */
export function recentDeliveries(
  connection: Connection,
  cell: Cell,
  endpointId: string,
  limit: number,
): Promise<DeliveryRecord[]> {
  return connection.rows<DeliveryRecord>(statement("delivery_recent", cell), [endpointId, limit]);
}

/** The newest deliveries to all endpoints of an account, newest first. */
export function accountDeliveries(
  connection: Connection,
  cell: Cell,
  accountId: string,
  limit: number,
): Promise<AccountDelivery[]> {
  return connection.rows<AccountDelivery>(statement("delivery_of_account", cell), [accountId, limit]);
}
