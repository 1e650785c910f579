/** How well services kept their schedules, day by day. Days are `YYYY-MM-DD`. */
import { int4Array, textArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import type { ServiceKey } from "./schedules-read.ts";
import * as sql from "./statements.ts";

/** `reference` is in thousandths; null: none was kept. */
export type ServiceWindowRow = RowOf<typeof sql.serviceWindowList>;

/** The window of `after < day <= until` of the services behind one, by carrier and service. */
export function readServiceWindows(
  db: Connection,
  directory: Cell,
  { after, until }: { readonly after: string; readonly until: string },
  behind: ServiceKey | null,
  limit: number,
): Promise<readonly ServiceWindowRow[]> {
  const key = [behind?.carrier ?? "", behind?.service ?? ""] as const;
  return db.rows(sql.serviceWindowList(directory), [after, until, ...key, limit]);
}

/** Writes a day's reliability; returns the services without an earlier row of that day. */
export function insertServiceDays(
  tx: Connection,
  directory: Cell,
  day: string,
  rows: readonly ServiceWindowRow[],
): Promise<readonly ServiceKey[]> {
  return tx.rows(sql.serviceDayInsert(directory), [
    day,
    textArray(rows.map(({ carrier }) => carrier)),
    textArray(rows.map(({ service }) => service)),
    int4Array(rows.map(({ onTime }) => onTime)),
    int4Array(rows.map(({ measured }) => measured)),
    int4Array(rows.map(({ reference }) => reference)),
  ]);
}

/** The day up to which all is worked out; null: none has been. */
export async function readReliabilityDay(db: Connection, directory: Cell): Promise<string | null> {
  return (await db.rows(sql.reliabilityReadDay(directory), []))[0]?.until ?? null;
}

export async function advanceReliability(db: Connection, directory: Cell, day: string) {
  await db.rows(sql.reliabilityAdvance(directory), [day]);
}

const PRUNED_A_STEP_MAX = 2_000;

/** Deletes days before that one; true when there are more. */
export async function pruneServiceDays(db: Connection, directory: Cell, before: string) {
  const [gone] = await db.rows(sql.serviceDayPrune(directory), [before, PRUNED_A_STEP_MAX]);
  return gone!.count === PRUNED_A_STEP_MAX;
}
