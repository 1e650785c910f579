/**
 * What happens for a flight before and when it leaves: `BKD/LH400/15NOV/FRAJFK/T10K250/S1030/S1345`, and PRE,
 * MAN and DEP alike. None of them says when it was told: the time is the flight's.
 */
import type { AirEvent } from "../../../timeline/air-event.ts";
import { complain, lose, taken, upcoming, type Fields } from "../fields.ts";
import { dayAndTimeIn } from "../moments.ts";
import { volumeOrDensityIn } from "../quantity.ts";
import { dateOf, timeAt } from "../station-clock.ts";
import { takeFlightTimes } from "./flight-times.ts";
import { readReceipt } from "./receipt.ts";
import {
  complainOfRest,
  dayOf,
  event,
  isAirport,
  takeDay,
  takeDesignator,
  takeQuantity,
  type ReadStatus,
} from "./reading.ts";

export const readDeparture: ReadStatus = (code, fields, context) => {
  if (isReceipt(fields)) return readReceipt(code, fields, context);
  const designator = takeDesignator(fields);
  const when = takeDay(fields);
  const day = when === null ? null : dayOf(fields, when, context, code === "DEP" ? "told" : "announced");
  const leg = fields.lost ? null : takeLeg(fields);
  if (leg === null) return null;
  const quantity = takeQuantity(fields, context);
  const times = takeFlightTimes(fields, day, leg);
  const volume = takeVolume(fields);
  complainOfRest(fields);
  const date = day === null ? null : dateOf(day);
  const flight = designator === null ? null : { ...designator, date };
  const sameDay = day === null ? null : timeAt(leg.from, day + when!.daysLater, when!.minutes ?? 0);
  const at = times.departure ?? sameDay;
  const timeIs = times.departureIs;
  return event(code, { station: leg.from, at, timeIs, flight, ...leg, ...quantity, ...times, ...volume });
};

/** Some tell of a booking as of a receipt: `BKD/16OCT1317/FRA/NAME`. */
function isReceipt({ all: [when, station, next] }: Fields): boolean {
  if (when === undefined || station === undefined || !isAirport(station.capitals)) return false;
  if (next !== undefined && isAirport(next.capitals)) return false;
  return typeof dayAndTimeIn(when.capitals)?.minutes === "number";
}

/** Both airports in one field by the book; some put a slant between. */
function takeLeg(fields: Fields): { readonly from: string; readonly to: string | null } | null {
  const field = upcoming(fields);
  if (field === null || !/^(?:[A-Z]{3}[- ]?)?[A-Z]{3}$/.test(field.capitals)) {
    return lose(fields, field, "a leg such as FRAJFK");
  }
  taken(fields);
  const from = field.capitals.slice(0, 3);
  if (field.capitals.length > 3) return { from, to: field.capitals.slice(-3) };
  const second = upcoming(fields);
  if (second === null || !isAirport(second.capitals)) {
    complain(fields, second, "the airport that the flight goes to is missing here");
    return { from, to: null };
  }
  taken(fields);
  return { from, to: second.capitals };
}

function takeVolume(fields: Fields): Partial<AirEvent> {
  const field = upcoming(fields);
  const volume = field === null ? null : volumeOrDensityIn(field.capitals);
  if (volume === null) return {};
  taken(fields);
  return { ...volume, ...takeVolume(fields) };
}
