/** Kilograms of one unit of weight, by the codes of UN/ECE Recommendation 20 and of Cargo-IMP. */
export const KILOGRAMS_OF: Readonly<Record<string, number>> = {
  KGM: 1,
  KG: 1,
  K: 1,
  LBR: 0.45359237,
  LB: 0.45359237,
  L: 0.45359237,
  GRM: 0.001,
  TNE: 1_000,
};
