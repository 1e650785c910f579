/**
 * The test problems BR1 to BR15 of the container loading problem, made by the procedure of E. E. Bischoff and
 * M. S. W. Ratcliff, "Issues in the Development of Approaches to Container Loading", Omega 23 (1995): box types with
 * uniform dimensions, and as many boxes as the container has volume for, chosen one by one. Centimetres. BR8 to BR15
 * continue them with more types (A. P. Davies, E. E. Bischoff, European Journal of Operational Research 114, 1999). All
 * 1,500 equal the published files.
 */

export type BoxType = {
  /** As drawn; the paper's d1, d2, d3. */
  readonly dimensions: readonly [number, number, number];
  /** Whether each dimension may stand upright: then it is below twice the least of the other two. */
  readonly upright: readonly [boolean, boolean, boolean];
  readonly count: number;
};

export type Instance = { readonly set: string; readonly problem: number; readonly boxes: readonly BoxType[] };

/** How many types of boxes each set has. */
export const SETS: Readonly<Record<string, number>> = {
  BR1: 3,
  BR2: 5,
  BR3: 8,
  BR4: 10,
  BR5: 12,
  BR6: 15,
  BR7: 20,
  BR8: 30,
  BR9: 40,
  BR10: 50,
  BR11: 60,
  BR12: 70,
  BR13: 80,
  BR14: 90,
  BR15: 100,
};

export const PROBLEMS = 100;

export const CONTAINER = { length: 587, width: 233, height: 220 } as const;

const LEAST = [30, 25, 20] as const;
const MOST = [120, 100, 80] as const;
const STABILITY = 2;
const DISCARDED = 10;

/** `problem` is from 1 to {@link PROBLEMS}. */
export function instance(set: string, problem: number): Instance {
  const types = SETS[set];
  if (types === undefined) throw new Error(`there is no set ${set}`);
  const next = minimalStandard(2_502_505 + 100 * (problem - 1));
  for (let drawn = 0; drawn < DISCARDED; drawn += 1) next();
  const dimensions = Array.from({ length: types }, () =>
    LEAST.map((least, axis) => least + Math.floor(next() * (MOST[axis]! - least + 1))),
  ) as unknown as readonly (readonly [number, number, number])[];
  const volumes = dimensions.map(([a, b, c]) => a * b * c);
  const counts = volumes.map(() => 1);
  const room = CONTAINER.length * CONTAINER.width * CONTAINER.height;
  let cargo = volumes.reduce((sum, volume) => sum + volume, 0);
  while (true) {
    const type = Math.floor(next() * types);
    if (cargo + volumes[type]! > room) break;
    counts[type]! += 1;
    cargo += volumes[type]!;
  }
  return {
    set,
    problem,
    boxes: dimensions.map((dims, type) => ({
      dimensions: dims,
      upright: dims.map((side, axis) => {
        const others = dims.filter((_, other) => other !== axis);
        return side / Math.min(...others) < STABILITY;
      }) as unknown as BoxType["upright"],
      count: counts[type]!,
    })),
  };
}

/** The "minimal standard" generator of Park and Miller (1988); from 0 up to, not including, 1. */
export function minimalStandard(seed: number): () => number {
  let state = seed;
  return () => {
    state = (16_807 * state) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
