import type { DeliveryStatus } from "../../model/delivery.ts";
import type { LogPageRequest } from "../../model/page-request.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { deliveryListRecent, deliveryPage, deliveryPageOfEndpoints } from "./deliveries.sql.ts";

/** The endpoint's newest deliveries, newest first, and its health at the same moment; null health: it has none. */
export async function listRecentDeliveries(db: Connection, cell: Cell, endpointId: string, limit: number) {
  const rows = await deliveryListRecent(db, cell, { endpointId, limit });
  const [first] = rows;
  if (first === undefined) return { recent: rows, health: null };
  const { active, failureCount, lastDeliveryAt, disabledAt, disabledReason, missedEvents } = first;
  const health = { active, failureCount, lastDeliveryAt, disabledAt, disabledReason, missedEvents };
  return { recent: rows, health };
}

/** A null status or type: any; null endpoints: all of the cell. */
export type DeliveryFilter = {
  readonly endpointIds: readonly string[] | null;
  readonly status: DeliveryStatus | null;
  readonly type: string | null;
};

/** How many deliveries one page reads of a cell to find those of a status or type, which have no index. */
const READ_MAX = 2_000;

/** Newest first, and up to where the cell was read if there may be more behind it. */
export async function pageDeliveries(
  db: Connection,
  cell: Cell,
  { endpointIds, status, type }: DeliveryFilter,
  { beforeId, fromId, limit }: LogPageRequest,
) {
  const readMax = status === null && type === null ? limit : READ_MAX;
  const rows = await (endpointIds === null
    ? deliveryPage(db, cell, { beforeId, status, type, readMax, limit, fromId })
    : deliveryPageOfEndpoints(db, cell, { beforeId, status, type, readMax, limit, fromId, endpointIds }));
  const readTo = rows.find(({ isLastRead }) => isLastRead)?.id ?? null;
  return { found: rows.filter(({ matches }) => matches), readTo };
}
