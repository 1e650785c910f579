/** Checks the loops of the process at an interval, and exposes them in `/metrics`. */
import { Gauge, type Registry } from "prom-client";

import { createInterval, type Interval } from "../runtime/interval.ts";
import { createLoopMonitor, type LoopMonitor } from "../runtime/loop-monitor.ts";
import type { NodeContext } from "../store/node-context.ts";

/** How soon the log names an overdue loop. */
const CHECK_INTERVAL_MS = 15_000;

export function watchLoops(
  all: () => readonly LoopMonitor[],
  { registry, clock, log }: Pick<NodeContext, "clock" | "log"> & { readonly registry: Registry },
): Interval {
  exposeLoopMetrics(all, registry);
  const checking = createInterval(
    // Nothing watches this loop: if its timer stops, so have all others.
    { clock, loops: createLoopMonitor(clock, log) },
    { name: "loops", everyMs: CHECK_INTERVAL_MS },
    async () => {
      for (const loops of all()) loops.check();
    },
    (cause) => log.error({ cause }, "the loops could not be checked"),
  );
  checking.start();
  return checking;
}

function exposeLoopMetrics(all: () => readonly LoopMonitor[], registry: Registry): void {
  const silences = () => all().flatMap((loops) => loops.silences());
  new Gauge({
    name: "boathook_loop_silent_seconds",
    help: "Time since a loop of this process last got on: up to its interval where it works every so often, 0 where it rests.",
    labelNames: ["loop"],
    aggregator: "max",
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
