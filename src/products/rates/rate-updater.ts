/**
 * Updates rates as days begin: when another rate comes to hold on a lane, or an index is due. Any number of nodes may;
 * the row of the day takes them one after the other, and what one has done another finds done.
 *
 *     waiting ─▶ due lanes, some in each transaction ─▶ … ─▶ due indices ─▶ waiting
 *                   └─ no database, or a crash: the transaction is undone, and the next round goes on
 */
import { utcDay } from "../../model/instant.ts";
import { failureLevel } from "../../model/errors.ts";
import { createInterval, type Interval } from "../../runtime/interval.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { lockRateDay } from "./store/rate-lanes.ts";
import { computeDueIndices } from "./indices/compute.ts";
import type { RatePorts } from "./lanes/load.ts";
import { updateCurrentRates } from "./lanes/current-rates.ts";
import { rateLaneListDue } from "./store/rate-lanes.sql.ts";

export type RateUpdaterPorts = RatePorts &
  Pick<NodeContext, "log" | "loops"> & {
    /** Broadcasts have been committed. */
    readonly wakeForwarder: () => void;
  };

export const UPDATE_INTERVAL_MS = 30_000;

/** Lanes of one transaction. */
const LANES_PER_TRANSACTION_MAX = 1_000;

export function createRateUpdater(ports: RateUpdaterPorts): Interval {
  const { log } = ports;
  const update = async (isStopped: () => boolean): Promise<void> => {
    while (!isStopped() && (await updateDueLanes(ports)));
    if (!isStopped() && (await computeDueIndices(ports, log)) > 0) ports.wakeForwarder();
  };
  return createInterval(ports, { name: "rates", everyMs: UPDATE_INTERVAL_MS }, update, (cause) => {
    log[failureLevel(cause)]({ cause }, "rates were not updated to the day; the next round goes on");
  });
}

/** False: there was nothing to do. */
async function updateDueLanes(ports: RateUpdaterPorts): Promise<boolean> {
  const { database, productCells, clock, wakeForwarder } = ports;
  const cell = productCells.of("rates");
  const atMs = clock.nowMs();
  const today = utcDay(atMs);
  // Most rounds end here, and lock nothing.
  if ((await rateLaneListDue(database, cell, { day: today, limit: 1 })).length === 0) return false;
  const { looked, changes } = await database.transaction(async (tx) => {
    const day = await lockRateDay(tx, cell, today);
    const due = await rateLaneListDue(tx, cell, { day, limit: LANES_PER_TRANSACTION_MAX });
    const laneIds = due.map(({ id }) => id);
    return {
      looked: due.length,
      changes: await updateCurrentRates(tx, ports, cell, laneIds, { day, atMs, cause: "day" }),
    };
  });
  if (changes > 0) wakeForwarder();
  return looked > 0;
}
