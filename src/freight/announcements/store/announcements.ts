/** Which changelog entries a cell has announced, and from which day on it announces any. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { announcementRecord, announcementStart } from "./announcements.sql.ts";

/**
 * The first day (`YYYY-MM-DD`) from which on the cell announces entries. The first call sets it to
 * `today`.
 */
export async function startAnnouncing(db: Connection, cell: Cell, today: string): Promise<string> {
  const rows = await announcementStart(db, cell, today);
  // Another node may have set it while we asked.
  return rows[0]?.since ?? startAnnouncing(db, cell, today);
}

/** Notes for good that an entry is announced; false: it was before. */
export async function recordAnnouncement(tx: Connection, cell: Cell, entryId: string, atMs: number) {
  return (await announcementRecord(tx, cell, { entryId, at: atMs })).length > 0;
}
