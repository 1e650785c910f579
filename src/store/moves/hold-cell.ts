import type { Cell } from "../cell.ts";
import type { Connection, Database } from "../database.ts";
import * as sql from "./statements.ts";

export type HeldCell = {
  readonly cell: Cell;
  /** The session that holds the cell: what decides where it lives is written here, and fails once the session is lost. */
  readonly directory: Connection;
};

/** Does the work while no other process moves the cell. Null: one does. */
export async function holdCell<T>(
  database: Database,
  cell: Cell,
  work: (held: HeldCell) => Promise<T>,
): Promise<T | null> {
  const directory = await database.dedicated({ ...cell, schema: cell.directory }, () => undefined);
  try {
    const [row] = await directory.rows(sql.moveLock({ ...cell, schema: cell.directory }), [cell.number]);
    return row!.locked ? await work({ cell, directory }) : null;
  } finally {
    await directory.close();
  }
}
