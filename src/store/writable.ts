import type { Cell } from "./cell.ts";
import type { Connection } from "./database.ts";
import { statement } from "./sql.ts";

/** True when the database answers and takes writes; rejects with `StoreUnavailable` when it does not answer. */
export async function isWritable(connection: Connection, cell: Cell): Promise<boolean> {
  const rows = await connection.rows<{ writable: boolean }>(statement("writable", cell));
  return rows[0]!.writable;
}
