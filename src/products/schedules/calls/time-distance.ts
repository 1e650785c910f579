/** How far two statements of calls, or a statement and what is known of a call, are apart in time. */
import { expectedTime } from "./call-record.ts";
import type { CallStatement, CallTime, CallTimes } from "./call-statement.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** A vessel is in port for this long at most where one side names its arrival and the other its departure. */
const STAY_MS_MAX = 5 * DAY_MS;

/** One that has left does not leave again: what is to leave this much later is another call. */
const RETURN_MS_MIN = 2 * DAY_MS;

export type Times = Pick<CallStatement, "arrival" | "departure">;

/**
 * The least difference between times of one meaning, in milliseconds: the plan stays where it was when the estimate
 * moves. Null: they have no times to compare. Infinite: they cannot be one call.
 */
export function timeDistanceMs(known: Times, said: Times): number | null {
  if (isReturn(known, said)) return Number.POSITIVE_INFINITY;
  const least = Math.min(
    distanceBetween(known.arrival, said.arrival),
    distanceBetween(known.departure, said.departure),
  );
  return Number.isFinite(least) ? least : (distanceAcross(known, said) ?? distanceAcross(said, known));
}

/** Infinite: they have no times of one meaning. */
function distanceBetween(one: CallTimes, other: CallTimes): number {
  return Math.min(
    difference(one.planned, other.planned),
    difference(one.estimated, other.estimated),
    difference(one.actual, other.actual),
    difference(expectedTime(one), expectedTime(other)),
  );
}

function difference(one: CallTime | null, other: CallTime | null): number {
  return one === null || other === null ? Number.POSITIVE_INFINITY : Math.abs(one.ms - other.ms);
}

/** The one names an arrival, the other a departure. */
function distanceAcross({ arrival }: Times, { departure }: Times): number | null {
  const [came, left] = [expectedTime(arrival), expectedTime(departure)];
  if (came === null || left === null) return null;
  const stayMs = left.ms - came.ms;
  return stayMs < 0 ? -stayMs : Math.max(0, stayMs - STAY_MS_MAX);
}

function isReturn(known: Times, said: Times): boolean {
  const left = known.departure.actual;
  const leaves = said.departure.actual ?? said.departure.estimated ?? said.arrival.estimated;
  return left !== null && leaves !== null && leaves.ms - left.ms > RETURN_MS_MIN;
}

/** In the order of time; what has no time comes last. */
export function callTimeMs({ arrival, departure }: Times): number {
  return (expectedTime(arrival) ?? expectedTime(departure))?.ms ?? Number.POSITIVE_INFINITY;
}
