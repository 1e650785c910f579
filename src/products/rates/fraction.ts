/** Exact quotients, so that prices are converted without rounding. Denominators are above 0. */

export type Fraction = { readonly numerator: bigint; readonly denominator: bigint };

export const ONE: Fraction = { numerator: 1n, denominator: 1n };

export function multiply({ numerator, denominator }: Fraction, factor: bigint): Fraction {
  return { numerator: numerator * factor, denominator };
}

/** Adds those of one denominator first: the prices of a basket have as many as it has currencies. */
export function sumOf(fractions: readonly Fraction[]): Fraction {
  const numerators = new Map<bigint, bigint>();
  for (const { numerator, denominator } of fractions) {
    numerators.set(denominator, (numerators.get(denominator) ?? 0n) + numerator);
  }
  let sum: Fraction = { numerator: 0n, denominator: 1n };
  for (const [denominator, numerator] of numerators) {
    sum = {
      numerator: sum.numerator * denominator + numerator * sum.denominator,
      denominator: sum.denominator * denominator,
    };
  }
  return sum;
}
