/** Measures and weights in requests, with their bounds. */
import Type from "typebox";

export const EXTENT_MM_MAX = 20_000;
const WEIGHT_KG_MAX = 100_000;

export const millimetres = (description: string) =>
  Type.Integer({
    minimum: 1,
    maximum: EXTENT_MM_MAX,
    description: `${description}, in whole millimetres up to ${EXTENT_MM_MAX}; round up`,
  });

export const kilograms = (description: string) =>
  Type.Number({ minimum: 0, maximum: WEIGHT_KG_MAX, description: `${description}, in kilograms` });

export const strict = { additionalProperties: false };

/** Whole grams: of a fraction, weights take the gram above and payloads the one below. */
export function grams(kg: number, rounded: (grams: number) => number): number {
  const exact = kg * 1_000;
  const near = Math.round(exact);
  // Three decimals are exact but for the error of a double.
  return Math.abs(exact - near) < 1e-6 ? near : rounded(exact);
}
