/** Lanes and their rates as they are written. Amounts are whole numbers of the currency's minor unit, as text. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import { laneRateCompare, laneRateInsert, laneRateReplace } from "./lane-rates.sql.ts";
import { rateDayLock, rateLaneInsert, rateLaneRecord, type rateLaneListChanged } from "./rate-lanes.sql.ts";

/** What an index knows a lane by; `carrier` is empty for the market's rate. */
export type LaneColumns = {
  readonly origin: string;
  readonly destination: string;
  readonly equipment: string;
  readonly carrier: string;
  readonly currency: string;
};

/** What a lane is known by. */
export type LaneKey = LaneColumns & {
  /** Empty: not stated. */
  readonly kind: "" | "contract" | "spot";
  /** Empty: not stated. */
  readonly contract: string;
  readonly commodity: string;
};

/** Days are `YYYY-MM-DD`; `surcharges` is JSON. */
export type RateColumns = {
  readonly laneId: string;
  /** From 0, the lowest; lanes/layers.ts. */
  readonly layer: number;
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly base: string;
  readonly total: string;
  readonly surcharges: string;
  /** JSON. */
  readonly terms: string;
};

/**
 * Makes the caller the one writer of rates, lanes and indices until its transaction ends. Returns the day of the
 * rates: today, or the last day used where a clock has gone back.
 */
export async function lockRateDay(tx: Connection, cell: Cell, today: string): Promise<string> {
  return (await rateDayLock(tx, cell, today)).day;
}

/** None of the lanes exists: the holder of the day's lock is the one writer. */
export async function addLanes(
  tx: Connection,
  cell: Cell,
  lanes: readonly (LaneKey & { readonly id: string })[],
  atMs: number,
): Promise<void> {
  if (lanes.length === 0) return;
  await rateLaneInsert(tx, cell, { lanes, createdAt: atMs });
}

/** What came of rates that were to be stored; the others were there already, the same in everything. */
export type StoreResult = {
  /** The lane of each that was written. */
  readonly laneIds: readonly string[];
  /** How many took the place of one with the same lane, layer and first day. */
  readonly replaced: number;
};

type NewRate = RateColumns & { readonly id: string };

/** No two of them have the same lane, layer and first day. */
export async function storeRates(tx: Connection, cell: Cell, rates: readonly NewRate[], atMs: number) {
  const before = await laneRateCompare(tx, cell, rates);
  const written = rates.filter((_rate, at) => before[at]!.isSame !== true);
  if (written.length === 0) return { laneIds: [], replaced: 0 };
  const replaced = before.flatMap(({ id, isSame }) => (id === null || isSame === true ? [] : [id]));
  if (replaced.length > 0) await laneRateReplace(tx, cell, { replaced, at: atMs });
  await laneRateInsert(tx, cell, { rates: written, at: atMs });
  return { laneIds: written.map(({ laneId }) => laneId), replaced: replaced.length };
}

/** A lane of which something is not as it was noted. The old fields are null where no rate held, as are the new. */
export type ChangedLane = RowOf<typeof rateLaneListChanged>;

/** Records the rate that holds now, and the lanes whose change was raised. */
export async function recordLanes(
  tx: Connection,
  cell: Cell,
  lanes: readonly ChangedLane[],
  raised: ReadonlySet<ChangedLane>,
): Promise<void> {
  const noted = lanes.map((lane) => ({ ...lane, raised: raised.has(lane) }));
  await rateLaneRecord(tx, cell, noted);
}
