// As npm run sql:types writes it for the products of the source.
import type { Cell } from "../../../../src/store/cell.ts";
import type { Connection } from "../../../../src/store/database.ts";
import { loadQueries } from "../../../../src/store/sql.ts";

const query = loadQueries(import.meta.dirname, "trains");

export async function trainInsert(
  db: Connection,
  cell: Cell,
  id: string,
  accountId: string,
  train: number,
): Promise<void> {
  await db.rows(query("train_insert")(cell), [id, accountId, train]);
}

export function trainsDepart(db: Connection, cell: Cell): Promise<{ accountId: string; train: number }[]> {
  return db.rows(query("trains_depart")(cell), []);
}
