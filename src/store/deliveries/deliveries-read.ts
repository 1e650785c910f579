import type { DeliveryRecord, DeliveryStatus } from "../../model/delivery.ts";
import { uuidArray } from "../binary.ts";
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
  return connection.rows(sql.deliveryListRecent(cell), [endpointId, limit]);
}

export type FoundDelivery = DeliveryRecord & {
  readonly endpointId: string;
  /** When its next attempt may be; null when none waits. */
  readonly dueAt: Date | null;
};

export type DeliverySearch = {
  readonly endpointIds: readonly string[];
  /** Null: any. */
  readonly status: DeliveryStatus | null;
  readonly limit: number;
};

/** Deliveries of some endpoints, newest first. */
export function searchDeliveries(
  connection: Connection,
  cell: Cell,
  search: DeliverySearch,
): Promise<FoundDelivery[]> {
  return connection.rows(sql.deliverySearch(cell), [
    uuidArray(search.endpointIds),
    search.status,
    search.limit,
  ]);
}
