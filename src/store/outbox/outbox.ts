/**
 * Messages to cells of accounts from the directory, and from cells of products: no transaction reaches both. `source` is
 * the schema that writes them, whose outbox they are in.
 */
import { int4Array, int8Array, textArray } from "../binary.ts";
import type { Cell, Cells } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../sql.ts";
import * as sql from "./statements.ts";

/**
 * Applies messages of one kind in a cell. A message may come twice, and before an earlier one: both must end as if each
 * had come once, in the order of their ids.
 */
export type ApplyMessage = (db: Connection, cell: Cell, payload: string, id: number) => Promise<unknown>;

/** By kind. Kinds of other builds wait for a node that knows them. */
export type MessageHandlers = Readonly<Record<string, ApplyMessage>>;

type Message = Omit<RowOf<typeof sql.outboxClaim>, "id"> & { readonly id: number };

/** In a transaction of the source: each payload reaches each cell, soon after the commit (`Forwarder.wake`). */
export async function writeMessages(
  tx: Connection,
  source: Cell,
  cells: Cells,
  kind: string,
  payloads: readonly string[],
  atMs: number,
): Promise<void> {
  if (payloads.length === 0) return;
  await tx.rows(sql.outboxInsert(source), [numbersOf(cells), kind, textArray(payloads), new Date(atMs)]);
}

/** Those of the cells that have messages due, by number. */
export async function listCellsWithMessages(
  db: Connection,
  source: Cell,
  cells: readonly Cell[],
  kinds: readonly string[],
  atMs: number,
): Promise<ReadonlySet<number>> {
  const rows = await db.rows(sql.outboxListCells(source), [
    numbersOf(cells),
    textArray(kinds),
    new Date(atMs),
  ]);
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
  const row = [cell.number, textArray(kinds), at, until, messagesMax, bytesMax] as const;
  const rows = await db.rows(sql.outboxClaim(source), row);
  return rows.map((message) => ({ ...message, id: Number(message.id) }));
}

/** Gives claimed messages back, due at `atMs`. */
export async function releaseMessages(
  db: Connection,
  source: Cell,
  ids: readonly number[],
  atMs: number,
): Promise<void> {
  if (ids.length > 0) await db.rows(sql.outboxRelease(source), [int8Array(ids), new Date(atMs)]);
}

export async function deleteMessages(db: Connection, source: Cell, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.rows(sql.outboxDelete(source), [int8Array(ids)]);
}

/** The last message that waits for the cell, of those up to one, but of no kind `except`; null: none waits. */
export async function lastMessage(
  db: Connection,
  source: Cell,
  cell: Cell,
  except: string,
  upTo: number | null,
): Promise<number | null> {
  return (await db.rows(sql.outboxLast(source), [cell.number, except, upTo]))[0]?.id ?? null;
}

/** What waits for each cell, of which `rowsMax` are counted, and since when. */
export function countMessages(db: Connection, source: Cell, cells: Cells, rowsMax: number) {
  return db.rows(sql.outboxCount(source), [numbersOf(cells), rowsMax]);
}

function numbersOf(cells: readonly Cell[]) {
  return int4Array(cells.map(({ number }) => number));
}
