/** Has the loops of the process checked every so often, and shows in `/metrics` how they get on. */
import { Gauge, type Registry } from "prom-client";

import type { Clock } from "../runtime/clock.ts";
import { createInterval, type Interval } from "../runtime/interval.ts";
import type { Log } from "../runtime/log.ts";
import { createLoopMonitor, type LoopMonitor } from "../runtime/loop-monitor.ts";

export type LoopWatchPorts = { readonly registry: Registry; readonly clock: Clock; readonly log: Log };

/** How soon a loop that does not get on is in the log. */
const CHECK_INTERVAL_MS = 15_000;

/** Starts the checks, and returns them for whoever stops them. */
export function watchLoops(all: readonly LoopMonitor[], { registry, clock, log }: LoopWatchPorts): Interval {
  exposeLoopMetrics(all, registry);
  const checking = createInterval(
    // Nobody watches the watcher: if its timer stops, so have all others.
    { clock, loops: createLoopMonitor(clock, log) },
    { name: "loops", everyMs: CHECK_INTERVAL_MS },
    async () => {
      for (const loops of all) loops.check();
    },
    (cause) => log.error({ cause }, "the loops could not be checked"),
  );
  checking.start();
  return checking;
}

function exposeLoopMetrics(all: readonly LoopMonitor[], registry: Registry): void {
  const silences = () => all.flatMap((loops) => loops.silences());
  new Gauge({
    name: "boathook_loop_silent_seconds",
    help: "Time since a loop of this process last got on: up to its interval where it works every so often, 0 where it rests.",
    labelNames: ["loop"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { loop, silentMs } of silences()) this.set({ loop }, silentMs / 1_000);
    },
  });
  new Gauge({
    name: "boathook_loops_overdue",
    help: "Loops that have been silent for longer than they ever should be.",
    registers: [registry],
    collect() {
      this.set(silences().filter(({ isOverdue }) => isOverdue).length);
    },
  });
}
