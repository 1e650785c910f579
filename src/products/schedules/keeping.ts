/** Keeps the record of schedules as time passes: looks at calls that are due, works days out, forgets old calls. */
import { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { createInterval, type Interval } from "../../runtime/interval.ts";
import type { Loops } from "../../runtime/loops.ts";
import { countCalls, pruneCalls } from "./store/port-calls.ts";
import { pruneServiceDays } from "./store/service-reliability.ts";
import type { SchedulePorts, ScheduleSettings } from "./events/broadcasting.ts";
import { lookAtDue } from "./events/due-calls.ts";
import { DAY_MS, HOUR_MS } from "./calls/nearness.ts";
import { utcDay } from "../../model/instant.ts";
import { workOutDays } from "./reliability/service-days.ts";

export type KeepingPorts = SchedulePorts & {
  readonly clock: Clock;
  readonly log: Log;
  readonly loops: Loops;
};

export type Keeping = Interval & {
  /** Calls kept, as counted within the last minute or so; null: not yet. */
  calls(): number | null;
};

/** Hours are what cut-offs are told of in. */
const LOOK_MS = 10_000;
const BATCHES_A_ROUND_MAX = 1_000;

/** Longer than any window of reliability and the notice before it. */
export const CALLS_KEPT_MS = 200 * DAY_MS;
const SERVICE_DAYS_KEPT_MS = 730 * DAY_MS;
const PRUNE_EVERY_MS = HOUR_MS;
const COUNT_EVERY_MS = 60_000;
/** Statements of one pruning, each of a bounded number of rows. */
const PRUNINGS_MAX = 500;

export function createKeeping(ports: KeepingPorts, settings: ScheduleSettings): Keeping {
  const { database, cells, clock, log } = ports;
  const [directory] = cells;
  let prunedMs: number | null = null;
  let countedMs: number | null = null;
  let calls: number | null = null;

  const prune = async (isStopped: () => boolean): Promise<void> => {
    if (prunedMs !== null && clock.monotonicMs() - prunedMs < PRUNE_EVERY_MS) return;
    prunedMs = clock.monotonicMs();
    const nowMs = clock.nowMs();
    const oldDay = utcDay(nowMs - SERVICE_DAYS_KEPT_MS);
    const steps = [
      () => pruneCalls(database, directory, nowMs - CALLS_KEPT_MS),
      () => pruneServiceDays(database, directory, oldDay),
    ];
    for (const step of steps) {
      for (let times = 0; times < PRUNINGS_MAX && !isStopped() && (await step()); times += 1);
    }
  };

  const count = async (): Promise<void> => {
    if (countedMs !== null && clock.monotonicMs() - countedMs < COUNT_EVERY_MS) return;
    countedMs = clock.monotonicMs();
    calls = await countCalls(database, directory);
  };

  const round = async (isStopped: () => boolean): Promise<void> => {
    for (
      let batches = 0;
      batches < BATCHES_A_ROUND_MAX && !isStopped() && (await lookAtDue(ports, settings, clock.nowMs()));
      batches += 1
    );
    if (!isStopped()) await workOutDays(ports, settings, clock.nowMs());
    if (!isStopped()) await prune(isStopped);
    if (!isStopped()) await count();
  };

  const interval = createInterval(ports, { name: "schedules", everyMs: LOOK_MS }, round, (cause) => {
    const level = cause instanceof StoreUnavailable ? "warn" : "error";
    log[level]({ cause }, "schedules could not be looked at; the next look does it");
  });
  return { ...interval, calls: () => calls };
}
