/** A ship that leaves without the box: it stays on the quay, or is taken off again before she sails. */
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import type { LateBox, LeftBehind, LegBooking } from "./leg.ts";

/** How she leaves it, and when the box gets its next ship. */
export type LeavesBehind = LeftBehind & { readonly newsMs: number };

export function leaveBehind(
  draws: SeededRandom,
  booking: LegBooking,
  ashoreMs: number,
  takesOff: boolean,
  lateBoxes: LateBoxes | null,
): LeavesBehind {
  const departedMs = booking.load.actual.departureMs;
  const newsMs = departedMs + randomDurationMs(draws, 1, 36);
  const onQuay = { booking, aboard: null, departedMs, late: null, newsMs };
  const fromMs = departedMs - randomDurationMs(draws, 6, 14);
  const untilMs = fromMs + randomDurationMs(draws, 1, 4);
  const isEarly = fromMs < Math.max(ashoreMs + 4 * HOUR_MS, booking.fromMs + HOUR_MS);
  if (!takesOff || !draws.chance(0.5) || isEarly)
    return lateBoxes === null ? onQuay : comesLate(lateBoxes, onQuay);
  const plannedAtOnce = draws.chance(0.5);
  return {
    ...onQuay,
    aboard: { fromMs, untilMs },
    newsMs: plannedAtOnce ? untilMs + 20 * MINUTE_MS : newsMs,
  };
}

/** Boxes that come to their first port when their ship has left. */
export type LateBoxes = {
  readonly draws: SeededRandom;
  /** After her at least, so that the line's times tell it. */
  readonly hoursMin: number;
  /** How long after it the gate is reported, at most. */
  readonly reportMsMax: number;
};

function comesLate({ draws, hoursMin, reportMsMax }: LateBoxes, onQuay: LeavesBehind): LeavesBehind {
  if (!draws.chance(0.85)) return onQuay;
  const inMs = onQuay.departedMs + randomDurationMs(draws, hoursMin, hoursMin + 50);
  const late = (leftSaidMs: number | null): LateBox => ({ inMs, leftSaidMs });
  if (draws.chance(0.4)) return { ...onQuay, late: late(null) };
  const leftSaidMs = inMs + reportMsMax + HOUR_MS;
  return { ...onQuay, late: late(leftSaidMs), newsMs: leftSaidMs + randomDurationMs(draws, 1, 30) };
}
