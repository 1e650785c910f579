/** The calls that connections are searched in. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { CallPoint } from "../search/legs.ts";
import {
  connectionCallListAtPorts,
  connectionCallListDeparting,
  connectionCallListOfEnds,
} from "./connections.sql.ts";
import { portCallListById } from "./port-calls.sql.ts";
import type { CallListKey, TimeWindow } from "./schedules-read.ts";

export type DeparturesFilter = TimeWindow & {
  readonly origin: string;
  /** SCAC; null: any. */
  readonly carrier: string | null;
};

/** By departure, from the one behind `behind` on. */
export async function listDepartures(
  db: Connection,
  cell: Cell,
  filter: DeparturesFilter,
  behind: CallListKey | null,
  limit: number,
): Promise<readonly CallPoint[]> {
  const { fromMs } = filter;
  return connectionCallListDeparting(db, cell, {
    ...filter,
    fromMs: Math.max(fromMs, behind?.ms ?? fromMs),
    behind,
    limit,
  });
}

/** SCACs; null: any. */
export type Carriers = readonly string[] | null;

/** A vessel's voyage: its number, else its name's service and voyage, find the other calls. */
export type Sailing = Pick<CallPoint, "carrier" | "service" | "vesselImo"> & {
  /** Empty ones are unknown. */
  readonly voyages: readonly string[];
};

/** All calls of the vessels and voyages that come to the port, and of further ones. */
export async function listCallsOfEnds(
  db: Connection,
  cell: Cell,
  { port, carriers, further }: EndsFilter,
  { fromMs, beforeMs }: TimeWindow,
  limit: number,
): Promise<readonly CallPoint[]> {
  const vessels = distinct(
    further.flatMap(({ carrier, vesselImo: imo }) => (imo === null ? [] : [{ carrier, imo }])),
  );
  const voyages = distinct(
    further.flatMap(({ carrier, service, voyages: numbers }) =>
      numbers.flatMap((voyage) => (voyage === "" ? [] : [{ carrier, service, voyage }])),
    ),
  );
  return connectionCallListOfEnds(db, cell, { port, carriers, vessels, voyages, fromMs, beforeMs, limit });
}

export type EndsFilter = {
  readonly port: string;
  readonly carriers: Carriers;
  readonly further: readonly Sailing[];
};

function distinct<Row>(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

export type BetweenFilter = {
  readonly carriers: Carriers;
  readonly ports: readonly string[];
  /** Departures from then on, and arrivals before. */
  readonly fromMs: number;
  readonly beforeMs: number;
  /** How long a vessel may stay at a port. */
  readonly stayMsMax: number;
};

export async function listCallsBetween(
  db: Connection,
  cell: Cell,
  filter: BetweenFilter,
  limit: number,
): Promise<readonly CallPoint[]> {
  return connectionCallListAtPorts(db, cell, { ...filter, stayS: filter.stayMsMax / 1_000, limit });
}

/** Calls as JSON, by their ids. */
export async function readCallsById(
  db: Connection,
  cell: Cell,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await portCallListById(db, cell, ids);
  return new Map(rows.map(({ id, record }) => [id, record]));
}
