import type { InFlightDelivery } from "../../model/delivery.ts";
import { buildDeliveryBody } from "../../model/delivery-body.ts";
import { int4Array, uuidArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { topics } from "../endpoints/invalidations.ts";
import * as sql from "./statements.ts";

/** When an endpoint's queue has something due; null when nothing waits. */
export type Due = { readonly endpointId: string; readonly dueAt: Date | null };

/** Claims, for each endpoint, up to `limit` deliveries that are due. */
export async function claimDue(
  connection: Connection,
  cell: Cell,
  node: number,
  wanted: readonly { readonly endpointId: string; readonly limit: number }[],
  atMs: number,
): Promise<InFlightDelivery[]> {
  const rows = await connection.rows(sql.deliveryClaim(cell), [
    node,
    uuidArray(wanted.map((one) => one.endpointId)),
    int4Array(wanted.map((one) => one.limit)),
    new Date(atMs),
  ]);
  return rows.map((row) => ({
    id: row.id,
    endpointId: row.endpointId,
    type: row.type,
    body: buildDeliveryBody(row.id, row.type, row.occurredAt.getTime(), row.data),
    attemptCount: row.attemptCount,
    node,
    queued: true,
  }));
}

/** The next time at which each of the endpoints has something due. */
export function readNextDue(
  connection: Connection,
  cell: Cell,
  endpointIds: readonly string[],
): Promise<Due[]> {
  return connection.rows(sql.queueNextDue(cell), [uuidArray(endpointIds)]);
}

/** Every active endpoint with something due before `horizonMs`. */
export function sweepQueue(connection: Connection, cell: Cell, horizonMs: number): Promise<Due[]> {
  return connection.rows(sql.queueSweep(cell), [new Date(horizonMs)]);
}

/**
 * Gives deliveries back to the queue, due at once; those that the node does not hold are passed over.
 * Returns those that it has held since they were raised.
 */
export async function releaseDeliveries(
  connection: Connection,
  cell: Cell,
  node: number,
  deliveryIds: readonly string[],
  atMs: number,
): Promise<string[]> {
  const rows = await connection.rows(sql.deliveryRelease(cell), [
    node,
    uuidArray(deliveryIds),
    new Date(atMs),
  ]);
  return rows.map(({ id }) => id);
}

/** The deliveries that the node has claimed. */
export function listClaims(
  connection: Connection,
  cell: Cell,
  node: number,
): Promise<{ readonly id: string; readonly endpointId: string }[]> {
  return connection.rows(sql.deliveryListClaimed(cell), [node]);
}

/** What stands in the queue for one product, by what it waits for. */
export type QueueCount = {
  readonly product: string;
  /** A node has it in hand. */
  readonly claimed: number;
  /** Its time has come. */
  readonly due: number;
  /** For the time of its next attempt. */
  readonly waiting: number;
  /** For its endpoint to become active again. */
  readonly parked: number;
};

/** Counts the queue, `rowsMax` rows of it at most. */
export function countQueue(
  connection: Connection,
  cell: Cell,
  atMs: number,
  rowsMax: number,
): Promise<QueueCount[]> {
  return connection.rows(sql.queueCount(cell), [new Date(atMs), rowsMax]);
}

/** Endpoints named in one notice: PostgreSQL's payloads end at 8,000 bytes. */
const ENDPOINTS_A_NOTIFICATION_MAX = 200;

/** Tells all nodes that the endpoints have something due in the queue. */
export async function notifyDue(
  connection: Connection,
  cell: Cell,
  endpointIds: readonly string[],
): Promise<void> {
  for (let from = 0; from < endpointIds.length; from += ENDPOINTS_A_NOTIFICATION_MAX) {
    const some = endpointIds.slice(from, from + ENDPOINTS_A_NOTIFICATION_MAX);
    await connection.rows(sql.queueNotify(cell), [uuidArray(some), topics(cell).queue]);
  }
}
