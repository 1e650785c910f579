import type { InFlightDelivery } from "../../model/delivery.ts";
import { buildDeliveryBody } from "../../model/delivery-body.ts";
import { int4Array, uuidArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { topics } from "../endpoints/invalidations.ts";
import type { RowOf } from "../sql.ts";
import * as sql from "./statements.ts";

/** When an endpoint's queue has something due; null when nothing waits. */
export type Due = RowOf<typeof sql.queueSweep>;

/** Claims, for each endpoint, up to `limit` deliveries that are due. */
export async function claimDue(
  db: Connection,
  cell: Cell,
  node: number,
  wanted: readonly { readonly endpointId: string; readonly limit: number }[],
  atMs: number,
): Promise<InFlightDelivery[]> {
  const ids = uuidArray(wanted.map(({ endpointId }) => endpointId));
  const limits = int4Array(wanted.map(({ limit }) => limit));
  const rows = await db.rows(sql.deliveryClaim(cell), [node, ids, limits, new Date(atMs)]);
  return rows.map(({ data, occurredAt, ...row }) => ({
    ...row,
    body: buildDeliveryBody(row.id, row.type, occurredAt.getTime(), data),
    node,
    queued: true,
  }));
}

/** The next time at which each of the endpoints has something due. */
export function readNextDue(db: Connection, cell: Cell, endpointIds: readonly string[]) {
  return db.rows(sql.queueNextDue(cell), [uuidArray(endpointIds)]);
}

/** Every active endpoint with something due before `horizonMs`. */
export function sweepQueue(db: Connection, cell: Cell, horizonMs: number) {
  return db.rows(sql.queueSweep(cell), [new Date(horizonMs)]);
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
  const ids = uuidArray(deliveryIds);
  return (await db.rows(sql.deliveryRelease(cell), [node, ids, new Date(atMs)])).map(({ id }) => id);
}

/** The deliveries that the node has claimed. */
export function listClaims(db: Connection, cell: Cell, node: number) {
  return db.rows(sql.deliveryListClaimed(cell), [node]);
}

/**
 * One product's deliveries in the queue: `claimed` by a node, `due`, `waiting` for the time of the next attempt, or
 * `parked` until the endpoint is active again.
 */
export type QueueCount = RowOf<typeof sql.queueCount>;

/** Counts the queue, `rowsMax` rows of it at most. */
export function countQueue(db: Connection, cell: Cell, atMs: number, rowsMax: number) {
  return db.rows(sql.queueCount(cell), [new Date(atMs), rowsMax]);
}

/** Endpoints named in one notice: PostgreSQL's payloads end at 8,000 bytes. */
const ENDPOINTS_A_NOTIFICATION_MAX = 200;

/** Tells all nodes that the endpoints have something due in the queue. */
export async function notifyDue(db: Connection, cell: Cell, endpointIds: readonly string[]) {
  for (let from = 0; from < endpointIds.length; from += ENDPOINTS_A_NOTIFICATION_MAX) {
    const some = endpointIds.slice(from, from + ENDPOINTS_A_NOTIFICATION_MAX);
    await db.rows(sql.queueNotify(cell), [uuidArray(some), topics(cell).queue]);
  }
}
