/**
 * Whether a ratio fell against the record. Ratios only: both of their sides ran by turns on one machine, so that another
 * machine moves them little. How much they move is what their own repeats say. A busy machine moves them more, since it
 * takes from the two sides unlike parts.
 */
import type { Machine } from "./machine.ts";
import type { Ratio, Result } from "./result.ts";
import { sampleOf } from "./statistics.ts";

/** What two runs may differ by, though the repeats of each agree: the day, and what else the machine does. */
export const FLOOR_BETWEEN_RUNS = 0.05;

/** Of two sides that took turns. */
export const FLOOR_OF_TURNS = 0.02;

/** `bench/results/latest.json`, by figure. */
export type BenchRecord = Readonly<Record<string, Recorded>>;
type Recorded = { readonly at: string; readonly machine: Machine; readonly ratio: Ratio };

/** With the ratios of these results; what was not measured does not change. */
export function nextRecord(
  record: BenchRecord,
  at: string,
  machine: Machine,
  results: readonly Result[],
): BenchRecord {
  const measured = results.flatMap(({ figure, ratio }) => (ratio === undefined ? [] : [{ figure, ratio }]));
  return {
    ...record,
    ...Object.fromEntries(measured.map(({ figure, ratio }) => [figure, { at, machine, ratio }])),
  };
}

export type Verdict = {
  readonly figure: string;
  readonly recorded: number;
  readonly now: number;
  readonly noise: number;
  readonly fell: boolean;
};

/** One for each result that has a ratio and stands in the record. */
export function compareWithRecord(record: BenchRecord, results: readonly Result[]): Verdict[] {
  return results.flatMap(({ figure, ratio }) => {
    const recorded = record[figure]?.ratio;
    if (ratio === undefined || recorded === undefined) return [];
    const noise = noiseOf([recorded.runs, ratio.runs], FLOOR_BETWEEN_RUNS);
    const medians = { recorded: sampleOf(recorded.runs).median, now: sampleOf(ratio.runs).median };
    return [{ figure, ...medians, noise, fell: fell(medians.now / medians.recorded, ratio.better, noise) }];
  });
}

export type Change = Verdict & { readonly ratio: number };

/** Turn by turn: the median of their ratios counts. */
export function compareTurns(
  figure: string,
  better: Ratio["better"],
  olds: readonly number[],
  news: readonly number[],
): Change {
  const runs = news.map((value, turn) => value / olds[turn]!);
  const ratio = sampleOf(runs).median;
  const noise = noiseOf([runs], FLOOR_OF_TURNS);
  return {
    figure,
    recorded: sampleOf(olds).median,
    now: sampleOf(news).median,
    ratio,
    noise,
    fell: fell(ratio, better, noise),
  };
}

/** @param change new by old */
export function fell(change: number, better: Ratio["better"], noise: number): boolean {
  return (better === "more" ? change : 1 / change) < 1 - noise;
}

/** Student's t that one in 200 exceeds, by degrees of freedom from 1; beyond them, that of the last. */
const STUDENT_T = [63.66, 9.92, 5.84, 4.6, 4.03, 3.71, 3.5, 3.36, 3.25, 3.17, 3.11, 3.05];

/** A median's standard error beside a mean's. */
const OF_MEDIAN = Math.sqrt(Math.PI / 2);

/**
 * What chance moves a median by, or the ratio of two, as a share of it: one honest comparison in 200 exceeds it. From
 * the spread of all runs, each beside its own side's mean. Infinite where nothing was repeated.
 */
export function noiseOf(sides: readonly (readonly number[])[], floor: number): number {
  const freedom = sides.reduce((sum, runs) => sum + runs.length - 1, 0);
  if (freedom < 1) return Number.POSITIVE_INFINITY;
  const squares = sides.flatMap((runs) => {
    const mean = runs.reduce((sum, value) => sum + value, 0) / runs.length;
    return runs.map((value) => (value / mean - 1) ** 2);
  });
  const deviation = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / freedom);
  const weight = Math.sqrt(sides.reduce((sum, runs) => sum + 1 / runs.length, 0));
  const t = STUDENT_T[Math.min(freedom, STUDENT_T.length) - 1]!;
  return Math.max(floor, t * OF_MEDIAN * deviation * weight);
}

const WHAT_COUNTS = ["cores", "processor", "memoryGb", "platform", "node", "postgres"] as const;

/** How the machines of these figures in the record differ from this one: `node v26.9.0, now v26.10.0`. */
export function differences(record: BenchRecord, figures: readonly string[], now: Machine): string[] {
  const machines = figures.flatMap((figure) => record[figure]?.machine ?? []);
  const differing = WHAT_COUNTS.flatMap((name) =>
    machines
      .filter((machine) => machine[name] !== now[name])
      .map((machine) => `${name} ${machine[name]}, now ${now[name]}`),
  );
  return [...new Set(differing)];
}
