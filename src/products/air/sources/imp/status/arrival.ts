/** Arrivals: `RCF/LH400/15NOV1430/JFK/T10K250/A1030/A1345`, and ARR, AWR, FIW and, of a departure, FOW alike. */
import type { LocalTime } from "../../../../../freight/places/local-time.ts";
import type { AirEvent, AirStatusCode } from "../../../timeline/air-event.ts";
import type { DayAndTime, FlightTime } from "../day-and-time.ts";
import { advance, peek, type FieldCursor } from "../field-cursor.ts";
import { timeAt } from "../station-time.ts";
import { takeFlightTimes } from "./flight-times.ts";
import {
  reportRest,
  dayOf,
  isAirport,
  takeDay,
  takeDesignator,
  takeQuantity,
  takeStation,
  type ReadStatus,
  type StatusContext,
} from "./read-fields.ts";
import { inForm } from "../../event-form.ts";

/** The day is of the arrival; the standard has no departure airport here. */
export const readArrival: ReadStatus = (code, cursor, context) =>
  readHandling(code, cursor, context, "inbound");

/** Out of the warehouse to a flight: a leg begins at the station. */
export const readRelease: ReadStatus = (code, cursor, context) =>
  readHandling(code, cursor, context, "outbound");

type Direction = "inbound" | "outbound";

function readHandling(
  code: AirStatusCode,
  cursor: FieldCursor,
  context: StatusContext,
  direction: Direction,
): AirEvent | null {
  const designator = takeDesignator(cursor);
  const when = takeDay(cursor);
  const route = cursor.failed ? NO_ROUTE : takeRoute(cursor, direction);
  const day = cursor.failed || when === null ? null : dayOf(cursor, when, context, "past");
  if (cursor.failed) return null;
  const quantity = takeQuantity(cursor, context);
  const isArrival = (time: FlightTime): boolean => direction === "inbound" && isOfArrival(code, when, time);
  const times = takeFlightTimes(cursor, day, route, isArrival, direction === "inbound");
  reportRest(cursor);
  const atMinutes = (minutes: number | null | undefined): LocalTime | null =>
    day === null || minutes === null || minutes === undefined
      ? null
      : timeAt(route.station, day + (when?.daysLater ?? 0), minutes);
  const handled = atMinutes(when?.minutes);
  const arrived = direction === "inbound" ? times.arrival : null;
  const at = handled ?? arrived ?? atMinutes(0);
  const timeIs = handled === null && arrived !== null ? times.arrivalIs : at === null ? null : "actual";
  const date = times.departure?.local.slice(0, 10) ?? null;
  const flight = designator === null ? null : { ...designator, date };
  return inForm(code, { ...route, at, timeIs, flight, ...quantity, ...times });
}

/** A lone time is the arrival's if the line has no other, or if it is actual and the cargo was received after it. */
function isOfArrival(
  code: AirStatusCode,
  when: DayAndTime | null,
  { indicator, minutes, daysLater }: FlightTime,
): boolean {
  if (when === null) return false;
  if (when.minutes === null) return true;
  const isBefore = daysLater * DAY_MINUTES + minutes <= when.daysLater * DAY_MINUTES + when.minutes;
  return code !== "ARR" && indicator === "actual" && isBefore;
}

const DAY_MINUTES = 1_440;

type Route = Pick<AirEvent, "station" | "from" | "to">;

const NO_ROUTE: Route = { station: null, from: null, to: null };

/** Some airlines write the whole leg, with or without a slant. */
function takeRoute(cursor: FieldCursor, direction: Direction): Route {
  const routeOf = (from: string | null, to: string | null): Route => ({
    station: direction === "inbound" ? to : from,
    from,
    to,
  });
  const field = peek(cursor);
  const leg = field === null ? null : /^([A-Z]{3})[- ]?([A-Z]{3})$/.exec(field.capitals);
  if (leg !== null) {
    advance(cursor);
    return routeOf(leg[1]!, leg[2]!);
  }
  const first = takeStation(cursor);
  const second = peek(cursor);
  if (first === null || second === null || !isAirport(second.capitals)) {
    return direction === "inbound" ? routeOf(null, first) : routeOf(first, null);
  }
  advance(cursor);
  return routeOf(first, second.capitals);
}
