/** The cut-offs of a call: when each is published, what it is, and how it is moved. */
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import { type Shift } from "../harbour/voyages.ts";
import { DAY_MS, HOUR_MS } from "../world/durations.ts";

export type SimulatedCutOff = {
  /** cutOffDateTimeCode of CS 1.0. */
  readonly code: string;
  /** As long before the departure. */
  readonly beforeMs: number;
  readonly listedMs: number;
  /** Moves of its own, beside those of the departure. */
  readonly shifts: readonly Shift[];
  /** Left out of the list for a while. */
  readonly absent: { readonly fromMs: number; readonly untilMs: number } | null;
};

const HOURS_BEFORE: readonly (readonly [string, number, number])[] = [
  ["DCO", 50, 100],
  ["VCO", 30, 60],
  ["FCO", 12, 40],
  ["EFC", 150, 180],
];

export function cutOffsOf(draws: SeededRandom, departureMs: number): readonly SimulatedCutOff[] {
  if (draws.chance(0.1)) return [];
  return HOURS_BEFORE.filter(() => draws.chance(0.85)).map(([code, least, most]): SimulatedCutOff => {
    const beforeMs = draws.integer(least, most) * HOUR_MS;
    const atMs = departureMs - beforeMs;
    const knownMs = atMs - randomDurationMs(draws, 4, 130);
    const isMoved = draws.chance(0.15);
    const shift = { knownMs, byMs: randomDurationMs(draws, -30, 40) };
    const isAbsent = draws.chance(0.05);
    const fromMs = atMs - randomDurationMs(draws, 10, 200);
    return {
      code,
      beforeMs,
      // Some become known when they are near already, and some never in time.
      listedMs: atMs - (draws.chance(0.75) ? 25 * DAY_MS : randomDurationMs(draws, -5, 130)),
      shifts: isMoved ? [shift] : [],
      absent: isAbsent ? { fromMs, untilMs: fromMs + randomDurationMs(draws, 5, 60) } : null,
    };
  });
}
