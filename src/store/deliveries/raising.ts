import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { dedupKeyClaim, eventRaise } from "./events.sql.ts";

/** Events and deliveries of one commit. */
export type RaiseBatch = {
  /** With the version of their routes. */
  readonly accounts: readonly { readonly id: string; readonly version: number }[];
  readonly events: {
    readonly id: string;
    readonly accountId: string;
    readonly product: string;
    readonly type: string;
    readonly occurredAtMs: number;
    readonly data: string;
  }[];
  /** What an event is found by. */
  readonly references: {
    readonly accountId: string;
    readonly reference: string;
    readonly eventId: string;
  }[];
  /** `node` sends it at once, the same for all of the batch; null: it goes to the queue. */
  readonly deliveries: {
    readonly id: string;
    readonly eventId: string;
    readonly endpointId: string;
    readonly node: number | null;
  }[];
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
  const node = batch.deliveries.find((one) => one.node !== null)?.node ?? null;
  const stale = await eventRaise(db, cell, { ...batch, node, at: atMs });
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
