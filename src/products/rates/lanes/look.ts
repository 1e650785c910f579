/** Looks at lanes on a day: notes which rate holds, and has every account told of those that changed. */
import type { Random } from "../../../runtime/random.ts";
import { addBroadcasts, type Broadcast } from "../../../freight/broadcasts/store/broadcasts.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { lookAtLanes, noteLanes, type LookedLane } from "../store/rate-lanes.ts";
import { isSamePrice, laneRateUpdated, type ChangeReason, type LaneChange } from "./change.ts";
import type { Price } from "./lane.ts";
import { laneOf, priceOf } from "./stored-rate.ts";

/** Lanes that one statement looks at. */
const LOOKED_MAX = 2_000;

/** The first cell also stands for the directory, which all share. */
export type RateCells = readonly [Cell, ...Cell[]];

export type Looking = {
  readonly day: string;
  readonly atMs: number;
  /** What the writer did; a day that begins does it by itself. */
  readonly cause: "loaded" | "removed" | "day";
};

/**
 * In the transaction of whoever changed them, which began with `beginRateDay`. Gives how many changes are told. The
 * first rate that a lane ever has is none: there was nothing to change.
 */
export async function lookAt(
  tx: Connection,
  cells: RateCells,
  random: Random,
  laneIds: readonly string[],
  looking: Looking,
): Promise<number> {
  let changes = 0;
  for (let start = 0; start < laneIds.length; start += LOOKED_MAX) {
    const some = laneIds.slice(start, start + LOOKED_MAX);
    const looked = await lookAtLanes(tx, cells[0], some, looking.day);
    const told = new Map(looked.flatMap((lane) => toldOf(lane, looking)));
    await noteLanes(tx, cells[0], looked, new Set(told.keys()));
    const broadcasts = [...told].map(([lane, change]) => broadcastOf(lane, change, random, looking.atMs));
    await addBroadcasts(tx, cells, broadcasts);
    changes += broadcasts.length;
  }
  return changes;
}

function toldOf(lane: LookedLane, { day, cause }: Looking): readonly (readonly [LookedLane, LaneChange])[] {
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

function reasonOf(cause: Looking["cause"], now: Price | null): ChangeReason {
  if (cause !== "day") return cause;
  return now === null ? "expired" : "began";
}

const EVENT = { product: "rates", type: "lane_rate_updated" } as const;

function broadcastOf(lane: LookedLane, change: LaneChange, random: Random, atMs: number): Broadcast {
  return {
    ...EVENT,
    id: random.uuid(atMs),
    data: JSON.stringify(laneRateUpdated(change)),
    occurredAtMs: atMs,
    dedupKey: `${EVENT.type}:${lane.id}:${lane.changesTold + 1}`,
  };
}
