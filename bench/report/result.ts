/** One line of the table: a figure, what it stands beside, and whether it was reached. */
import { sampleOf, type Sample } from "./statistics.ts";

export type Result = {
  readonly figure: string;
  readonly measured: string;
  /** The ceiling or the base that it is compared with. */
  readonly baseline: string;
  readonly target: string;
  readonly reached: boolean;
  /** All that was measured, by name. */
  readonly samples: Readonly<Record<string, Sample>>;
  /** What the record is compared by; absolute figures have none. */
  readonly ratio?: Ratio;
};

export type Ratio = { readonly better: "more" | "less"; readonly runs: readonly number[] };

export const whole = (value: number): string => Math.round(value).toLocaleString("en-GB");
export const spread = ({ median, least, most }: Sample): string =>
  `${whole(median)} (${whole(least)} to ${whole(most)})`;
export const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
export const significant = (value: number): string =>
  value.toLocaleString("en-GB", { maximumSignificantDigits: value < 1_000 ? 3 : 5 });
export const milliseconds = (ms: number): string => `${ms.toFixed(1)} ms`;

/** A rate and the rate it is compared with, measured in turn; the median of their pairs' ratios counts. */
export function compareRates(
  figure: string,
  measured: readonly number[],
  base: { readonly name: string; readonly rates: readonly number[] },
  least: number,
): Result {
  const rate = sampleOf(measured);
  const baseRate = sampleOf(base.rates);
  const runs = measured.map((value, index) => value / base.rates[index]!);
  const ratio = sampleOf(runs);
  return {
    figure,
    measured: `${spread(rate)} a second: ${percent(ratio.median)}`,
    baseline: `${base.name} ${spread(baseRate)}`,
    target: `at least ${percent(least)}`,
    reached: ratio.median >= least,
    samples: { rate, baseRate, ratio },
    ratio: { better: "more", runs },
  };
}

export function below(
  figure: string,
  values: readonly number[],
  limit: number,
  show: (value: number) => string,
): Result {
  const sample = sampleOf(values);
  return {
    figure,
    measured: show(sample.median),
    baseline: sample.count === 1 ? "" : `${show(sample.least)} to ${show(sample.most)}`,
    target: `under ${show(limit)}`,
    reached: sample.median < limit,
    samples: { value: sample },
  };
}
