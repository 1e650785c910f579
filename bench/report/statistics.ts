/** Medians, spreads and percentiles of what was measured. */

/** What repeating a measurement gave. */
export type Sample = {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly count: number;
};

export function sampleOf(values: readonly number[]): Sample {
  const sorted = [...values].toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, least: sorted[0]!, most: sorted.at(-1)!, count: sorted.length };
}

/** The value that `share` of the values do not exceed, by nearest rank. */
export function percentile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}
