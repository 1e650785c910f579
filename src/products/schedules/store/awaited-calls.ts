import type { CallSearch } from "../../../freight/scheduled-calls/scheduled-calls.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { awaitedCallList } from "./port-calls.sql.ts";

/** Calls of one search; a vessel comes to a port every week at most. */
const CALLS_MAX = 40;

/** Calls as JSON, of each search. */
export async function readAwaitedCalls(db: Connection, cell: Cell, searches: readonly CallSearch[]) {
  const rows = await awaitedCallList(db, cell, { searches, callsMax: CALLS_MAX });
  const found = searches.map((): string[] => []);
  for (const { nth, record } of rows) found[nth]!.push(record);
  return found;
}
