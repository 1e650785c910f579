/** A ship that leaves without the box: it stays on the quay, or is taken off again before she sails. */
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import type { LeftBehind, LegBooking } from "./leg.ts";

/** How she leaves it, and when the box gets its next ship. */
export type LeavesBehind = LeftBehind & { readonly newsMs: number };

export function leaveBehind(
  draws: SeededRandom,
  booking: LegBooking,
  ashoreMs: number,
  takesOff: boolean,
): LeavesBehind {
  const departedMs = booking.load.actual.departureMs;
  const newsMs = departedMs + randomDurationMs(draws, 1, 36);
  const onQuay = { booking, aboard: null, departedMs, newsMs };
  const fromMs = departedMs - randomDurationMs(draws, 6, 14);
  const untilMs = fromMs + randomDurationMs(draws, 1, 4);
  const isEarly = fromMs < Math.max(ashoreMs + 4 * HOUR_MS, booking.fromMs + HOUR_MS);
  if (!takesOff || !draws.chance(0.5) || isEarly) return onQuay;
  const plannedAtOnce = draws.chance(0.5);
  return {
    ...onQuay,
    aboard: { fromMs, untilMs },
    newsMs: plannedAtOnce ? untilMs + 20 * MINUTE_MS : newsMs,
  };
}
