/**
 * Messages to cells of accounts from the directory, and from cells of products: no transaction reaches both. `source` is
 * the schema that writes them, whose outbox they are in.
 */
import { STORE_FAULTS, StoreUnavailable } from "../../model/errors.ts";
import type { Cell, Cells } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../sql.ts";
import {
  outboxClaim,
  outboxCount,
  outboxDelete,
  outboxInsert,
  outboxListCells,
  outboxPrune,
  outboxRelease,
} from "./outbox.sql.ts";

/**
 * Applies messages of one kind in a cell. A message may come twice, and before an earlier one: both must end as if each
 * had come once, in the order of their ids.
 */
export type ApplyMessage = (db: Connection, cell: Cell, payload: string, id: number) => Promise<unknown>;

/** By kind. Kinds of other builds wait for a node that knows them. */
export type MessageHandlers = Readonly<Record<string, ApplyMessage>>;

type Message = Omit<RowOf<typeof outboxClaim>, "id"> & { readonly id: number };

/** By one statement. */
const PRUNED_MAX = 1_000;

/** Of an outbox's messages since the oldest that a cell has not applied; each counts as one KiB at least. */
export const BEHIND_KIB_MAX = 4 * 1024 * 1024;

/**
 * In a transaction of the source: each payload reaches each cell, soon after the commit (`Forwarder.wake`). Throws
 * `StoreUnavailable` if one of the cells is behind by more than `behindKibMax`.
 */
export async function writeMessages(
  tx: Connection,
  source: Cell,
  cells: Cells,
  kind: string,
  payloads: readonly string[],
  atMs: number,
  behindKibMax = BEHIND_KIB_MAX,
): Promise<void> {
  if (payloads.length === 0) return;
  const written = await outboxInsert(tx, source, {
    cells: numbersOf(cells),
    kind,
    payloads,
    at: new Date(atMs),
    behindKibMax,
  });
  if (written.count > 0) return;
  throw new StoreUnavailable(
    `${STORE_FAULTS.overloaded}: a cell that is gone has too many messages to take`,
    { commitUnknown: false, reason: "overloaded" },
  );
}

/** Those of the cells that have messages due, by number. */
export async function listCellsWithMessages(
  db: Connection,
  source: Cell,
  cells: readonly Cell[],
  kinds: readonly string[],
  atMs: number,
): Promise<ReadonlySet<number>> {
  const rows = await outboxListCells(db, source, { cells: numbersOf(cells), kinds, at: atMs });
  return new Set(rows.map(({ number }) => number));
}

export type ClaimBounds = {
  readonly leaseMs: number;
  readonly messagesMax: number;
  /** Of their payloads together, unless one has more. */
  readonly bytesMax: number;
};

/** The cell's oldest messages that are due, in the order in which they were written. */
export async function claimMessages(
  db: Connection,
  source: Cell,
  cell: Cell,
  kinds: readonly string[],
  atMs: number,
  { leaseMs, messagesMax, bytesMax }: ClaimBounds,
): Promise<readonly Message[]> {
  const [at, until] = [new Date(atMs), new Date(atMs + leaseMs)];
  const rows = await outboxClaim(db, source, {
    number: cell.number,
    kinds,
    at,
    until,
    messagesMax,
    bytesMax,
  });
  return rows.map((message) => ({ ...message, id: Number(message.id) }));
}

/** Gives messages that were claimed for the cell back, due at `atMs`. */
export async function releaseMessages(
  db: Connection,
  source: Cell,
  { number }: Cell,
  ids: readonly number[],
  atMs: number,
): Promise<void> {
  if (ids.length > 0) await outboxRelease(db, source, { number, ids, at: atMs });
}

/** The cell has applied them. */
export async function deleteMessages(
  db: Connection,
  source: Cell,
  { number }: Cell,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > 0) await outboxDelete(db, source, { number, ids });
}

/** Deletes messages that no cell waits for any more, older than all that waits. True: there are more. */
export async function pruneMessages(db: Connection, source: Cell): Promise<boolean> {
  const pruned = await outboxPrune(db, source, PRUNED_MAX);
  return pruned.count === PRUNED_MAX;
}

/** What waits for each cell, of which `rowsMax` are counted, since when, and how much has been written since. */
export function countMessages(db: Connection, source: Cell, cells: Cells, rowsMax: number) {
  return outboxCount(db, source, { cells: numbersOf(cells), rowsMax });
}

function numbersOf(cells: readonly Cell[]) {
  return cells.map(({ number }) => number);
}
