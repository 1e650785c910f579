/** Looks at lanes on a day: notes which rate holds, and has every account told of those that changed. */
import type { Random } from "../../../runtime/random.ts";
import { addBroadcasts, type Broadcast } from "../../../freight/broadcasts/store/broadcasts.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { readChangedLanes, recordLanes, type ChangedLane } from "../store/rate-lanes.ts";
import { isSamePrice, laneRateUpdated, type ChangeReason, type LaneChange } from "./change.ts";
import type { Price } from "./lane.ts";
import { laneOf, priceOf } from "./stored-rate.ts";

/** Lanes that one statement looks at. */
const LANES_PER_STATEMENT_MAX = 2_000;

/** The first cell also stands for the directory, which all share. */
export type RateCells = readonly [Cell, ...Cell[]];

export type RateUpdate = {
  readonly day: string;
  readonly atMs: number;
  /** What the writer did; a day that begins does it by itself. */
  readonly cause: "loaded" | "removed" | "day";
};

/**
 * In the transaction of whoever changed them, which began with `beginRateDay`. Gives how many changes are told. The
 * first rate that a lane ever has is none: there was nothing to change.
 */
export async function updateCurrentRates(
  tx: Connection,
  cells: RateCells,
  random: Random,
  laneIds: readonly string[],
  looking: RateUpdate,
): Promise<number> {
  let changes = 0;
  for (let start = 0; start < laneIds.length; start += LANES_PER_STATEMENT_MAX) {
    const some = laneIds.slice(start, start + LANES_PER_STATEMENT_MAX);
    const looked = await readChangedLanes(tx, cells[0], some, looking.day);
    const told = new Map(looked.flatMap((lane) => changeOf(lane, looking)));
    await recordLanes(tx, cells[0], looked, new Set(told.keys()));
    const broadcasts = [...told].map(([lane, change]) => broadcastOf(lane, change, random, looking.atMs));
    await addBroadcasts(tx, cells, broadcasts);
    changes += broadcasts.length;
  }
  return changes;
}

function changeOf(
  lane: ChangedLane,
  { day, cause }: RateUpdate,
): readonly (readonly [ChangedLane, LaneChange])[] {
  const old = priceIn(lane.oldBase, lane.oldTotal, lane.oldSurcharges);
  const now = priceIn(lane.newBase, lane.newTotal, lane.newSurcharges);
  if (!lane.hasHadRate || isSamePrice(old, now)) return [];
  const { validFrom, validTo } = lane;
  const change: LaneChange = {
    laneId: lane.id,
    lane: laneOf(lane),
    reason: reasonOf(cause, now),
    effectiveOn: day,
    old,
    now: now === null || validFrom === null ? null : { ...now, validFrom, validTo },
  };
  return [[lane, change]];
}

function priceIn(base: string | null, total: string | null, surcharges: string | null): Price | null {
  return base === null || total === null || surcharges === null ? null : priceOf({ base, total, surcharges });
}

function reasonOf(cause: RateUpdate["cause"], now: Price | null): ChangeReason {
  if (cause !== "day") return cause;
  return now === null ? "expired" : "began";
}

const EVENT = { product: "rates", type: "lane_rate_updated" } as const;

function broadcastOf(lane: ChangedLane, change: LaneChange, random: Random, atMs: number): Broadcast {
  return {
    ...EVENT,
    id: random.uuid(atMs),
    data: JSON.stringify(laneRateUpdated(change)),
    occurredAtMs: atMs,
    dedupKey: `${EVENT.type}:${lane.id}:${lane.changesRaised + 1}`,
  };
}
