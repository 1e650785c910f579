import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { dedupKeyClaim, eventRaise } from "./events.sql.ts";

/** Events and deliveries of one commit, column by column as the statement takes them. */
export type RaiseBatch = {
  readonly accountIds: string[];
  /** The version of each account's routes, beside `accountIds`. */
  readonly versions: number[];
  readonly events: {
    readonly ids: string[];
    readonly accountIds: string[];
    readonly products: string[];
    readonly types: string[];
    readonly occurredAtMs: number[];
    readonly data: string[];
  };
  readonly deliveries: {
    readonly ids: string[];
    readonly eventIds: string[];
    readonly endpointIds: string[];
    /** The node that sends it at once, the same for all of the batch, or null: it goes to the queue. */
    readonly nodes: (number | null)[];
  };
};

/**
 * Written, or nothing of it: `staleAccounts` have changed their routes since `versions`, or the node
 * that was to hold deliveries has been replaced.
 */
export type InsertResult =
  | { readonly kind: "written" }
  | { readonly kind: "refused"; readonly staleAccounts: readonly string[]; readonly nodeReplaced: boolean };

/** Writes the batch, or nothing of it. Throws when the database cannot say whether it committed. */
export async function insertRaised(
  db: Connection,
  cell: Cell,
  batch: RaiseBatch,
  atMs: number,
): Promise<InsertResult> {
  const { events, deliveries } = batch;
  const isQueued = (_id: string, index: number): boolean => deliveries.nodes[index] === null;
  const stale = await eventRaise(db, cell, {
    accountIds: batch.accountIds,
    versions: batch.versions,
    eventIds: events.ids,
    eventAccountIds: events.accountIds,
    products: events.products,
    types: events.types,
    occurredAt: events.occurredAtMs,
    data: events.data,
    deliveryIds: deliveries.ids,
    deliveryEventIds: deliveries.eventIds,
    deliveryEndpointIds: deliveries.endpointIds,
    nodes: deliveries.nodes,
    at: atMs,
    queuedIds: deliveries.ids.filter(isQueued),
    queuedEndpointIds: deliveries.endpointIds.filter(isQueued),
    node: deliveries.nodes.find((node) => node !== null) ?? null,
  });
  if (stale.length === 0) return { kind: "written" };
  const staleAccounts = stale.flatMap(({ id }) => id ?? []);
  return { kind: "refused", staleAccounts, nodeReplaced: staleAccounts.length < stale.length };
}

/** A deduplication key and the event that would own it. */
export type DedupKeyClaim = {
  readonly accountId: string;
  readonly product: string;
  readonly dedupKey: string;
  readonly eventId: string;
};

/** Claims keys, and returns the ids of the events whose key was new. */
export async function claimDedupKeys(
  db: Connection,
  cell: Cell,
  claims: readonly DedupKeyClaim[],
  atMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await dedupKeyClaim(db, cell, { claims, at: atMs });
  return new Set(rows.map((row) => row.event_id));
}
