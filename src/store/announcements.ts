/** How far the announcement of each changelog entry has come among a cell's accounts. */
import type { Cell } from "./cell.ts";
import type { Connection } from "./database.ts";
import { statement } from "./sql.ts";

/**
 * The first day (`YYYY-MM-DD`) from which on the cell is told of entries. The first call ever sets it, to
 * `today`.
 */
export async function announcingSince(connection: Connection, cell: Cell, today: string): Promise<string> {
  const rows = await connection.rows<{ since: string }>(statement("announcing_since", cell), [today]);
  // Another node may have set it while we asked.
  return rows[0]?.since ?? announcingSince(connection, cell, today);
}

/** Notes that an entry is being announced; harmless when it is, or has been. */
export async function beginAnnouncement(
  connection: Connection,
  cell: Cell,
  entryId: string,
  atMs: number,
): Promise<void> {
  await connection.rows(statement("announcement_begin", cell), [entryId, new Date(atMs)]);
}

export type AnnouncementProgress = {
  /** The last account that was told; null: none was. */
  readonly toldUpTo: string | null;
  readonly told: number;
  readonly finished: boolean;
};

/** How far an entry has come, and nobody else's until the transaction ends; null: it is another's now. */
export async function claimAnnouncement(
  tx: Connection,
  cell: Cell,
  entryId: string,
): Promise<AnnouncementProgress | null> {
  const rows = await tx.rows<AnnouncementProgress>(statement("announcement_claim", cell), [entryId]);
  return rows[0] ?? null;
}

/** Writes that these accounts were told; `finishedAtMs` is null while there may be more. */
export async function advanceAnnouncement(
  tx: Connection,
  cell: Cell,
  entryId: string,
  accountIds: readonly string[],
  finishedAtMs: number | null,
): Promise<void> {
  await tx.rows(statement("announcement_advance", cell), [
    entryId,
    accountIds.at(-1) ?? null,
    accountIds.length,
    finishedAtMs === null ? null : new Date(finishedAtMs),
  ]);
}
