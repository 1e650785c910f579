/**
 * Has time change rates: looks again and again whether a day has begun that changes what holds on some lane, or an
 * index is due. Any number of nodes may; the row of the day makes them one after the other, and what one has done
 * another finds done.
 *
 *     idle ─(some time)─▶ lanes that are due, some in a transaction ─▶ … ─▶ none ─▶ indices that are due ─▶ idle
 *       │                    └─ no database, or a crash: nothing of the transaction, and the next look goes on
 *       └──── stop: the transaction under way ends ────▶ stopped
 */
import { utcDay } from "../../model/instant.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { createInterval, type Interval } from "../../runtime/interval.ts";
import type { LoopMonitor } from "../../runtime/loop-monitor.ts";
import { lockRateDay, listDueLanes } from "./store/rate-lanes.ts";
import { computeDueIndices } from "./indices/compute.ts";
import type { RatePorts } from "./lanes/load.ts";
import { updateCurrentRates } from "./lanes/current-rates.ts";

export type RateUpdaterPorts = RatePorts & {
  readonly log: Log;
  readonly loops: LoopMonitor;
  /** Something is to be told, and the transaction has ended. */
  readonly wakeBroadcaster: () => void;
};

/** Between two looks. */
export const UPDATE_INTERVAL_MS = 30_000;

/** Lanes of one transaction. */
const LANES_PER_TRANSACTION_MAX = 1_000;

export function createRateUpdater(ports: RateUpdaterPorts): Interval {
  const { log } = ports;
  const look = async (isStopped: () => boolean): Promise<void> => {
    while (!isStopped() && (await updateDueLanes(ports)));
    if (!isStopped() && (await computeDueIndices(ports, log)) > 0) ports.wakeBroadcaster();
  };
  return createInterval(ports, { name: "rates", everyMs: UPDATE_INTERVAL_MS }, look, (cause) => {
    const level = cause instanceof StoreUnavailable ? "warn" : "error";
    log[level]({ cause }, "rates that change with the day could not be looked at; the next look goes on");
  });
}

/** False: there was nothing to do. */
async function updateDueLanes({
  database,
  cells,
  clock,
  random,
  wakeBroadcaster,
}: RateUpdaterPorts): Promise<boolean> {
  const atMs = clock.nowMs();
  const today = utcDay(atMs);
  // Most looks end here, and lock nothing.
  if ((await listDueLanes(database, cells[0], today, 1)).length === 0) return false;
  const { looked, changes } = await database.transaction(async (tx) => {
    const day = await lockRateDay(tx, cells[0], today);
    const due = await listDueLanes(tx, cells[0], day, LANES_PER_TRANSACTION_MAX);
    return {
      looked: due.length,
      changes: await updateCurrentRates(tx, cells, random, due, { day, atMs, cause: "day" }),
    };
  });
  if (changes > 0) wakeBroadcaster();
  return looked > 0;
}
