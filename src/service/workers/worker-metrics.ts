/** How many workers serve, and how many had to be started again; of one process, itself. */
import { Counter, Gauge, type Registry } from "prom-client";

import type { Supervisor } from "./supervisor.ts";

const ALONE: ReturnType<Supervisor["gauges"]> = { serving: 1, restarts: 0 };

export function exposeWorkers(registry: Registry, gauges: Supervisor["gauges"] = () => ALONE): void {
  new Gauge({
    name: "boathook_workers",
    help: "Workers that serve.",
    registers: [registry],
    collect() {
      this.set(gauges().serving);
    },
  });
  new Counter({
    name: "boathook_worker_restarts_total",
    help: "Workers started again after they had ended.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(gauges().restarts);
    },
  });
}
