/** How well services kept their schedules, day by day. Days are `YYYY-MM-DD`. */
import { int4Array, textArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { pruneStep } from "../../../store/prune-step.ts";
import type { RowOf } from "../../../store/sql.ts";
import type { ServiceKey } from "./schedules-read.ts";
import * as sql from "./statements.ts";

/** `reference` is in thousandths; null: none was kept. */
export type ServiceWindowRow = RowOf<typeof sql.serviceWindowList>;

/** The window of `after < day <= until` of the services behind one, by carrier and service. */
export function readServiceWindows(
  db: Connection,
  cell: Cell,
  { after, until }: { readonly after: string; readonly until: string },
  behind: ServiceKey | null,
  limit: number,
): Promise<readonly ServiceWindowRow[]> {
  const key = [behind?.carrier ?? "", behind?.service ?? ""] as const;
  return db.rows(sql.serviceWindowList(cell), [after, until, ...key, limit]);
}

/** Writes a day's reliability; returns the services without an earlier row of that day. */
export function insertServiceDays(
  tx: Connection,
  cell: Cell,
  day: string,
  rows: readonly ServiceWindowRow[],
): Promise<readonly ServiceKey[]> {
  return tx.rows(sql.serviceDayInsert(cell), [
    day,
    textArray(rows.map(({ carrier }) => carrier)),
    textArray(rows.map(({ service }) => service)),
    int4Array(rows.map(({ onTime }) => onTime)),
    int4Array(rows.map(({ measured }) => measured)),
    int4Array(rows.map(({ reference }) => reference)),
  ]);
}

/** The day up to which all is worked out; null: nothing is. */
export async function readReliabilityDay(db: Connection, cell: Cell): Promise<string | null> {
  return (await db.rows(sql.reliabilityReadDay(cell), []))[0]?.until ?? null;
}

export async function advanceReliability(db: Connection, cell: Cell, day: string) {
  await db.rows(sql.reliabilityAdvance(cell), [day]);
}

/** Deletes days before that one; true when there are more. */
export function pruneServiceDays(db: Connection, cell: Cell, before: string) {
  return pruneStep(db, sql.serviceDayPrune(cell), before);
}
