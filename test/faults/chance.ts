/** Chance that a seed repeats: BOATHOOK_TEST_SEED runs a failed test again as it was. */
import { randomInt } from "node:crypto";
import type { TestContext } from "node:test";

export type Chance = {
  readonly seed: number;
  /** A whole number, from `min` up to and without `max`. */
  between(min: number, max: number): number;
};

/** If the test fails, it reports the seed. */
export function chanceFor(t: TestContext): Chance {
  const seed = Number(process.env["BOATHOOK_TEST_SEED"] ?? randomInt(2 ** 31));
  t.after(() => {
    if (!t.passed) t.diagnostic(`BOATHOOK_TEST_SEED=${seed} runs this again`);
  });
  const next = mulberry32(seed);
  return {
    seed,
    between: (min, max) => min + Math.floor(next() * (max - min)),
  };
}

/** Tommy Ettinger's mulberry32: 32 bits of state, numbers in [0, 1). */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
