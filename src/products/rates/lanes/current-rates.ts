/** Records the current rates of lanes on a day, and raises an event for each lane whose rate has changed. */
import type { Random } from "../../../runtime/random.ts";
import { addBroadcasts, type Broadcast } from "../../../freight/broadcasts/store/broadcasts.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import { recordLanes, type ChangedLane } from "../store/rate-lanes.ts";
import { rateLaneListChanged } from "../store/rate-lanes.sql.ts";
import { isSamePrice, laneRateUpdated, type LaneChange } from "./change.ts";
import { laneOf, priceOf, type Price } from "./lane.ts";
import { layerOf, type Layer } from "./layers.ts";
import { NO_TERMS, termsOf } from "./terms.ts";

const LANES_PER_STATEMENT_MAX = 2_000;

export type RateUpdate = {
  readonly day: string;
  readonly atMs: number;
  /** `day`: a day has begun. */
  readonly cause: "loaded" | "removed" | "day";
};

/**
 * Runs in the transaction of the change, which began with `lockRateDay`. Returns the number of changes. A lane's first
 * rate is no change.
 */
export async function updateCurrentRates(
  tx: Connection,
  { cells, random }: Pick<NodeContext, "cells" | "random">,
  cell: Cell,
  laneIds: readonly string[],
  update: RateUpdate,
): Promise<number> {
  let changes = 0;
  for (let start = 0; start < laneIds.length; start += LANES_PER_STATEMENT_MAX) {
    const ids = laneIds.slice(start, start + LANES_PER_STATEMENT_MAX);
    const lanes = await rateLaneListChanged(tx, cell, { laneIds: ids, day: update.day });
    const changed = new Map<ChangedLane, LaneChange>();
    for (const lane of lanes) {
      const change = changeOf(lane, update);
      if (change !== null) changed.set(lane, change);
    }
    await recordLanes(tx, cell, lanes, new Set(changed.keys()));
    const broadcasts = [...changed].map(([lane, change]) => broadcastOf(lane, change, random, update.atMs));
    await addBroadcasts(tx, cell, cells, broadcasts, update.atMs);
    changes += broadcasts.length;
  }
  return changes;
}

/** What raises `lane_rate_updated` (spec 6.2: lane_rate_updated). Null: the price is the same, or it is the lane's first. */
function changeOf(lane: ChangedLane, { day, cause }: RateUpdate): LaneChange | null {
  const old = priceIn(lane.oldLayer, lane.oldBase, lane.oldTotal, lane.oldSurcharges);
  const now = priceIn(lane.newLayer, lane.newBase, lane.newTotal, lane.newSurcharges);
  if (!lane.hasHadRate || isSamePrice(old, now)) return null;
  const { validFrom, validTo, since, newTerms } = lane;
  const terms = newTerms === null ? NO_TERMS : termsOf(newTerms);
  return {
    laneId: lane.id,
    lane: laneOf(lane),
    // A rate that an expired one gives back began before.
    reason: cause === "day" ? (now !== null && since === validFrom ? "began" : "expired") : cause,
    // Also if it was noticed later: no node ran, or the rate was loaded after its first day.
    effectiveOn: cause === "removed" ? day : (since ?? day),
    old,
    now: now === null || validFrom === null ? null : { ...now, validFrom, validTo, terms },
  };
}

function priceIn(
  layer: number | null,
  base: string | null,
  total: string | null,
  surcharges: string | null,
): (Price & { readonly layer: Layer }) | null {
  if (layer === null || base === null || total === null || surcharges === null) return null;
  return { layer: layerOf(layer), ...priceOf({ base, total, surcharges }) };
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
