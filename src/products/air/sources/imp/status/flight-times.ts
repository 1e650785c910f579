/** The flight times after a quantity: `/S1030/S1345-N`; either may be blank. */
import type { AirEvent } from "../../../timeline/air-event.ts";
import { reportAt, advance, peekOrBlank, type FieldCursor } from "../field-cursor.ts";
import { dayChangeIn, flightTimeIn, type FlightTime } from "../day-and-time.ts";
import { quoted } from "../problem.ts";
import { timeAt } from "../station-time.ts";

export type FlightTimes = Pick<AirEvent, "departure" | "departureIs" | "arrival" | "arrivalIs">;

type Leg = { readonly from: string | null; readonly to: string | null };

/**
 * @param day - days since 1970, from which day changes count.
 * @param isOfArrival - whether a lone time is the arrival's.
 */
export function takeFlightTimes(
  cursor: FieldCursor,
  day: number | null,
  { from, to }: Leg,
  isOfArrival: (time: FlightTime) => boolean = () => false,
): FlightTimes {
  const first = takeTime(cursor);
  const second = takeTime(cursor);
  const isArrival = first !== null && second === null && isOfArrival(first);
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

/** A blank field is an omitted time; anything but a time stays for the next reader. */
function takeTime(cursor: FieldCursor): FlightTime | null {
  const field = peekOrBlank(cursor);
  if (field === null) return null;
  const time = flightTimeIn(field.capitals);
  const looksLikeTime = /^[AES]?\d/.test(field.capitals);
  if (time === null && looksLikeTime)
    reportAt(cursor, field, `${quoted(field.capitals)} is no time such as S1030-N`);
  if (time !== null || looksLikeTime || field.capitals === "") advance(cursor);
  return time === null ? null : withDayChange(cursor, time);
}

/** Some airlines write the day change after a slant: `/S2330/1`. */
function withDayChange(cursor: FieldCursor, time: FlightTime): FlightTime {
  const field = peekOrBlank(cursor);
  const change = field === null || !/^[\dPNST]$/.test(field.capitals) ? null : dayChangeIn(field.capitals);
  if (change === null) return time;
  advance(cursor);
  return { ...time, daysLater: time.daysLater + change };
}
