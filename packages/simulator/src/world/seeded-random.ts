/** Chance from a seed: the same numbers for the same seed and topic, whatever else was drawn before. */

export type SeededRandom = {
  /** 0 up to, not including, 1. */
  fraction(): number;
  between(least: number, most: number): number;
  /** Both ends included. */
  integer(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
};

/** What is drawn about, so that two topics of one index have nothing to do with each other. */
export type Topic =
  | "consignment"
  | "journey"
  | "voyage"
  | "reporting"
  | "outage"
  | "order"
  | "trips"
  | "caches"
  | "forms"
  | "inspection"
  | "shuttle"
  | "foreseen"
  | "pruning"
  | "late_box"
  | "next_call"
  | "carried_past"
  | "manifest";

const TOPICS: Readonly<Record<Topic, number>> = {
  consignment: 0x1f83d9ab,
  journey: 0x5be0cd19,
  voyage: 0x3c6ef372,
  reporting: 0x510e527f,
  outage: 0x2b992ddf,
  order: 0x6a09e667,
  trips: 0x3c1f2b5d,
  caches: 0x428a2f98,
  forms: 0x71374491,
  inspection: 0x3956c25b,
  shuttle: 0x59f111f1,
  foreseen: 0x2748774c,
  pruning: 0x34b0bcb5,
  late_box: 0x4ed8aa4a,
  next_call: 0x78a5636f,
  carried_past: 0x84c87814,
  manifest: 0x8cc70208,
};

export function seededRandom(seed: number, topic: Topic, index: number): SeededRandom {
  let state = mix(mix(seed | 0, TOPICS[topic]), index | 0);
  const fraction = (): number => {
    state = (state + 0x9e3779b9) | 0;
    return scrambled(state) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + (most - least) * fraction();
  return {
    fraction,
    between,
    integer: (least, most) => Math.floor(between(least, most + 1)),
    chance: (probability) => fraction() < probability,
    pick<T>(list: readonly T[]): T {
      return list[Math.floor(fraction() * list.length)] as T;
    },
  };
}

/** A whole number of minutes, in milliseconds. */
export function randomDurationMs(draws: SeededRandom, leastHours: number, mostHours: number): number {
  return draws.integer(leastHours * 60, mostHours * 60) * 60_000;
}

/** Two numbers of 32 bits made one, so that each bit of both counts. */
export function mix(a: number, b: number): number {
  return scrambled((a ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b)) | 0) | 0;
}

function scrambled(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
