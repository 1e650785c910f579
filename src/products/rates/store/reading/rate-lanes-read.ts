/** Lanes and their rates as they are read: a list, one, and one's history. */
import type { PageRequest } from "../../../../model/page-request.ts";
import type { Cell } from "../../../../store/cell.ts";
import type { Connection } from "../../../../store/database.ts";
import type { RowOf } from "../../../../store/sql.ts";
import type { LaneKey } from "../rate-lanes.ts";
import type { laneRateHistory, laneRateLoaded } from "./lane-rates.sql.ts";
import { rateLaneGet, rateLaneList, rateLaneListTo } from "./rate-lanes.sql.ts";

/** A rate of a lane; `validTo` is the day on which it ends, whether stated or because a later one of its layer begins. */
export type StoredRate = Omit<PastRate, "endedAt" | "endedBy">;

export type StoredLane = LaneKey & { readonly id: string; readonly rate: StoredRate | null };

/** Null where the filter is not asked for; the carrier of the market's rate is empty. */
export type LaneFilter = {
  readonly origin: string | null;
  readonly destination: string | null;
  readonly equipment: string | null;
  readonly carrier: string | null;
  /** Empty: not stated. */
  readonly kind: LaneKey["kind"] | null;
  readonly contract: string | null;
  readonly commodity: string | null;
  /** The day of the rates. */
  readonly day: string;
};

/** In the order of their keys, from the one after `afterId` on. */
export async function listLanes(
  db: Connection,
  cell: Cell,
  filter: LaneFilter,
  { afterId, limit }: PageRequest,
): Promise<readonly StoredLane[]> {
  const after = afterId === null ? FIRST : await getLane(db, cell, afterId, filter.day);
  return after === null ? [] : listLanesBehind(db, cell, filter, after, limit);
}

const FIRST: LaneKey = {
  ...{ origin: "", destination: "", equipment: "", carrier: "", currency: "" },
  ...{ kind: "", contract: "", commodity: "" },
};

async function listLanesBehind(
  db: Connection,
  cell: Cell,
  filter: LaneFilter,
  after: LaneKey,
  limit: number,
): Promise<readonly StoredLane[]> {
  const { origin, destination } = filter;
  // Each reads along an index of its own.
  const rows =
    origin === null && destination !== null
      ? await rateLaneListTo(db, cell, { ...filter, destination, after, limit })
      : await rateLaneList(db, cell, { ...filter, after, limit });
  return rows.map(storedLane);
}

/** Null: there is no such lane. */
export async function getLane(db: Connection, cell: Cell, id: string, day: string) {
  const row = await rateLaneGet(db, cell, { id, day });
  return row === null ? null : storedLane(row);
}

function storedLane(row: RowOf<typeof rateLaneGet>): StoredLane {
  const { id, origin, destination, equipment, carrier, currency, kind, contract, commodity } = row;
  const lane = { id, origin, destination, equipment, carrier, currency, kind, contract, commodity };
  if (row.rateId === null) return { ...lane, rate: null };
  const { layer, base, total, surcharges, terms, validFrom, validTo, loadedAt } = row;
  return {
    ...lane,
    rate: { id: row.rateId, layer, base, total, surcharges, terms, validFrom, validTo, loadedAt },
  };
}

/** `endedAt`: when another load replaced it, or somebody removed it; null: it is in force. */
export type PastRate = RowOf<typeof laneRateHistory>;

export type LoadedRate = RowOf<typeof laneRateLoaded>;
