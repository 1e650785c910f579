/**
 * Exact decimals as whole numbers of their last digit: money in minor units, index values and percentages in
 * hundredths. There is no floating point anywhere on their way.
 */

/** Digits before the point, so that sums of some hundred stay within PostgreSQL's `bigint`. */
const WHOLE_DIGITS_MAX = 12;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * `1234.5` with two digits is 123450n. Null: no plain decimal, too large, or one that says more than `digits` can;
 * zeros at the end say nothing.
 */
export function parseDecimal(text: string, digits: number): bigint | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign, whole = "", fraction = ""] = match;
  const significant = whole.replace(/^0+/, "");
  if (significant.length > WHOLE_DIGITS_MAX || /[1-9]/.test(fraction.slice(digits))) return null;
  const units = BigInt(significant + fraction.slice(0, digits).padEnd(digits, "0"));
  return sign === "-" ? -units : units;
}

/** 123450n with two digits is `1234.50`; what {@link parseDecimal} reads as the same. */
export function formatDecimal(units: bigint, digits: number): string {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, "0");
  const point = text.length - digits;
  return `${units < 0n ? "-" : ""}${text.slice(0, point)}${digits === 0 ? "" : `.${text.slice(point)}`}`;
}

/** The whole number nearest to the quotient; of two as near, the one further from zero. `divisor` is above 0. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const doubled = 2n * dividend;
  return (dividend < 0n ? doubled - divisor : doubled + divisor) / (2n * divisor);
}

/** Hundredths of a percent from one amount to another; null from nothing, of which all is no percentage. */
export function percentBetween(from: bigint, to: bigint): bigint | null {
  return from === 0n ? null : divideRounded((to - from) * 10_000n, from);
}

/** The digits of percentages and of index values. */
export const PERCENT_DIGITS = 2;
