import type { InFlightDelivery } from "../../model/delivery.ts";
import { buildDeliveryBody } from "../../model/delivery-body.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { topics } from "../endpoints/invalidations.ts";
import type { RowOf } from "../sql.ts";
import { deliveryClaim, deliveryRelease } from "./deliveries.sql.ts";
import type { queueCount, queueSweep } from "./queue.sql.ts";
import { queueNotify } from "./queue.sql.ts";

/** When an endpoint's queue has something due; null when nothing waits. */
export type Due = RowOf<typeof queueSweep>;

/** Claims, for each endpoint, up to `limit` deliveries that are due. */
export async function claimDue(
  db: Connection,
  cell: Cell,
  node: number,
  wanted: readonly { readonly endpointId: string; readonly limit: number }[],
  atMs: number,
): Promise<InFlightDelivery[]> {
  const rooms = wanted.map(({ endpointId, limit }) => ({ endpointId, room: limit }));
  const rows = await deliveryClaim(db, cell, { node, wanted: rooms, at: atMs });
  return rows.map(({ data, occurredAt, ...row }) => ({
    ...row,
    body: buildDeliveryBody(row.id, row.type, occurredAt.getTime(), data),
    node,
    queued: true,
  }));
}

/**
 * Returns deliveries to the queue, due at once; skips deliveries that the node does not hold. Returns the ids of
 * the ones that the node has held since they were raised.
 */
export async function releaseDeliveries(
  db: Connection,
  cell: Cell,
  node: number,
  deliveryIds: readonly string[],
  atMs: number,
): Promise<string[]> {
  const ids = deliveryIds;
  return (await deliveryRelease(db, cell, { node, ids, at: atMs })).map(({ id }) => id);
}

/**
 * One product's deliveries in the queue: `claimed` by a node, `due`, `waiting` for the time of the next attempt, or
 * `parked` until the endpoint is active again.
 */
export type QueueCount = RowOf<typeof queueCount>;

/** Endpoints named in one notice: PostgreSQL's payloads end at 8,000 bytes. */
const ENDPOINTS_A_NOTIFICATION_MAX = 200;

/** Tells all nodes that the endpoints have something due in the queue. */
export async function notifyDue(db: Connection, cell: Cell, endpointIds: readonly string[]) {
  for (let from = 0; from < endpointIds.length; from += ENDPOINTS_A_NOTIFICATION_MAX) {
    const some = endpointIds.slice(from, from + ENDPOINTS_A_NOTIFICATION_MAX);
    await queueNotify(db, cell, { endpointIds: some, topic: topics(cell).queue });
  }
}
