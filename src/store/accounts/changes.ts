import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { pruneStep } from "../prune-step.ts";
import { directoryChangeInsert, directoryChangeList, directoryChangePrune } from "./changes.sql.ts";

/**
 * What nodes must not remember any longer: a key or a link to the portal, which was revoked; an account, of which anything
 * changed; a cell, which was added or has moved. The subject is an id, or the cell's number.
 */
export type DirectoryChange = {
  readonly kind: "key" | "link" | "account" | "cell";
  readonly subject: string;
};

/** What changed behind a number, up to another. `changes` is null when not all are kept. */
export type ReadChanges = {
  readonly number: number;
  readonly changes: readonly DirectoryChange[] | null;
  readonly hasMore: boolean;
};

/** By one statement. */
const CHANGES_READ_MAX = 1_000;

/** Call it in the transaction of the change, at its end: changes come one after the other from here to the commit. */
export async function insertChange(
  tx: Connection,
  directory: Cell,
  { kind, subject }: DirectoryChange,
  at: Date,
): Promise<void> {
  await directoryChangeInsert(tx, directory, { kind, subject, at });
}

export async function readChanges(db: Connection, directory: Cell, behind: number): Promise<ReadChanges> {
  const rows = await directoryChangeList(db, directory, { behind, changesReadMax: CHANGES_READ_MAX });
  const { last } = rows[0]!;
  const changes = rows.flatMap(({ kind, subject }) => (kind === null ? [] : { kind, subject }));
  const number = behind + changes.length;
  const hasMore = number < last && changes.length === CHANGES_READ_MAX;
  const isWhole = changes.length === 0 ? number === last : rows.at(-1)!.number === number;
  // A number that has gone back is that of a restored backup.
  if (!isWhole || (!hasMore && number !== last)) return { number: last, changes: null, hasMore: false };
  return { number, changes, hasMore };
}

/** True when there are more. */
export function pruneChanges(db: Connection, directory: Cell, before: Date): Promise<boolean> {
  return pruneStep((limit) => directoryChangePrune(db, directory, { before, limit }));
}
