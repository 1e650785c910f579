import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { endedSessionFind, endedSessionInsert } from "./ended-sessions.sql.ts";

export async function endSession(
  db: Connection,
  directory: Cell,
  session: { readonly id: string; readonly endsAtMs: number },
  atMs: number,
): Promise<void> {
  await endedSessionInsert(db, directory, { id: session.id, endsAt: session.endsAtMs, at: atMs });
}

export async function hasSessionEnded(db: Connection, directory: Cell, id: string): Promise<boolean> {
  return (await endedSessionFind(db, directory, id)).found;
}
