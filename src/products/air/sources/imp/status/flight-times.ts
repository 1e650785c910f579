/** The times of a flight behind a quantity: `/S1030/S1345-N`, either of them blank. */
import type { AirEvent } from "../../../timeline/air-event.ts";
import { reportAt, advance, peekOrBlank, type FieldCursor } from "../field-cursor.ts";
import { dayChangeIn, flightTimeIn, type FlightTime } from "../day-and-time.ts";
import { quoted } from "../problem.ts";
import { timeAt } from "../station-time.ts";

export type FlightTimes = Pick<AirEvent, "departure" | "departureIs" | "arrival" | "arrivalIs">;

/** The places of the two times; null where they are not known. */
type Leg = { readonly from: string | null; readonly to: string | null };

/**
 * @param day - days since 1970, that the day changes count from.
 * @param lone - what a time is of that stands alone.
 */
export function takeFlightTimes(
  fields: FieldCursor,
  day: number | null,
  { from, to }: Leg,
  lone: "departure" | "arrival" = "departure",
): FlightTimes {
  const first = takeTime(fields);
  const second = takeTime(fields);
  const isArrival = lone === "arrival" && second === null;
  const departs = isArrival ? null : first;
  const arrives = isArrival ? first : second;
  const at = (place: string | null, time: FlightTime | null) =>
    time === null || day === null ? null : timeAt(place, day + time.daysLater, time.minutes);
  const departure = at(from, departs);
  const arrival = at(to, arrives);
  return {
    departure,
    departureIs: departure === null ? null : departs!.indicator,
    arrival,
    arrivalIs: arrival === null ? null : arrives!.indicator,
  };
}

/** A blank field is a time left out; anything but a time is left for what comes behind. */
function takeTime(fields: FieldCursor): FlightTime | null {
  const field = peekOrBlank(fields);
  if (field === null) return null;
  const time = flightTimeIn(field.capitals);
  const isMeant = /^[AES]?\d/.test(field.capitals);
  if (time === null && isMeant)
    reportAt(fields, field, `${quoted(field.capitals)} is no time such as S1030-N`);
  if (time !== null || isMeant || field.capitals === "") advance(fields);
  return time === null ? null : withDayChange(fields, time);
}

/** Some write the day change behind a slant: `/S2330/1`. */
function withDayChange(fields: FieldCursor, time: FlightTime): FlightTime {
  const field = peekOrBlank(fields);
  const change = field === null || !/^[\dPNST]$/.test(field.capitals) ? null : dayChangeIn(field.capitals);
  if (change === null) return time;
  advance(fields);
  return { ...time, daysLater: time.daysLater + change };
}
