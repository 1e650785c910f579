/** What comes off a flight: `RCF/LH400/15NOV1430/JFK/T10K250/A1030/A1345`, and ARR and AWR alike. */
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

/** The day is of the arrival, and by the book nothing tells where the flight came from. */
export const readArrival: ReadStatus = (code, fields, context) => {
  const designator = takeDesignator(fields);
  const when = takeDay(fields);
  const { from, station } = fields.failed ? NO_ROUTE : takeRoute(fields);
  const day = fields.failed || when === null ? null : dayOf(fields, when, context, "told");
  if (fields.failed) return null;
  const quantity = takeQuantity(fields, context);
  const lone = when?.minutes === null ? "arrival" : "departure";
  const times = takeFlightTimes(fields, day, { from, to: station }, lone);
  reportRest(fields);
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

/** Some write the whole leg, with a slant in it or without. */
function takeRoute(fields: FieldCursor): Route {
  const field = peek(fields);
  const leg = field === null ? null : /^([A-Z]{3})[- ]?([A-Z]{3})$/.exec(field.capitals);
  if (leg !== null) {
    advance(fields);
    return { from: leg[1]!, station: leg[2]! };
  }
  const first = takeStation(fields);
  const second = peek(fields);
  if (first === null || second === null || !isAirport(second.capitals)) return { from: null, station: first };
  advance(fields);
  return { from: first, station: second.capitals };
}
