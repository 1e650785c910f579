/**
 * The value of an index on a day, after Laspeyres: the basket's cost on the day relative to its cost on the base date,
 * with fixed weights (docs/rates.md).
 *
 *     value = base value × Σ weight × price on the day ÷ Σ weight × price on the base date
 *
 * Both sums cover the lanes with a price on the day.
 */
import { divideRounded } from "../decimal.ts";
import type { BasketLane } from "./basket.ts";

/** `price` on the day, in minor units; null: none. */
export type PricedLane = Omit<BasketLane, "lane"> & { readonly price: bigint | null };

export type IndexValue = {
  /** Hundredths of a point. */
  readonly value: bigint;
  /** The share of the basket's cost on the base date that has a price on the day: hundredths of a percent. */
  readonly coverage: bigint;
};

/** With less, there is no value: the lanes that are left do not represent the basket. */
export const COVERAGE_MIN = 5_000n;

/** Hundredths of a point. The store holds no more; a value this high comes from a mistaken base price. */
export const VALUE_MAX = 10n ** 14n;

/** The value is null below {@link COVERAGE_MIN}. */
export function indexValue(
  baseValue: bigint,
  basket: readonly PricedLane[],
): IndexValue | { readonly value: null; readonly coverage: bigint } {
  const sum = (worth: (lane: PricedLane) => bigint) =>
    basket.reduce((total, lane) => total + worth(lane), 0n);
  const whole = sum(({ weight, basePrice }) => weight * basePrice);
  const then = sum(({ weight, basePrice, price }) => (price === null ? 0n : weight * basePrice));
  const now = sum(({ weight, price }) => (price === null ? 0n : weight * price));
  const coverage = (then * 10_000n) / whole;
  return { value: coverage < COVERAGE_MIN ? null : divideRounded(baseValue * now, then), coverage };
}
