/** Metrics of plain numbers, which cost an addition or two: prom-client's own would hash their labels each time. */
import { Counter, type Histogram, type Registry } from "prom-client";

export type PlainHistogram = { observe(value: number): void };

type Observed = { readonly counts: number[]; sum: number };

type HistogramOptions = {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** Upper bounds, from the least on. */
  readonly buckets: readonly number[];
};

/** One histogram for each value of the label, of which there are a bounded number. */
export function createHistograms(registry: Registry, { name, help, label, buckets }: HistogramOptions) {
  const observed = new Map<string, Observed>();

  function valuesOf([value, { counts, sum }]: readonly [string, Observed]) {
    let count = 0;
    const rows = counts.map((one, index) => ({
      labels: { le: buckets[index] ?? "+Inf", [label]: value },
      value: (count += one),
      metricName: `${name}_bucket`,
    }));
    const labels = { [label]: value };
    const total = { labels, value: count, metricName: `${name}_count` };
    return [...rows, { labels, value: sum, metricName: `${name}_sum` }, total];
  }

  const metric = {
    name,
    help,
    type: "histogram",
    aggregator: "sum",
    reset: () => observed.clear(),
    get: async () => ({
      name,
      help,
      type: "histogram",
      aggregator: "sum",
      values: [...observed].flatMap(valuesOf),
    }),
  };
  // A registry asks no more of a metric.
  registry.registerMetric(metric as unknown as Histogram);

  return {
    of(value: string): PlainHistogram {
      let one = observed.get(value);
      if (one === undefined) {
        one = { counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 };
        observed.set(value, one);
      }
      const { counts } = one;
      const sums = one;
      return {
        observe(seconds) {
          let index = 0;
          while (index < buckets.length && seconds > buckets[index]!) index += 1;
          counts[index]! += 1;
          sums.sum += seconds;
        },
      };
    },
  };
}

/** Counts by two labels, the second of a fixed set: add to what `of` returns. */
export function createCounts<Kind extends string>(
  registry: Registry,
  kinds: readonly Kind[],
  { name, help, labels }: CountOptions,
) {
  const counts = new Map<string, Record<Kind, number>>();
  const [label, kindLabel] = labels;
  new Counter({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, some] of counts)
        for (const kind of kinds) this.inc({ [label]: value, [kindLabel]: kind }, some[kind]);
    },
  });
  return {
    of(value: string): Record<Kind, number> {
      const made =
        counts.get(value) ?? (Object.fromEntries(kinds.map((one) => [one, 0])) as Record<Kind, number>);
      counts.set(value, made);
      return made;
    },
  };
}

type CountOptions = {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly [label: string, kindLabel: string];
};
