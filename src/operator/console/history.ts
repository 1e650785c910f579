/** What the service did of late, in steps: as `/metrics` counts it, kept for some hours in memory. */
import Type, { type Static } from "typebox";

import { nullable, UtcDateTime } from "../../model/data-types.ts";

/** A metric's values as a registry gives them. */
export type MetricValues = readonly {
  readonly name: string;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number | undefined>>;
    readonly metricName?: string | undefined;
  }[];
}[];

const Latency = nullable(Type.Object({ p50: Type.Number(), p99: Type.Number() }), {
  description:
    "half of them took at most p50 seconds, all but a hundredth at most p99; null: there were none",
});
type Latency = Static<typeof Latency>;

const Counts = Type.Record(Type.String(), Type.Integer());
const ByProduct = { ...Counts, description: "how many ended in this step, by product" };

export const SampleSchema = Type.Object(
  {
    at: UtcDateTime,
    seconds: Type.Integer({ description: "of this step" }),
    delivered: ByProduct,
    failed_attempts: ByProduct,
    dead: ByProduct,
    attempt_seconds: Latency,
    arrival_seconds: Latency,
    backlog: { ...Counts, description: "what waited at its end, by state" },
  },
  { title: "Sample" },
);

/** One step. */
export type Sample = Static<typeof SampleSchema>;

type Snapshot = {
  readonly atMs: number;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly attempts: ReadonlyMap<number, number>;
  readonly arrivals: ReadonlyMap<number, number>;
};

export const SAMPLED = [
  "boathook_deliveries_total",
  "boathook_attempt_seconds",
  "boathook_arrival_seconds",
  "boathook_queue_deliveries",
] as const;

/** Steps of each range, in seconds, and how many are kept. */
export const RANGES = {
  hour: { stepS: 10, samplesMax: 360 },
  day: { stepS: 120, samplesMax: 720 },
} as const;

export type Range = keyof typeof RANGES;

export type History = {
  /** Takes what has been counted until now; call it at least once a step. */
  take(metrics: MetricValues, nowMs: number): void;
  /** The oldest first. */
  read(range: Range): readonly Sample[];
};

export function createHistory(): History {
  const kept = { hour: keep(RANGES.hour), day: keep(RANGES.day) };
  return {
    take(metrics, nowMs) {
      const snapshot = snapshotOf(metrics, nowMs);
      const backlog = backlogOf(metrics);
      for (const one of Object.values(kept)) one.take(snapshot, backlog);
    },
    read: (range) => kept[range].samples,
  };
}

function keep({ stepS, samplesMax }: (typeof RANGES)[Range]) {
  const samples: Sample[] = [];
  let last: Snapshot | null = null;
  return {
    samples,
    take(snapshot: Snapshot, backlog: Sample["backlog"]): void {
      // A timer fires a little early or late.
      if (last !== null && snapshot.atMs - last.atMs < (stepS - 1) * 1_000) return;
      if (last !== null) samples.push(sampleBetween(last, snapshot, backlog));
      if (samples.length > samplesMax) samples.shift();
      last = snapshot;
    },
  };
}

function sampleBetween(from: Snapshot, to: Snapshot, backlog: Sample["backlog"]): Sample {
  const of = (outcome: string): Record<string, number> =>
    Object.fromEntries(
      [...to.outcomes].flatMap(([name, count]) => {
        const [product = "", kind] = name.split(" ");
        const more = count - (from.outcomes.get(name) ?? 0);
        return kind === outcome && more > 0 ? [[product, more]] : [];
      }),
    );
  return {
    at: new Date(to.atMs).toISOString(),
    seconds: Math.round((to.atMs - from.atMs) / 1_000),
    delivered: of("delivered"),
    failed_attempts: of("failed_attempt"),
    dead: of("dead"),
    attempt_seconds: latencyBetween(from.attempts, to.attempts),
    arrival_seconds: latencyBetween(from.arrivals, to.arrivals),
    backlog,
  };
}

function snapshotOf(metrics: MetricValues, atMs: number): Snapshot {
  const outcomes = valuesOf(metrics, "boathook_deliveries_total").map(
    ({ labels, value }) => [`${labels["product"]} ${labels["outcome"]}`, value] as const,
  );
  return {
    atMs,
    outcomes: new Map(outcomes),
    attempts: bucketsOf(metrics, "boathook_attempt_seconds"),
    arrivals: bucketsOf(metrics, "boathook_arrival_seconds"),
  };
}

function valuesOf(metrics: MetricValues, name: string) {
  return metrics.find((one) => one.name === name)?.values ?? [];
}

/** Of all products together: how many took at most so many seconds. */
function bucketsOf(metrics: MetricValues, name: string): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { metricName, labels, value } of valuesOf(metrics, name)) {
    if (metricName !== `${name}_bucket`) continue;
    const le = labels["le"] === "+Inf" ? Infinity : Number(labels["le"]);
    counts.set(le, (counts.get(le) ?? 0) + value);
  }
  return counts;
}

function backlogOf(metrics: MetricValues): Sample["backlog"] {
  const sums: Record<string, number> = {};
  for (const { labels, value } of valuesOf(metrics, "boathook_queue_deliveries")) {
    const state = String(labels["state"]);
    sums[state] = (sums[state] ?? 0) + value;
  }
  return sums;
}

function latencyBetween(from: ReadonlyMap<number, number>, to: ReadonlyMap<number, number>): Latency {
  const counts = [...to]
    .map(([le, count]) => [le, count - (from.get(le) ?? 0)] as const)
    .toSorted(([a], [b]) => a - b);
  const total = counts.at(-1)?.[1] ?? 0;
  return total > 0 ? { p50: quantile(counts, total * 0.5), p99: quantile(counts, total * 0.99) } : null;
}

/** Within its bucket the counted are taken to be spread evenly. */
function quantile(counts: readonly (readonly [le: number, count: number])[], rank: number): number {
  let [below, before] = [0, 0];
  for (const [le, count] of counts) {
    if (count >= rank) {
      if (le === Infinity) return below;
      return below + ((le - below) * (rank - before)) / (count - before);
    }
    [below, before] = [le, count];
  }
  return below;
}
