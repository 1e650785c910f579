/**
 * The value of an index on a day, after Laspeyres: what the basket of the base date costs on the day, against what
 * it cost then, with weights that never change (docs/rates.md).
 *
 *     value = base value × Σ weight × price on the day ÷ Σ weight × price on the base date
 *
 * Both sums are over the lanes that have a price on the day.
 */
import { divideRounded, percentBetween } from "../decimal.ts";

export type PricedLane = {
  readonly weight: bigint;
  /** Minor units, above 0. */
  readonly basePrice: bigint;
  /** Null: none on the day. */
  readonly price: bigint | null;
};

export type IndexValue = {
  /** Hundredths of a point. */
  readonly value: bigint;
  readonly coverage: bigint;
};

/** Of the basket's worth on the base date, so much must have a price on the day: hundredths of a percent. */
export const COVERAGE_MIN = 5_000n;

/** Hundredths of a point: a base price of next to nothing is somebody's slip, and the store has no room for more. */
export const VALUE_MAX = 10n ** 14n;

/** Below {@link COVERAGE_MIN} there is no value: the lanes that are left would not stand for the basket. */
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

/** Hundredths; `percent` is null where the earlier value is nothing. */
export type IndexChange = { readonly change: bigint; readonly percent: bigint | null };

/** Between two values as they are published, so that whoever calculates it again has the same. */
export function changeBetween(before: bigint, value: bigint): IndexChange {
  return { change: value - before, percent: percentBetween(before, value) };
}
