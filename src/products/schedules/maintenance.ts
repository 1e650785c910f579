/** Keeps the record of schedules as time passes: looks at calls that are due, works days out, forgets old calls. */
import { StoreUnavailable } from "../../model/errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../runtime/durations.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { createInterval, type Interval } from "../../runtime/interval.ts";
import type { LoopMonitor } from "../../runtime/loop-monitor.ts";
import { countCalls, pruneCalls } from "./store/port-calls.ts";
import { pruneServiceDays } from "./store/service-reliability.ts";
import type { SchedulePorts, ScheduleSettings } from "./events/broadcasting.ts";
import { processDueCalls } from "./events/due-calls.ts";
import { utcDay } from "../../model/instant.ts";
import { computeServiceDays } from "./reliability/service-days.ts";

export type MaintenancePorts = SchedulePorts & {
  readonly clock: Clock;
  readonly log: Log;
  readonly loops: LoopMonitor;
};

export type ScheduleMaintenance = Interval & {
  /** Calls kept, as counted within the last minute or so; null: not yet. */
  callCount(): number | null;
};

/** Hours are what cut-offs are told of in. */
const INTERVAL_MS = 10_000;
const BATCHES_A_RUN_MAX = 1_000;

/** Longer than any window of reliability and the notice before it. */
export const CALL_RETENTION_MS = 200 * DAY_MS;
const SERVICE_DAY_RETENTION_MS = 730 * DAY_MS;
const PRUNE_INTERVAL_MS = HOUR_MS;
const COUNT_INTERVAL_MS = MINUTE_MS;
/** Statements of one pruning, each of a bounded number of rows. */
const PRUNE_STATEMENTS_MAX = 500;

export function createScheduleMaintenance(
  ports: MaintenancePorts,
  settings: ScheduleSettings,
): ScheduleMaintenance {
  const { database, cells, clock, log } = ports;
  const [directory] = cells;
  let prunedMs: number | null = null;
  let countedMs: number | null = null;
  let calls: number | null = null;

  const prune = async (isStopped: () => boolean): Promise<void> => {
    if (prunedMs !== null && clock.monotonicMs() - prunedMs < PRUNE_INTERVAL_MS) return;
    prunedMs = clock.monotonicMs();
    const nowMs = clock.nowMs();
    const oldDay = utcDay(nowMs - SERVICE_DAY_RETENTION_MS);
    const steps = [
      () => pruneCalls(database, directory, nowMs - CALL_RETENTION_MS),
      () => pruneServiceDays(database, directory, oldDay),
    ];
    for (const step of steps) {
      for (let times = 0; times < PRUNE_STATEMENTS_MAX && !isStopped() && (await step()); times += 1);
    }
  };

  const count = async (): Promise<void> => {
    if (countedMs !== null && clock.monotonicMs() - countedMs < COUNT_INTERVAL_MS) return;
    countedMs = clock.monotonicMs();
    calls = await countCalls(database, directory);
  };

  const round = async (isStopped: () => boolean): Promise<void> => {
    for (
      let batches = 0;
      batches < BATCHES_A_RUN_MAX && !isStopped() && (await processDueCalls(ports, settings, clock.nowMs()));
      batches += 1
    );
    if (!isStopped()) await computeServiceDays(ports, settings, clock.nowMs());
    if (!isStopped()) await prune(isStopped);
    if (!isStopped()) await count();
  };

  const interval = createInterval(ports, { name: "schedules", everyMs: INTERVAL_MS }, round, (cause) => {
    const level = cause instanceof StoreUnavailable ? "warn" : "error";
    log[level]({ cause }, "schedules could not be looked at; the next look does it");
  });
  return { ...interval, callCount: () => calls };
}
