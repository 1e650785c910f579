import { codesOf, nodesOf, numberOf, type LinkedDocument, type LinkedNode } from "./json-ld.ts";

/** Units of UN/ECE Recommendation 20 and Cargo-IMP. */
const KG_OF: { readonly [unit: string]: number } = {
  KGM: 1,
  KG: 1,
  K: 1,
  LBR: 0.45359237,
  LB: 0.45359237,
  L: 0.45359237,
  GRM: 0.001,
  TNE: 1_000,
};

/** Kilograms, the default unit; null without a weight in a known unit. */
export function readWeightKg(document: LinkedDocument, node: LinkedNode, name: string): number | null {
  const [value] = nodesOf(document, node, name);
  if (value === undefined) return null;
  const amount = numberOf(value, "numericalValue", "value");
  const unit = codesOf(document, value, "unit")[0] ?? "KGM";
  if (amount === null || amount < 0 || !Object.hasOwn(KG_OF, unit)) return null;
  return Math.round(amount * KG_OF[unit]! * 1_000) / 1_000;
}
