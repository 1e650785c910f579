/** What comes off a flight: `RCF/LH400/15NOV1430/JFK/T10K250/A1030/A1345`, and ARR and AWR alike. */
import { takeFlightTimes } from "./flight-times.ts";
import { timeAt } from "../station-clock.ts";
import {
  complainOfRest,
  dayOf,
  event,
  takeDay,
  takeDesignator,
  takeQuantity,
  takeStation,
  type ReadStatus,
} from "./reading.ts";

/** The day is of the arrival, and nothing tells where the flight came from. */
export const readArrival: ReadStatus = (code, fields, context) => {
  const designator = takeDesignator(fields);
  const when = takeDay(fields);
  const station = fields.lost ? null : takeStation(fields);
  const day = fields.lost || when === null ? null : dayOf(fields, when, context.receivedMs, false);
  if (fields.lost) return null;
  const quantity = takeQuantity(fields, context);
  const times = takeFlightTimes(fields, day, { from: null, to: station });
  complainOfRest(fields);
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
  return event(code, { station, at, timeIs, flight, to: station, ...quantity, ...times });
};
