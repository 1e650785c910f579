import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import {
  invalidationAcknowledge,
  invalidationLatest,
  invalidationPublish,
  invalidationUnacknowledged,
  workNotify,
} from "./invalidations.sql.ts";

/** The channel on which nodes notify each other, for all cells of a database. */
export const NOTIFY_CHANNEL = "boathook_changes";

/** What arrives on the channel: a change of one endpoint, endpoints that have something due, or a job of other work. */
export type NodeNotification =
  | Invalidation
  | { readonly kind: "work" }
  | { readonly kind: "due"; readonly endpointIds: readonly string[] };

export type Invalidation = {
  readonly kind: "change";
  readonly number: number;
  readonly accountId: string;
  readonly endpointId: string;
};

/** Notifies all nodes that an endpoint is disabled, or its account closed; resolves with the number of the invalidation. */
export async function publishInvalidation(
  db: Connection,
  cell: Cell,
  accountId: string,
  endpointId: string,
): Promise<number> {
  return (await invalidationPublish(db, cell, { accountId, endpointId, topic: topics(cell).changes })).number;
}

/** How the cell's notifications begin. */
export function topics({ schema }: Cell) {
  return { changes: `"${schema}".changes`, queue: `"${schema}".queue`, work: `"${schema}".work` };
}

/** Notifies all nodes that a job in the cell may be due sooner than they know; in a transaction, with its commit. */
export async function notifyWork(db: Connection, cell: Cell): Promise<void> {
  await workNotify(db, cell, topics(cell).work);
}

/** The schema of the cell that a notification is for, or null. */
export function cellSchemaOf(payload: string): string | null {
  return /^"([^"]+)"\./.exec(payload)?.[1] ?? null;
}

/** What a notification says, or null when it is for another cell. */
export function parseNotification(cell: Cell, payload: string): NodeNotification | null {
  const [where, ...rest] = payload.split(" ");
  if (where === topics(cell).queue) return { kind: "due", endpointIds: rest };
  if (where === topics(cell).work) return { kind: "work" };
  const [number, accountId, endpointId] = rest;
  if (where !== topics(cell).changes || accountId === undefined || endpointId === undefined) return null;
  return { kind: "change", number: Number(number), accountId, endpointId };
}

/** The number of the last change. */
export async function latestInvalidation(db: Connection, cell: Cell): Promise<number> {
  return (await invalidationLatest(db, cell)).number;
}

/** Records that the node has applied every change up to `number`. */
export async function acknowledgeInvalidation(db: Connection, cell: Cell, node: number, number: number) {
  await invalidationAcknowledge(db, cell, { node, number });
}

/** The other nodes that have not taken a change in. */
export async function unacknowledgedBy(db: Connection, cell: Cell, node: number, number: number) {
  return (await invalidationUnacknowledged(db, cell, { node, number })).map((row) => row.id);
}
