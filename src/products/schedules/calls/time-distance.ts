/** How far two statements, or a statement and a record, are apart in time. */
import { DAY_MS } from "../../../runtime/durations.ts";
import { expectedTime } from "./call-record.ts";
import type { CallStatement, CallTime, CallTimes } from "./call-statement.ts";

/** The longest stay in port where one side gives the arrival and the other the departure. */
const STAY_MS_MAX = 5 * DAY_MS;

/** A vessel that has left does not leave again: a departure this much later belongs to another call. */
const RETURN_MS_MIN = 2 * DAY_MS;

type Times = Pick<CallStatement, "arrival" | "departure">;

/**
 * The least difference between times of one kind, in milliseconds: the plan stands while the estimate moves. Null:
 * the two have no times to compare. Infinite: they cannot be one call.
 */
export function timeDistanceMs(known: Times, stated: Times): number | null {
  if (isReturn(known, stated)) return Number.POSITIVE_INFINITY;
  const least = Math.min(
    distanceBetween(known.arrival, stated.arrival),
    distanceBetween(known.departure, stated.departure),
  );
  return Number.isFinite(least) ? least : (distanceAcross(known, stated) ?? distanceAcross(stated, known));
}

/** Infinite: they have no times of one kind. */
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

/** From the arrival of one to the departure of the other. */
function distanceAcross({ arrival }: Times, { departure }: Times): number | null {
  const [came, left] = [expectedTime(arrival), expectedTime(departure)];
  if (came === null || left === null) return null;
  const stayMs = left.ms - came.ms;
  return stayMs < 0 ? -stayMs : Math.max(0, stayMs - STAY_MS_MAX);
}

function isReturn(known: Times, stated: Times): boolean {
  const left = known.departure.actual;
  const leaves = stated.departure.actual ?? stated.departure.estimated ?? stated.arrival.estimated;
  return left !== null && leaves !== null && leaves.ms - left.ms > RETURN_MS_MIN;
}

/** For sorting by time; calls without a time come last. */
export function callTimeMs({ arrival, departure }: Times): number {
  return (expectedTime(arrival) ?? expectedTime(departure))?.ms ?? Number.POSITIVE_INFINITY;
}
