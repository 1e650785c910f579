/** Sailings, calls and reliability as anybody may read them. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
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

/** A sailing with its calls as JSON, and how its service came out; null: it was not measured. */
export type StoredSailing = {
  readonly originId: string;
  readonly origin: string;
  readonly departureAt: Date;
  readonly destinationId: string;
  readonly destination: string;
  readonly onTime: number | null;
  readonly measured: number | null;
};

export type SailingKey = { readonly ms: number; readonly originId: string; readonly destinationId: string };

/** An arrival longer after the departure is one of another round. */
const AT_SEA_S_MAX = 70 * 24 * 3_600;

/** By departure, from the one behind `behind` on. `reliabilityDay` is `YYYY-MM-DD`; null: none was worked out. */
export function listSailings(
  connection: Connection,
  directory: Cell,
  { origin, destination, fromMs, beforeMs, carrier, withCancelled }: SailingsFilter,
  reliabilityDay: string | null,
  behind: SailingKey | null,
  limit: number,
): Promise<readonly StoredSailing[]> {
  return connection.rows(sql.sailingList(directory), [
    origin,
    destination,
    // What lies before the page need not be read again.
    new Date(Math.max(fromMs, behind?.ms ?? fromMs)),
    new Date(beforeMs),
    carrier,
    withCancelled,
    AT_SEA_S_MAX,
    behind === null ? null : new Date(behind.ms),
    behind?.originId ?? null,
    behind?.destinationId ?? null,
    reliabilityDay,
    limit,
  ]);
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

/** A call as JSON, and when it arrives or departs, as was asked for. */
export type ListedCall = { readonly id: string; readonly record: string; readonly at: Date };

export type CallListKey = { readonly ms: number; readonly id: string };

/** By arrival or departure, from the one behind `behind` on. */
export function listPortCalls(
  connection: Connection,
  directory: Cell,
  { port, kind, fromMs, beforeMs, carrier, vessel, withCancelled }: CallsFilter,
  behind: CallListKey | null,
  limit: number,
): Promise<readonly ListedCall[]> {
  // Each reads along an index of its own.
  const calls = kind === "arrival" ? sql.portCallListArriving : sql.portCallListDeparting;
  return connection.rows(calls(directory), [
    port,
    new Date(Math.max(fromMs, behind?.ms ?? fromMs)),
    new Date(beforeMs),
    carrier,
    vessel,
    withCancelled,
    behind === null ? null : new Date(behind.ms),
    behind?.id ?? null,
    limit,
  ]);
}

/** A vessel's calls as JSON, in their order: `limit` before the time, and as many from then on. */
export async function listCallsOfVessel(
  connection: Connection,
  directory: Cell,
  imo: string,
  atMs: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await connection.rows(sql.portCallListOfVessel(directory), [imo, new Date(atMs), limit]);
  return rows.map(({ record }) => record);
}

/** Null where the filter is not asked for. */
export type ServiceFilter = { readonly carrier: string | null; readonly service: string | null };

export type ServiceKey = { readonly carrier: string; readonly service: string };

export type CarrierDay = { readonly carrier: string; readonly onTime: number; readonly measured: number };

/** `reference` is in thousandths; null: too few calls were measured. */
export type ServiceDay = ServiceKey & CarrierDay & { readonly reference: number | null };

/** By carrier and service, from the one behind `behind` on. The day is `YYYY-MM-DD`. */
export function listServiceDays(
  connection: Connection,
  directory: Cell,
  day: string,
  { carrier, service }: ServiceFilter,
  behind: ServiceKey | null,
  limit: number,
): Promise<readonly ServiceDay[]> {
  return connection.rows(sql.serviceDayList(directory), [
    day,
    carrier,
    service,
    behind?.carrier ?? "",
    behind?.service ?? "",
    limit,
  ]);
}

const CARRIERS_MAX = 500;

/** By carrier. */
export function listCarrierDays(
  connection: Connection,
  directory: Cell,
  day: string,
  carrier: string | null,
): Promise<readonly CarrierDay[]> {
  return connection.rows(sql.serviceDayListOfCarriers(directory), [day, carrier, CARRIERS_MAX]);
}
