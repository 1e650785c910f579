/** Events for every account with an endpoint that takes them, and how far each has come in each cell. */
import { textArray, timestampArray, uuidArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import * as sql from "./statements.ts";

/** An event for every account with an endpoint that takes it. */
export type Broadcast = {
  /** UUIDv7. */
  readonly id: string;
  /** The product's tag. */
  readonly product: string;
  /** A name of the product's catalogue. */
  readonly type: string;
  /** The event's data as JSON text, at most 256 KiB of UTF-8. */
  readonly data: string;
  readonly occurredAtMs: number;
  /** 1 to 500 characters. Each account's event carries it, so that none receives it twice while history lasts. */
  readonly dedupKey: string;
};

/** Rows that one statement adds. */
const BROADCASTS_PER_STATEMENT_MAX = 1_000;

/**
 * In the caller's transaction: a row in each cell, sent soon after the commit (`Broadcaster.wake`). A broadcast
 * whose key is still there for its product adds nothing.
 */
export async function addBroadcasts(
  tx: Connection,
  cells: readonly Cell[],
  broadcasts: readonly Broadcast[],
): Promise<void> {
  for (let start = 0; start < broadcasts.length; start += BROADCASTS_PER_STATEMENT_MAX) {
    const some = broadcasts.slice(start, start + BROADCASTS_PER_STATEMENT_MAX);
    const columns = [
      uuidArray(some.map(({ id }) => id)),
      textArray(some.map(({ product }) => product)),
      textArray(some.map(({ type }) => type)),
      textArray(some.map(({ data }) => data)),
      timestampArray(some.map(({ occurredAtMs }) => occurredAtMs)),
      textArray(some.map(({ dedupKey }) => dedupKey)),
    ] as const;
    for (const cell of cells) await tx.rows(sql.broadcastInsert(cell), columns);
  }
}

/**
 * Broadcasts that the same accounts are still to receive: the accounts after `lastAccountId`, null where none has
 * received them yet. The data of one of them has `bytesMax`.
 */
export type BroadcastGroup = RowOf<typeof sql.broadcastListGroups>;

/** The groups of the cell's `scannedMax` oldest broadcasts. */
export function listBroadcastGroups(db: Connection, cell: Cell, scannedMax: number) {
  return db.rows(sql.broadcastListGroups(cell), [scannedMax]);
}

/** The next accounts after `lastAccountId`, by id, with an active endpoint that subscribes to the event. */
export async function listReceivers(
  db: Connection,
  cell: Cell,
  { product, type, lastAccountId }: Omit<BroadcastGroup, "bytesMax">,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.rows(sql.broadcastListReceivers(cell), [product, type, lastAccountId, limit]);
  return rows.map((row) => row.account_id);
}

/** What each account receives. */
export type BroadcastContent = RowOf<typeof sql.broadcastFinish>;

/**
 * Deletes the oldest broadcasts of a group whose last accounts receive them in this transaction: at most `countMax`
 * with `bytesMax` of data together, and at least one.
 */
export function finishBroadcasts(
  tx: Connection,
  cell: Cell,
  { product, type, lastAccountId }: BroadcastGroup,
  countMax: number,
  bytesMax: number,
): Promise<readonly BroadcastContent[]> {
  return tx.rows(sql.broadcastFinish(cell), [product, type, lastAccountId, countMax, bytesMax]);
}

/** Records that the accounts up to `accountId` receive one of the group; empty if another node holds it. */
export function advanceBroadcast(
  tx: Connection,
  cell: Cell,
  { product, type, lastAccountId }: BroadcastGroup,
  accountId: string,
): Promise<readonly BroadcastContent[]> {
  return tx.rows(sql.broadcastAdvance(cell), [product, type, lastAccountId, accountId]);
}
