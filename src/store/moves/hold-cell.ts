import type { Cell } from "../cell.ts";
import type { Database } from "../database.ts";
import { cellLock } from "./moves.sql.ts";

/** Does the work while no other process moves the cell, or adds one. Null: another does. */
export async function holdCell<T>(database: Database, cell: Cell, work: () => Promise<T>): Promise<T | null> {
  const session = await database.dedicated({ ...cell, schema: cell.directory }, () => undefined);
  try {
    const { locked } = await cellLock(session, { ...cell, schema: cell.directory }, cell.number);
    return locked ? await work() : null;
  } finally {
    await session.close();
  }
}
