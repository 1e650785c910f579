/** Lanes and their rates as they are read: a list, one, and one's history. */
import type { PageRequest } from "../../../model/page-request.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { byKey, findInCells, listFromCells } from "../../../store/homes/ask-cells.ts";
import type { KeyedCells } from "../../../store/homes/product-cells.ts";
import type { RowOf } from "../../../store/sql.ts";
import { placeKey, type LaneColumns } from "./rate-lanes.ts";
import * as sql from "./statements.ts";

/** A rate of a lane; `validTo` is the day on which it ends, whether stated or because a later one of its layer begins. */
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
  keyed: KeyedCells,
  filter: LaneFilter,
  { afterId, limit }: PageRequest,
): Promise<readonly StoredLane[]> {
  const { origin, destination, day } = filter;
  const after = afterId === null ? FIRST : (await findLane(db, keyed.all, afterId, day))?.found;
  if (after === undefined) return [];
  const place = origin === null || destination === null ? null : placeKey({ origin, destination });
  const [cells = []] = await keyed.holders([place]);
  return listFromCells(cells, byLane, limit, (cell) => listLanesIn(db, cell, filter, after, limit));
}

const FIRST: LaneColumns = { origin: "", destination: "", equipment: "", carrier: "", currency: "" };

const byLane = byKey<LaneColumns>(({ origin, destination, equipment, carrier, currency }) => [
  origin,
  destination,
  equipment,
  carrier,
  currency,
]);

async function listLanesIn(
  db: Connection,
  cell: Cell,
  { origin, destination, equipment, carrier, day }: LaneFilter,
  after: LaneColumns,
  limit: number,
): Promise<readonly StoredLane[]> {
  const wanted = [equipment, carrier, day, after.origin] as const;
  const rest = [after.equipment, after.carrier, after.currency, limit] as const;
  // Each reads along an index of its own.
  const rows =
    origin === null && destination !== null
      ? await db.rows(sql.rateLaneListTo(cell), [destination, ...wanted, ...rest])
      : await db.rows(sql.rateLaneList(cell), [origin, destination, ...wanted, after.destination, ...rest]);
  return rows.map(storedLane);
}

/** Null: there is no such lane. */
export async function getLane(db: Connection, cell: Cell, id: string, day: string) {
  const [row] = await db.rows(sql.rateLaneGet(cell), [id, day]);
  return row === undefined ? null : storedLane(row);
}

/** One lane of any of the cells, and its cell. */
export function findLane(db: Connection, cells: readonly Cell[], id: string, day: string) {
  return findInCells(cells, (cell) => getLane(db, cell, id, day));
}

function storedLane(row: RowOf<typeof sql.rateLaneGet>): StoredLane {
  const { id, origin, destination, equipment, carrier, currency } = row;
  const lane = { id, origin, destination, equipment, carrier, currency };
  if (row.rateId === null) return { ...lane, rate: null };
  const { layer, base, total, surcharges, validFrom, validTo, loadedAt } = row;
  return { ...lane, rate: { id: row.rateId, layer, base, total, surcharges, validFrom, validTo, loadedAt } };
}

/** `endedAt`: when another load replaced it, or somebody removed it; null: it is in force. */
export type PastRate = RowOf<typeof sql.laneRateHistory>;

/** The rates that begin last first, from the one after `afterId` on. */
export function listPastRates(
  db: Connection,
  cell: Cell,
  laneId: string,
  { afterId, limit }: PageRequest,
): Promise<readonly PastRate[]> {
  return db.rows(sql.laneRateHistory(cell), [laneId, afterId, limit]);
}

export type LoadedRate = RowOf<typeof sql.laneRateLoaded>;

const byLoading = byKey<{ readonly id: string }>(({ id }) => [id]);

/** The rates of all lanes that were loaded last, from the one after `afterId` on. */
export function listLoadedRates(
  db: Connection,
  cells: readonly Cell[],
  { afterId, limit }: PageRequest,
): Promise<readonly LoadedRate[]> {
  return listFromCells(
    cells,
    (one, other) => byLoading(other, one),
    limit,
    (cell) => db.rows(sql.laneRateLoaded(cell), [afterId, limit]),
  );
}
