/**
 * The value of an index on a day, after Laspeyres: the basket's cost on the day relative to its cost on the base date,
 * with fixed weights (docs/rates.md).
 *
 *     value = base value × Σ weight × price on the day ÷ Σ weight × price on the base date
 *
 * Both sums cover the lanes with a price on the day. The exact value is rounded once.
 */
import { divideRounded } from "../decimal.ts";
import { multiply, ONE, sumOf, type Fraction } from "../fraction.ts";
import type { BasketLane } from "./basket.ts";

/** Prices are in minor units of the lane's currency. */
export type PricedLane = Omit<BasketLane, "lane"> & {
  /** On the day; null: none, or none that can be converted. */
  readonly price: bigint | null;
  /** What a minor unit is in those of the index; without it: the lane has the currency of the index. */
  readonly exchange?: { readonly onBaseDate: Fraction; readonly onDay: Fraction };
};

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
  const whole = sumOf(basket.map(worthOnBaseDate));
  const then = sumOf(basket.filter(({ price }) => price !== null).map(worthOnBaseDate));
  const now = sumOf(
    basket.map(({ weight, price, exchange }) =>
      multiply(exchange?.onDay ?? ONE, price === null ? 0n : weight * price),
    ),
  );
  const coverage = (then.numerator * whole.denominator * 10_000n) / (then.denominator * whole.numerator);
  if (coverage < COVERAGE_MIN) return { value: null, coverage };
  const points = baseValue * now.numerator * then.denominator;
  return { value: divideRounded(points, now.denominator * then.numerator), coverage };
}

function worthOnBaseDate({ weight, basePrice, exchange }: PricedLane): Fraction {
  return multiply(exchange?.onBaseDate ?? ONE, weight * basePrice);
}
