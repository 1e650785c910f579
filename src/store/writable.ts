import type { Cell } from "./cell.ts";
import type { Connection } from "./database.ts";
import { writable } from "./writable.sql.ts";

/** True when the database answers and takes writes; rejects with `StoreUnavailable` when it does not answer. */
export async function isWritable(db: Connection, cell: Cell): Promise<boolean> {
  return (await writable(db, cell)).writable;
}
