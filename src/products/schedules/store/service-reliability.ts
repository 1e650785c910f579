/** How well services kept their schedules, day by day. Days are `YYYY-MM-DD`. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import { reliabilityReadDay, type serviceWindowList } from "./reliability.sql.ts";

/** `reference` is in thousandths; null: none was kept. */
export type ServiceWindowRow = RowOf<typeof serviceWindowList>;

/** The day up to which all is worked out; null: nothing is. */
export async function readReliabilityDay(db: Connection, cell: Cell): Promise<string | null> {
  return (await reliabilityReadDay(db, cell))?.until ?? null;
}
