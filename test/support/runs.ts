import fc from "fast-check";

/** Cases of a property in a change's run. */
const CHANGE_RUNS_MAX = 60;

/** How many of a property's cases a run draws: all of them in the soak (BOATHOOK_TEST_SOAK=1), else sixty at most. */
export function runs(all: number): number {
  return process.env["BOATHOOK_TEST_SOAK"] === "1" ? all : Math.min(all, CHANGE_RUNS_MAX);
}

type Runs = number | { readonly numRuns?: number; readonly seed?: number };

type Arbitraries<Values> = { [Index in keyof Values]: fc.Arbitrary<Values[Index]> };

const asParameters = (given: Runs) => (typeof given === "number" ? { numRuns: given } : given);

/** Asserts that the predicate holds, or throws nothing, for so many values of the arbitraries. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  times: Runs,
  ...property: [...arbitraries: Arbitraries<Values>, predicate: (...values: Values) => boolean | void]
): void {
  fc.assert(fc.property(...property), asParameters(times));
}

/** The same of a predicate that awaits something. */
export function forAllAsync<Values extends [unknown, ...unknown[]]>(
  times: Runs,
  ...property: [
    ...arbitraries: Arbitraries<Values>,
    predicate: (...values: Values) => Promise<boolean | void>,
  ]
): Promise<void> {
  return fc.assert(fc.asyncProperty(...property), asParameters(times));
}
