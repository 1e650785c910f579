import { codesOf, nodesOf, numberOf, type LinkedDocument, type LinkedNode } from "./json-ld.ts";

/** Units as UN/ECE's Recommendation 20 and Cargo-IMP write them. */
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

/** Null where there is no weight, or none in a unit that is known. Where no unit is told it is kilograms. */
export function readWeightKg(document: LinkedDocument, node: LinkedNode, name: string): number | null {
  const [value] = nodesOf(document, node, name);
  if (value === undefined) return null;
  const amount = numberOf(value, "numericalValue", "value");
  const unit = codesOf(document, value, "unit")[0] ?? "KGM";
  if (amount === null || amount < 0 || !Object.hasOwn(KG_OF, unit)) return null;
  return Math.round(amount * KG_OF[unit]! * 1_000) / 1_000;
}
