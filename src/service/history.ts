/** Takes what is counted into the history that the console shows. */
import type { Registry } from "prom-client";

import {
  createHistory,
  RANGES,
  SAMPLED,
  type History,
  type MetricValues,
} from "../operator/console/history.ts";
import { createInterval, type IntervalPorts } from "../runtime/interval.ts";
import type { Log } from "../runtime/log.ts";

/** Call `stop` before what it reads closes. */
export function keepHistory(
  read: () => Promise<MetricValues>,
  ports: IntervalPorts & { readonly log: Log },
): { readonly read: History["read"]; stop(): Promise<void> } {
  const { clock, log } = ports;
  const history = createHistory();
  const interval = createInterval(
    ports,
    { name: "history", everyMs: RANGES.hour.stepS * 1_000 },
    async () => history.take(await read(), clock.nowMs()),
    (cause) => log.warn({ cause }, "the history misses a step"),
  );
  interval.start();
  return { read: history.read, stop: interval.stop };
}

/** Of one process. */
export async function sampledOf(registry: Registry): Promise<MetricValues> {
  const metrics = SAMPLED.flatMap((name) => registry.getSingleMetric(name) ?? []);
  return Promise.all(metrics.map((metric) => metric.get()));
}
