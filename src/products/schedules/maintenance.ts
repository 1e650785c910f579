/** Maintains the record of schedules as time passes: processes due calls, works days out, counts and prunes calls. */
import { failureLevel } from "../../model/errors.ts";
import { utcDay } from "../../model/instant.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../runtime/durations.ts";
import { createInterval, repeat, type Interval, type IntervalTask } from "../../runtime/interval.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { nameOfCell } from "../../store/cell.ts";
import type { SchedulePorts, ScheduleSettings } from "./events/broadcasting.ts";
import { processDueCalls } from "./events/due-calls.ts";
import { computeServiceDays } from "./reliability/service-days.ts";
import { portCallCount, portCallPrune } from "./store/port-calls.sql.ts";
import { routingPrune } from "./store/routings.sql.ts";
import { serviceDayPrune } from "./store/reliability.sql.ts";
import { pruneAll } from "../../store/prune-step.ts";

export type MaintenancePorts = SchedulePorts & Pick<NodeContext, "clock" | "log" | "loops">;

export type ScheduleMaintenance = Pick<Interval, "start" | "stop"> & {
  /** Calls kept, as counted within the last minute or so; null: not yet. */
  callCount(): number | null;
};

/** Warnings of cut-offs are hours apart. */
const INTERVAL_MS = 10_000;
const BATCHES_A_ROUND_MAX = 1_000;

/** Longer than any window of reliability and the notice before it. */
export const CALL_RETENTION_MS = 200 * DAY_MS;
const SERVICE_DAY_RETENTION_MS = 730 * DAY_MS;
/** A way may leave this much later than published. */
const ROUTING_RETENTION_MS = 14 * DAY_MS;
/** Statements of one pruning, each of a bounded number of rows. */
const PRUNE_STATEMENTS_MAX = 500;

export function createScheduleMaintenance(
  ports: MaintenancePorts,
  settings: ScheduleSettings,
): ScheduleMaintenance {
  let count: number | null = null;
  const intervals = intervalsOf(ports, settings, (calls) => (count = calls));
  return {
    start: () => intervals.forEach((interval) => interval.start()),
    async stop() {
      await Promise.all(intervals.map((interval) => interval.stop()));
    },
    callCount: () => count,
  };
}

function intervalsOf(
  ports: MaintenancePorts,
  settings: ScheduleSettings,
  onCount: (calls: number) => void,
): readonly Interval[] {
  const { database, cell, clock, log } = ports;
  const every = (name: string, everyMs: number, task: IntervalTask) =>
    createInterval(ports, { name, everyMs }, task, (cause) =>
      log[failureLevel(cause)](
        { cause, loop: name, cell: nameOfCell(cell) },
        "schedules are not maintained; the next round retries",
      ),
    );
  return [
    every("schedules", INTERVAL_MS, async (isStopped) => {
      const step = () => processDueCalls(ports, settings, clock.nowMs());
      await repeat(BATCHES_A_ROUND_MAX, isStopped, step);
      if (!isStopped()) await computeServiceDays(ports, settings, clock.nowMs());
    }),
    every("pruning of schedules", HOUR_MS, async (isStopped) => {
      const nowMs = clock.nowMs();
      const oldDay = utcDay(nowMs - SERVICE_DAY_RETENTION_MS);
      const [oldMs, leftMs] = [nowMs - CALL_RETENTION_MS, nowMs - ROUTING_RETENTION_MS];
      const prune = (step: Parameters<typeof pruneAll>[2]) => pruneAll(PRUNE_STATEMENTS_MAX, isStopped, step);
      await prune((limit) => portCallPrune(database, cell, { before: oldMs, limit }));
      await prune((limit) => serviceDayPrune(database, cell, { before: oldDay, limit }));
      await prune((limit) => routingPrune(database, cell, { before: leftMs, limit }));
    }),
    every("count of calls", MINUTE_MS, async () => {
      onCount((await portCallCount(database, cell)).count);
    }),
  ];
}
