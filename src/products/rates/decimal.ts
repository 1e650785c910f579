/**
 * Exact decimals as whole numbers of their last digit: money in minor units, index values and percentages in
 * hundredths. Nothing converts them to floating point.
 */

/** Digits before the point, so that sums of some hundred stay within PostgreSQL's `bigint`. */
const WHOLE_DIGITS_MAX = 12;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** `1234.5` with two digits is 123450n. Null: no plain decimal, too large, or more than `digits`, trailing zeros aside. */
export function parseDecimal(text: string, digits: number): bigint | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign, whole = "", fraction = ""] = match;
  const significant = whole.replace(/^0+/, "");
  if (significant.length > WHOLE_DIGITS_MAX || /[1-9]/.test(fraction.slice(digits))) return null;
  const units = BigInt(significant + fraction.slice(0, digits).padEnd(digits, "0"));
  return sign === "-" ? -units : units;
}

/** The reverse of {@link parseDecimal}: 123450n with two digits is `1234.50`. */
export function formatDecimal(units: bigint, digits: number): string {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, "0");
  const point = text.length - digits;
  return `${units < 0n ? "-" : ""}${text.slice(0, point)}${digits === 0 ? "" : `.${text.slice(point)}`}`;
}

/** Rounds the quotient half away from zero. `divisor` is above 0. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const doubled = 2n * dividend;
  return (dividend < 0n ? doubled - divisor : doubled + divisor) / (2n * divisor);
}

/** The change in hundredths of a percent; null: `from` is zero. */
export function percentBetween(from: bigint, to: bigint): bigint | null {
  return from === 0n ? null : divideRounded((to - from) * 10_000n, from);
}

/** The digits of percentages and of index values. */
export const PERCENT_DIGITS = 2;
