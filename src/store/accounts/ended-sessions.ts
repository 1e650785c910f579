import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import * as sql from "./statements.ts";

export async function endSession(
  db: Connection,
  directory: Cell,
  session: { readonly id: string; readonly endsAtMs: number },
  atMs: number,
): Promise<void> {
  await db.rows(sql.endedSessionInsert(directory), [session.id, new Date(session.endsAtMs), new Date(atMs)]);
}

export async function hasSessionEnded(db: Connection, directory: Cell, id: string): Promise<boolean> {
  return (await db.rows(sql.endedSessionFind(directory), [id]))[0]!.found;
}
