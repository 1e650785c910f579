/** The metrics of all workers as those of one service. */
import { AggregatorRegistry } from "prom-client";

import type { MetricValues } from "../../operator/console/history.ts";

/** What `getMetricsAsJSON` of a registry gives. */
export type WorkerMetrics = readonly { readonly type: unknown }[];

export type MergedMetrics = {
  /** What the worker has counted until now. */
  report(worker: number, metrics: WorkerMetrics): void;
  /** Keeps what the worker last counted: a sum that fell would look to Prometheus like a restart of all. */
  ended(worker: number): void;
  /** As a registry gives them. */
  values(own: WorkerMetrics): Promise<MetricValues>;
  /** In the text format of Prometheus. `own` are the primary's. */
  text(own: WorkerMetrics): Promise<string>;
};

/** The types that only grow. */
const GROWING: readonly unknown[] = ["counter", "histogram", "summary"];

export function createMergedMetrics(): MergedMetrics {
  const latest = new Map<number, WorkerMetrics>();
  let ofEnded: WorkerMetrics = [];
  const all = (own: WorkerMetrics) => aggregate([...latest.values(), ofEnded, own]);
  return {
    report: (worker, metrics) => void latest.set(worker, metrics),
    ended(worker) {
      const growing = (latest.get(worker) ?? []).filter(({ type }) => GROWING.includes(type));
      latest.delete(worker);
      ofEnded = aggregate([ofEnded, growing]).getMetricsAsArray();
    },
    values: (own) => all(own).getMetricsAsJSON(),
    text: (own) => all(own).metrics(),
  };
}

/** Sums, unless a metric says otherwise (`aggregator`). */
function aggregate(all: readonly WorkerMetrics[]) {
  return AggregatorRegistry.aggregate(all as WorkerMetrics[]);
}
