/** Arrivals: `RCF/LH400/15NOV1430/JFK/T10K250/A1030/A1345`, and ARR and AWR alike. */
import { takeFlightTimes } from "./flight-times.ts";
import { advance, peek, type FieldCursor } from "../field-cursor.ts";
import { timeAt } from "../station-time.ts";
import {
  reportRest,
  dayOf,
  statusEvent,
  isAirport,
  takeDay,
  takeDesignator,
  takeQuantity,
  takeStation,
  type ReadStatus,
} from "./read-fields.ts";

/** The day is of the arrival; the standard has no departure airport here. */
export const readArrival: ReadStatus = (code, cursor, context) => {
  const designator = takeDesignator(cursor);
  const when = takeDay(cursor);
  const { from, station } = cursor.failed ? NO_ROUTE : takeRoute(cursor);
  const day = cursor.failed || when === null ? null : dayOf(cursor, when, context, "past");
  if (cursor.failed) return null;
  const quantity = takeQuantity(cursor, context);
  const single = when?.minutes === null ? "arrival" : "departure";
  const times = takeFlightTimes(cursor, day, { from, to: station }, single);
  reportRest(cursor);
  const received =
    when === null || when.minutes === null || day === null
      ? null
      : timeAt(station, day + when.daysLater, when.minutes);
  const onlyDay = day === null ? null : timeAt(station, day + (when?.daysLater ?? 0), 0);
  const at = received ?? times.arrival ?? onlyDay;
  const timeIs =
    received === null && times.arrival !== null ? times.arrivalIs : at === null ? null : "actual";
  const date = times.departure?.local.slice(0, 10) ?? null;
  const flight = designator === null ? null : { ...designator, date };
  return statusEvent(code, { station, at, timeIs, flight, from, to: station, ...quantity, ...times });
};

type Route = { readonly from: string | null; readonly station: string | null };

const NO_ROUTE: Route = { from: null, station: null };

/** Some airlines write the whole leg, with or without a slant. */
function takeRoute(cursor: FieldCursor): Route {
  const field = peek(cursor);
  const leg = field === null ? null : /^([A-Z]{3})[- ]?([A-Z]{3})$/.exec(field.capitals);
  if (leg !== null) {
    advance(cursor);
    return { from: leg[1]!, station: leg[2]! };
  }
  const first = takeStation(cursor);
  const second = peek(cursor);
  if (first === null || second === null || !isAirport(second.capitals)) return { from: null, station: first };
  advance(cursor);
  return { from: first, station: second.capitals };
}
