/** What an operator looks up by an id alone, without saying whose it is. */
import type { DeliveryRecord, DeliveryStatus } from "../../model/delivery.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import { uuidArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import * as sql from "./statements.ts";

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

export async function findEndpoint(connection: Connection, cell: Cell, id: string): Promise<Endpoint | null> {
  const rows = await connection.rows(sql.endpointFind(cell), [id]);
  return rows[0] ?? null;
}

/** Newest first. */
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
