/** Sailings, calls and reliability as anybody may read them. */
import { textArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { byKey, findInCells, listFromCells } from "../../../store/homes/ask-cells.ts";
import type { RowOf } from "../../../store/sql.ts";
import { SECOND_MS } from "../../../runtime/durations.ts";
import { AT_SEA_MS_MAX } from "../search/at-sea.ts";
import * as sql from "./statements.ts";

/** Times within a window, from the one on and before the other; milliseconds since the epoch. */
export type TimeWindow = { readonly fromMs: number; readonly beforeMs: number };

/** Null where it is not asked for. */
export type SailingsFilter = TimeWindow & {
  readonly origin: string;
  readonly destination: string;
  readonly carrier: string | null;
  /** Also sailings of which a call is not made. */
  readonly withCancelled: boolean;
};

/** A sailing with its calls as JSON, and its service's reliability; null: not measured. */
export type StoredSailing = RowOf<typeof sql.sailingList>;

export type SailingKey = { readonly ms: number; readonly originId: string; readonly destinationId: string };

const bySailing = byKey<StoredSailing>(({ departureAt, originId, destinationId }) => [
  departureAt.getTime(),
  originId,
  destinationId,
]);

const AT_SEA_S_MAX = AT_SEA_MS_MAX / SECOND_MS;

/** By departure, from the one behind `behind` on. `reliabilityDay` is `YYYY-MM-DD`; null: none was worked out. */
export function listSailings(
  db: Connection,
  cells: readonly Cell[],
  { origin, destination, fromMs, beforeMs, carrier, withCancelled }: SailingsFilter,
  reliabilityDay: string | null,
  behind: SailingKey | null,
  limit: number,
): Promise<readonly StoredSailing[]> {
  // What lies before the page need not be read again.
  const from = new Date(Math.max(fromMs, behind?.ms ?? fromMs));
  const wanted = [origin, destination, from, new Date(beforeMs), carrier, withCancelled] as const;
  const after = behind && new Date(behind.ms);
  const key = [after, behind?.originId ?? null, behind?.destinationId ?? null] as const;
  return listFromCells(cells, bySailing, limit, (cell) =>
    db.rows(sql.sailingList(cell), [...wanted, AT_SEA_S_MAX, ...key, reliabilityDay, limit]),
  );
}

export type CallsFilter = TimeWindow & {
  readonly port: string;
  /** Which of a call's times lies within the window. */
  readonly kind: "arrival" | "departure";
  readonly carrier: string | null;
  /** IMO number. */
  readonly vessel: string | null;
  readonly withCancelled: boolean;
};

/** A call as JSON, and its arrival or departure, as the filter says. */
export type ListedCall = RowOf<typeof sql.portCallListArriving>;

export type CallListKey = { readonly ms: number; readonly id: string };

const byCall = byKey<Pick<ListedCall, "at" | "id">>(({ at, id }) => [at.getTime(), id]);

/** By arrival or departure, from the one behind `behind` on. */
export function listPortCalls(
  db: Connection,
  cells: readonly Cell[],
  { port, kind, fromMs, beforeMs, carrier, vessel, withCancelled }: CallsFilter,
  behind: CallListKey | null,
  limit: number,
): Promise<readonly ListedCall[]> {
  // Each reads along an index of its own.
  const calls = kind === "arrival" ? sql.portCallListArriving : sql.portCallListDeparting;
  const from = new Date(Math.max(fromMs, behind?.ms ?? fromMs));
  const wanted = [port, from, new Date(beforeMs), carrier, vessel, withCancelled] as const;
  const after = behind && new Date(behind.ms);
  return listFromCells(cells, byCall, limit, (cell) =>
    db.rows(calls(cell), [...wanted, after, behind?.id ?? null, limit]),
  );
}

/** A call as JSON; null: none has the id. */
export async function getPortCall(
  db: Connection,
  cells: readonly Cell[],
  id: string,
): Promise<string | null> {
  const held = await findInCells(cells, async (cell) => {
    const [row] = await db.rows(sql.portCallGet(cell), [id]);
    return row?.record ?? null;
  });
  return held?.found ?? null;
}

const byPort = byKey<{ readonly port: string }>(({ port }) => [port]);

/** Ports with departures from the time on, by code; several cells may have calls at one. */
export async function listPorts(db: Connection, cells: readonly Cell[], fromMs: number, limit: number) {
  const rows = await listFromCells(cells, byPort, Number.POSITIVE_INFINITY, (cell) =>
    db.rows(sql.portList(cell), [new Date(fromMs), limit]),
  );
  const ofPort = Map.groupBy(rows, ({ port }) => port);
  return [...ofPort.values()]
    .map((some) => some.reduce((one, other) => (one.nextAt <= other.nextAt ? one : other)))
    .slice(0, limit);
}

/** A vessel's calls as JSON, in their order: `limit` before the time, and as many from then on. */
export async function listCallsOfVessel(
  db: Connection,
  cells: readonly Cell[],
  imo: string,
  atMs: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await listFromCells(cells, byCall, Number.POSITIVE_INFINITY, (cell) =>
    db.rows(sql.portCallListOfVessel(cell), [imo, new Date(atMs), limit]),
  );
  const next = rows.findIndex(({ at }) => at.getTime() >= atMs);
  const [before, since] = next < 0 ? [rows, []] : [rows.slice(0, next), rows.slice(next)];
  return [...before.slice(-limit), ...since.slice(0, limit)].map(({ record }) => record);
}

/** Null where the filter is not asked for. */
export type ServiceFilter = { readonly carrier: string | null; readonly service: string | null };

export type ServiceKey = { readonly carrier: string; readonly service: string };

export type CarrierDay = RowOf<typeof sql.serviceDayListOfCarriers>;

/** `reference` is in thousandths; null: too few calls were measured. */
export type ServiceDay = RowOf<typeof sql.serviceDayList>;

/** A carrier is in one cell, which lists its services in order. */
const byCarrier = byKey<{ readonly carrier: string }>(({ carrier }) => [carrier]);

/** By carrier and service, from the one behind `behind` on. The day is `YYYY-MM-DD`. */
export function listServiceDays(
  db: Connection,
  cells: readonly Cell[],
  day: string,
  { carrier, service }: ServiceFilter,
  behind: ServiceKey | null,
  limit: number,
): Promise<readonly ServiceDay[]> {
  const after = [behind?.carrier ?? "", behind?.service ?? ""] as const;
  return listFromCells(cells, byCarrier, limit, (cell) =>
    db.rows(sql.serviceDayList(cell), [day, carrier, service, ...after, limit]),
  );
}

export type ServiceTrendDay = RowOf<typeof sql.serviceDayTrend>;

const byServiceDay = byKey<ServiceTrendDay>(({ carrier, service, day }) => [carrier, service, day]);

/** The same day of `weeks` weeks, the last one included; weeks that were not worked out are left out. */
export function listServiceTrends(
  db: Connection,
  cells: readonly Cell[],
  day: string,
  services: readonly ServiceKey[],
  weeks: number,
): Promise<readonly ServiceTrendDay[]> {
  const wanted = [
    textArray(services.map(({ carrier }) => carrier)),
    textArray(services.map(({ service }) => service)),
  ] as const;
  return listFromCells(cells, byServiceDay, services.length * weeks, (cell) =>
    db.rows(sql.serviceDayTrend(cell), [day, ...wanted, weeks]),
  );
}

const CARRIERS_MAX = 500;

/** By carrier. */
export function listCarrierDays(db: Connection, cells: readonly Cell[], day: string, carrier: string | null) {
  return listFromCells<CarrierDay>(cells, byCarrier, CARRIERS_MAX, (cell) =>
    db.rows(sql.serviceDayListOfCarriers(cell), [day, carrier, CARRIERS_MAX]),
  );
}
