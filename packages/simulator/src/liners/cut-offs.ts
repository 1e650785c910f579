/** The cut-offs of a call: when each is published, what it is, and how it is moved. */
import { minutes, type Draws } from "../world/chance.ts";
import { type Shift } from "../harbour/voyages.ts";
import { DAY_MS, HOUR_MS } from "../world/durations.ts";

export type CutOffLife = {
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

export function cutOffsOf(draws: Draws, departureMs: number): readonly CutOffLife[] {
  if (draws.is(0.1)) return [];
  return HOURS_BEFORE.filter(() => draws.is(0.85)).map(([code, least, most]): CutOffLife => {
    const beforeMs = draws.whole(least, most) * HOUR_MS;
    const atMs = departureMs - beforeMs;
    const knownMs = atMs - minutes(draws, 4, 130);
    const isMoved = draws.is(0.15);
    const shift = { knownMs, byMs: minutes(draws, -30, 40) };
    const isAbsent = draws.is(0.05);
    const fromMs = atMs - minutes(draws, 10, 200);
    return {
      code,
      beforeMs,
      // Some become known when they are near already, and some never in time.
      listedMs: atMs - (draws.is(0.75) ? 25 * DAY_MS : minutes(draws, -5, 130)),
      shifts: isMoved ? [shift] : [],
      absent: isAbsent ? { fromMs, untilMs: fromMs + minutes(draws, 5, 60) } : null,
    };
  });
}
