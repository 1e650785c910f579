/** The calls that connections are searched in. */
import { textArray, uuidArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import type { CallPoint } from "../search/legs.ts";
import * as sql from "./statements.ts";
import type { CallListKey, TimeWindow } from "./schedules-read.ts";

type Row = RowOf<typeof sql.connectionCallListDeparting>;

function pointOf({ arrivalAt, departureAt, ...row }: Row): CallPoint {
  return { ...row, arrivalMs: arrivalAt?.getTime() ?? null, departureMs: departureAt?.getTime() ?? null };
}

export type DeparturesFilter = TimeWindow & {
  readonly origin: string;
  /** SCAC; null: any. */
  readonly carrier: string | null;
};

/** By departure, from the one behind `behind` on. */
export async function listDepartures(
  db: Connection,
  cell: Cell,
  { origin, carrier, fromMs, beforeMs }: DeparturesFilter,
  behind: CallListKey | null,
  limit: number,
): Promise<readonly CallPoint[]> {
  const from = new Date(Math.max(fromMs, behind?.ms ?? fromMs));
  const after = behind && new Date(behind.ms);
  const wanted = [origin, from, new Date(beforeMs), carrier, after, behind?.id ?? null, limit] as const;
  return (await db.rows(sql.connectionCallListDeparting(cell), [...wanted])).map(pointOf);
}

export async function listArrivals(
  db: Connection,
  cell: Cell,
  port: string,
  { fromMs, beforeMs }: TimeWindow,
  carriers: readonly string[],
  limit: number,
): Promise<readonly CallPoint[]> {
  const within = [new Date(fromMs), new Date(beforeMs)] as const;
  const wanted = [port, ...within, textArray(carriers), limit] as const;
  return (await db.rows(sql.connectionCallListArriving(cell), [...wanted])).map(pointOf);
}

/** All calls of the vessels and voyages that these calls are of. */
export async function listCallsBeside(
  db: Connection,
  cell: Cell,
  calls: readonly CallPoint[],
  { fromMs, beforeMs }: TimeWindow,
  limit: number,
): Promise<readonly CallPoint[]> {
  const vessels = distinct(
    calls.flatMap((one) => (one.vesselImo === null ? [] : [[one.carrier, one.vesselImo]])),
  );
  const voyages = distinct(
    calls.flatMap((one) =>
      [one.voyage, one.importVoyage].flatMap((number) =>
        number === "" ? [] : [[one.carrier, one.service, number]],
      ),
    ),
  );
  const column = (rows: readonly (readonly string[])[], nth: number) =>
    textArray(rows.map((row) => row[nth]!));
  return (
    await db.rows(sql.connectionCallListOfVoyages(cell), [
      column(vessels, 0),
      column(vessels, 1),
      column(voyages, 0),
      column(voyages, 1),
      column(voyages, 2),
      new Date(fromMs),
      new Date(beforeMs),
      limit,
    ])
  ).map(pointOf);
}

function distinct(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

export async function listCallsAtPorts(
  db: Connection,
  cell: Cell,
  carriers: readonly string[],
  ports: readonly string[],
  { fromMs, beforeMs }: TimeWindow,
  limit: number,
): Promise<readonly CallPoint[]> {
  const within = [new Date(fromMs), new Date(beforeMs)] as const;
  const wanted = [textArray(carriers), textArray(ports), ...within, limit] as const;
  return (await db.rows(sql.connectionCallListAtPorts(cell), [...wanted])).map(pointOf);
}

/** Calls as JSON, by their ids. */
export async function readCallsById(
  db: Connection,
  cell: Cell,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows(sql.portCallListById(cell), [uuidArray(ids)]);
  return new Map(rows.map(({ id, record }) => [id, record]));
}
