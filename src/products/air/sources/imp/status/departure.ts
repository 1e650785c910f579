/**
 * What happens for a flight before and when it leaves: `BKD/LH400/15NOV/FRAJFK/T10K250/S1030/S1345`, and PRE,
 * MAN and DEP alike. None of them says when it was told: the time is the flight's.
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
  statusEvent,
  isAirport,
  takeDay,
  takeDesignator,
  takeQuantity,
  type ReadStatus,
} from "./read-fields.ts";

export const readDeparture: ReadStatus = (code, fields, context) => {
  if (isReceipt(fields)) return readReceipt(code, fields, context);
  const designator = takeDesignator(fields);
  const when = takeDay(fields);
  const day = when === null ? null : dayOf(fields, when, context, code === "DEP" ? "told" : "planned");
  const leg = fields.failed ? null : takeLeg(fields);
  if (leg === null) return null;
  const quantity = takeQuantity(fields, context);
  const times = takeFlightTimes(fields, day, leg);
  const volume = takeVolume(fields);
  reportRest(fields);
  const date = day === null ? null : dateOf(day);
  const flight = designator === null ? null : { ...designator, date };
  const sameDay = day === null ? null : timeAt(leg.from, day + when!.daysLater, when!.minutes ?? 0);
  const at = times.departure ?? sameDay;
  const timeIs = times.departureIs;
  return statusEvent(code, {
    station: leg.from,
    at,
    timeIs,
    flight,
    ...leg,
    ...quantity,
    ...times,
    ...volume,
  });
};

/** Some tell of a booking as of a receipt: `BKD/16OCT1317/FRA/NAME`. */
function isReceipt({ all: [when, station, next] }: FieldCursor): boolean {
  if (when === undefined || station === undefined || !isAirport(station.capitals)) return false;
  if (next !== undefined && isAirport(next.capitals)) return false;
  return typeof dayAndTimeIn(when.capitals)?.minutes === "number";
}

/** Both airports in one field by the book; some put a slant between. */
function takeLeg(fields: FieldCursor): { readonly from: string; readonly to: string | null } | null {
  const field = peek(fields);
  if (field === null || !/^(?:[A-Z]{3}[- ]?)?[A-Z]{3}$/.test(field.capitals)) {
    return failAt(fields, field, "a leg such as FRAJFK");
  }
  advance(fields);
  const from = field.capitals.slice(0, 3);
  if (field.capitals.length > 3) return { from, to: field.capitals.slice(-3) };
  const second = peek(fields);
  if (second === null || !isAirport(second.capitals)) {
    reportAt(fields, second, "the airport that the flight goes to is missing here");
    return { from, to: null };
  }
  advance(fields);
  return { from, to: second.capitals };
}

function takeVolume(fields: FieldCursor): Partial<AirEvent> {
  const field = peek(fields);
  const volume = field === null ? null : volumeOrDensityIn(field.capitals);
  if (volume === null) return {};
  advance(fields);
  return { ...volume, ...takeVolume(fields) };
}
