/** How well services kept their schedules, day by day. Days are `YYYY-MM-DD`. */
import { int4Array, textArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import * as sql from "./statements.ts";

export type ServiceWindowRow = {
  readonly carrier: string;
  readonly service: string;
  readonly onTime: number;
  readonly measured: number;
  /** Thousandths; null: none was kept. */
  readonly reference: number | null;
};

/** The window of `after < day <= until` of the services behind one, by carrier and service. */
export function readServiceWindows(
  connection: Connection,
  directory: Cell,
  window: { readonly after: string; readonly until: string },
  behind: { readonly carrier: string; readonly service: string } | null,
  limit: number,
): Promise<readonly ServiceWindowRow[]> {
  return connection.rows(sql.serviceWindowList(directory), [
    window.after,
    window.until,
    behind?.carrier ?? "",
    behind?.service ?? "",
    limit,
  ]);
}

/** Writes what a day came to; returns the services that nobody had written it of before. */
export function insertServiceDays(
  tx: Connection,
  directory: Cell,
  day: string,
  rows: readonly ServiceWindowRow[],
): Promise<readonly { readonly carrier: string; readonly service: string }[]> {
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
export async function readReliabilityDay(connection: Connection, directory: Cell): Promise<string | null> {
  const [row] = await connection.rows(sql.reliabilityReadDay(directory), []);
  return row?.until ?? null;
}

export async function advanceReliability(
  connection: Connection,
  directory: Cell,
  day: string,
): Promise<void> {
  await connection.rows(sql.reliabilityAdvance(directory), [day]);
}

const PRUNED_A_STEP_MAX = 2_000;

/** Deletes days before that one; true when there are more. */
export async function pruneServiceDays(
  connection: Connection,
  directory: Cell,
  before: string,
): Promise<boolean> {
  const [gone] = await connection.rows(sql.serviceDayPrune(directory), [before, PRUNED_A_STEP_MAX]);
  return gone!.count === PRUNED_A_STEP_MAX;
}
