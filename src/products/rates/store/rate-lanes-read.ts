/** Lanes and their rates as they are read: a list, one, and one's history. */
import type { PageRequest } from "../../../model/page-request.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import type { LaneColumns } from "./rate-lanes.ts";
import * as sql from "./statements.ts";

/** A rate of a lane; `validTo` is the day on which it ends, whether stated or because a later one begins. */
export type StoredRate = Omit<PastRate, "endedAt" | "endedBy">;

export type StoredLane = LaneColumns & { readonly id: string; readonly rate: StoredRate | null };

/** Null where the filter is not asked for; the carrier of the market's rate is empty. */
export type LaneFilter = {
  readonly origin: string | null;
  readonly destination: string | null;
  readonly equipment: string | null;
  readonly carrier: string | null;
  /** The day of the rates. */
  readonly day: string;
};

/** By origin, destination, equipment, carrier and currency, from the one after `afterId` on. */
export async function listLanes(
  db: Connection,
  directory: Cell,
  { origin, destination, equipment, carrier, day }: LaneFilter,
  { afterId, limit }: PageRequest,
): Promise<readonly StoredLane[]> {
  const rest = [equipment, carrier, day, afterId, limit] as const;
  // Each reads along an index of its own.
  const rows =
    origin === null && destination !== null
      ? await db.rows(sql.rateLaneListTo(directory), [destination, ...rest])
      : await db.rows(sql.rateLaneList(directory), [origin, destination, ...rest]);
  return rows.map(storedLane);
}

/** Null: there is no such lane. */
export async function getLane(db: Connection, directory: Cell, id: string, day: string) {
  const [row] = await db.rows(sql.rateLaneGet(directory), [id, day]);
  return row === undefined ? null : storedLane(row);
}

function storedLane(row: RowOf<typeof sql.rateLaneGet>): StoredLane {
  const { id, origin, destination, equipment, carrier, currency } = row;
  const lane = { id, origin, destination, equipment, carrier, currency };
  if (row.rateId === null) return { ...lane, rate: null };
  const { base, total, surcharges, validFrom, validTo, loadedAt } = row;
  return { ...lane, rate: { id: row.rateId, base, total, surcharges, validFrom, validTo, loadedAt } };
}

/** `endedAt`: when another load replaced it, or somebody removed it; null: it is in force. */
export type PastRate = RowOf<typeof sql.laneRateHistory>;

/** The rates that begin last first, from the one after `afterId` on. */
export function listPastRates(
  db: Connection,
  directory: Cell,
  laneId: string,
  { afterId, limit }: PageRequest,
): Promise<readonly PastRate[]> {
  return db.rows(sql.laneRateHistory(directory), [laneId, afterId, limit]);
}
