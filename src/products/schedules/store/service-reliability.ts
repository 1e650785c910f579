/** How well services kept their schedules, day by day. Days are `YYYY-MM-DD`. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { pruneStep } from "../../../store/prune-step.ts";
import type { RowOf } from "../../../store/sql.ts";
import { FIRST_SERVICE, type ServiceKey } from "./schedules-read.ts";
import {
  reliabilityAdvance,
  reliabilityReadDay,
  serviceDayInsert,
  serviceDayPrune,
  serviceWindowList,
} from "./reliability.sql.ts";

/** `reference` is in thousandths; null: none was kept. */
export type ServiceWindowRow = RowOf<typeof serviceWindowList>;

/** The window of `after < day <= until` of the services behind one, by carrier and service. */
export function readServiceWindows(
  db: Connection,
  cell: Cell,
  { after, until }: { readonly after: string; readonly until: string },
  behind: ServiceKey | null,
  limit: number,
): Promise<readonly ServiceWindowRow[]> {
  return serviceWindowList(db, cell, { after, until, behind: behind ?? FIRST_SERVICE, limit });
}

/** Writes a day's reliability; returns the services without an earlier row of that day. */
export function insertServiceDays(
  tx: Connection,
  cell: Cell,
  day: string,
  rows: readonly ServiceWindowRow[],
): Promise<readonly ServiceKey[]> {
  return serviceDayInsert(tx, cell, { day, services: rows });
}

/** The day up to which all is worked out; null: nothing is. */
export async function readReliabilityDay(db: Connection, cell: Cell): Promise<string | null> {
  return (await reliabilityReadDay(db, cell))?.until ?? null;
}

export async function advanceReliability(db: Connection, cell: Cell, day: string) {
  await reliabilityAdvance(db, cell, day);
}

/** Deletes days before that one; true when there are more. */
export function pruneServiceDays(db: Connection, cell: Cell, before: string) {
  return pruneStep((limit) => serviceDayPrune(db, cell, { before, limit }));
}
