import type { CallSearch } from "../../../freight/scheduled-calls/scheduled-calls.ts";
import { textArray, timestampArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import * as sql from "./statements.ts";

/** Calls of one search; a vessel comes to a port every week at most. */
const CALLS_MAX = 40;

/** Calls as JSON, by the place of the search that found them. */
export async function readAwaitedCalls(db: Connection, directory: Cell, searches: readonly CallSearch[]) {
  const rows = await db.rows(sql.awaitedCallList(directory), [
    textArray(searches.map(({ carrier }) => carrier)),
    textArray(searches.map(({ port }) => port)),
    timestampArray(searches.map(({ fromMs }) => fromMs)),
    timestampArray(searches.map(({ toMs }) => toMs)),
    textArray(searches.map(({ imo }) => imo)),
    textArray(searches.map(({ name }) => name)),
    textArray(searches.map(({ voyage }) => voyage)),
    CALLS_MAX,
  ]);
  const found = new Map<number, string[]>();
  for (const { nth, record } of rows) found.set(nth, [...(found.get(nth) ?? []), record]);
  return found;
}
