/** Sailings, calls and reliability as anybody may read them. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import { SECOND_MS } from "../../../runtime/durations.ts";
import { AT_SEA_MS_MAX } from "../search/at-sea.ts";
import {
  portCallGet,
  portCallListArriving,
  portCallListDeparting,
  portCallListOfVessel,
} from "./port-calls.sql.ts";
import type { serviceDayList, serviceDayListOfCarriers, serviceDayTrend } from "./reliability.sql.ts";
import { sailingList } from "./sailings.sql.ts";

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
export type StoredSailing = RowOf<typeof sailingList>;

export type SailingKey = { readonly ms: number; readonly originId: string; readonly destinationId: string };

/** By departure, from the one behind `behind` on. `reliabilityDay` is `YYYY-MM-DD`; null: none was worked out. */
export function listSailings(
  db: Connection,
  cell: Cell,
  filter: SailingsFilter,
  reliabilityDay: string | null,
  behind: SailingKey | null,
  limit: number,
): Promise<readonly StoredSailing[]> {
  // What lies before the page need not be read again.
  const fromMs = Math.max(filter.fromMs, behind?.ms ?? filter.fromMs);
  const atSeaSMax = AT_SEA_MS_MAX / SECOND_MS;
  return sailingList(db, cell, { ...filter, fromMs, atSeaSMax, behind, reliabilityDay, limit });
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
export type ListedCall = RowOf<typeof portCallListArriving>;

export type CallListKey = { readonly ms: number; readonly id: string };

/** By arrival or departure, from the one behind `behind` on. */
export function listPortCalls(
  db: Connection,
  cell: Cell,
  filter: CallsFilter,
  behind: CallListKey | null,
  limit: number,
): Promise<readonly ListedCall[]> {
  // Each reads along an index of its own.
  const list = filter.kind === "arrival" ? portCallListArriving : portCallListDeparting;
  const fromMs = Math.max(filter.fromMs, behind?.ms ?? filter.fromMs);
  return list(db, cell, { ...filter, fromMs, behind, limit });
}

/** A call as JSON; null: none has the id. */
export async function getPortCall(db: Connection, cell: Cell, id: string): Promise<string | null> {
  return (await portCallGet(db, cell, id))?.record ?? null;
}

/** A vessel's calls as JSON, in their order: `limit` before the time, and as many from then on. */
export async function listCallsOfVessel(
  db: Connection,
  cell: Cell,
  imo: string,
  atMs: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await portCallListOfVessel(db, cell, { imo, at: atMs, limit });
  return rows.map(({ record }) => record);
}

export type ServiceKey = { readonly carrier: string; readonly service: string };

/** Sorts before every service. */
export const FIRST_SERVICE: ServiceKey = { carrier: "", service: "" };

export type CarrierDay = RowOf<typeof serviceDayListOfCarriers>;

/** `reference` is in thousandths; null: too few calls were measured. */
export type ServiceDay = RowOf<typeof serviceDayList>;

export type ServiceTrendDay = RowOf<typeof serviceDayTrend>;
