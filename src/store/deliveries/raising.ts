import { int4Array, int8Array, textArray, timestampArray, uuidArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import * as sql from "./statements.ts";

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
  const stale = await db.rows(sql.eventRaise(cell), [
    uuidArray(batch.accountIds),
    int8Array(batch.versions),
    uuidArray(events.ids),
    uuidArray(events.accountIds),
    textArray(events.products),
    textArray(events.types),
    timestampArray(events.occurredAtMs),
    textArray(events.data),
    uuidArray(deliveries.ids),
    uuidArray(deliveries.eventIds),
    uuidArray(deliveries.endpointIds),
    int4Array(deliveries.nodes),
    new Date(atMs),
    uuidArray(deliveries.ids.filter(isQueued)),
    uuidArray(deliveries.endpointIds.filter(isQueued)),
    deliveries.nodes.find((node) => node !== null) ?? null,
  ]);
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
  const rows = await db.rows(sql.dedupKeyClaim(cell), [
    uuidArray(claims.map((claim) => claim.accountId)),
    textArray(claims.map((claim) => claim.product)),
    textArray(claims.map((claim) => claim.dedupKey)),
    uuidArray(claims.map((claim) => claim.eventId)),
    new Date(atMs),
  ]);
  return new Set(rows.map((row) => row.event_id));
}
