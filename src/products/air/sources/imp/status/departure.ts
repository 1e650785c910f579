/**
 * Bookings and departures: `BKD/LH400/15NOV/FRAJFK/T10K250/S1030/S1345`, and PRE, MAN and DEP alike. They have no time
 * of their own: the time is the flight's.
 */
import type { AirEvent } from "../../../timeline/air-event.ts";
import { reportAt, failAt, advance, peek, type FieldCursor } from "../field-cursor.ts";
import { dayAndTimeIn } from "../day-and-time.ts";
import { volumeOrDensityIn } from "../quantity.ts";
import { dateOf, timeAt } from "../station-time.ts";
import { takeFlightTimes } from "./flight-times.ts";
import { readReceipt } from "./receipt.ts";
import {
  reportRest,
  dayOf,
  isAirport,
  takeDay,
  takeDesignator,
  takeQuantity,
  type ReadStatus,
} from "./read-fields.ts";
import { inForm } from "../../event-form.ts";

export const readDeparture: ReadStatus = (code, cursor, context) => {
  if (isReceipt(cursor)) return readReceipt(code, cursor, context);
  const designator = takeDesignator(cursor);
  const when = takeDay(cursor);
  const day = when === null ? null : dayOf(cursor, when, context, code === "DEP" ? "past" : "planned");
  const leg = cursor.failed ? null : takeLeg(cursor);
  if (leg === null) return null;
  const quantity = takeQuantity(cursor, context);
  const times = takeFlightTimes(cursor, day, leg);
  const volume = takeVolume(cursor);
  reportRest(cursor);
  const date = day === null ? null : dateOf(day);
  const flight = designator === null ? null : { ...designator, date };
  const sameDay = day === null ? null : timeAt(leg.from, day + when!.daysLater, when!.minutes ?? 0);
  const at = times.departure ?? sameDay;
  const departed = { station: leg.from, at, timeIs: times.departureIs, flight };
  return inForm(code, { ...departed, ...leg, ...quantity, ...times, ...volume });
};

/** Some airlines write a booking like a receipt: `BKD/16NOV0945/FRA/NAME`. */
function isReceipt({ all: [when, station, next] }: FieldCursor): boolean {
  if (when === undefined || station === undefined || !isAirport(station.capitals)) return false;
  if (next !== undefined && isAirport(next.capitals)) return false;
  return typeof dayAndTimeIn(when.capitals)?.minutes === "number";
}

/** By the standard, both airports are one field; some airlines write a slant between them. */
function takeLeg(cursor: FieldCursor): { readonly from: string; readonly to: string | null } | null {
  const field = peek(cursor);
  if (field === null || !/^(?:[A-Z]{3}[- ]?)?[A-Z]{3}$/.test(field.capitals)) {
    return failAt(cursor, field, "a leg such as FRAJFK");
  }
  advance(cursor);
  const from = field.capitals.slice(0, 3);
  if (field.capitals.length > 3) return { from, to: field.capitals.slice(-3) };
  const second = peek(cursor);
  if (second === null || !isAirport(second.capitals)) {
    reportAt(cursor, second, "the airport that the flight goes to is missing here");
    return { from, to: null };
  }
  advance(cursor);
  return { from, to: second.capitals };
}

function takeVolume(cursor: FieldCursor): Partial<AirEvent> {
  const field = peek(cursor);
  const volume = field === null ? null : volumeOrDensityIn(field.capitals);
  if (volume === null) return {};
  advance(cursor);
  return { ...volume, ...takeVolume(cursor) };
}
