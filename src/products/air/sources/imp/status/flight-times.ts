/** The flight times after a quantity: `/S1030/S1345-N`; either may be blank. */
import type { LocalTime } from "../../../../../freight/places/local-time.ts";
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
 * @param isDayOfArrival - whether the day is, of a flight whose times leave the day change out.
 */
export function takeFlightTimes(
  cursor: FieldCursor,
  day: number | null,
  { from, to }: Leg,
  isOfArrival: (time: FlightTime) => boolean = () => false,
  isDayOfArrival = false,
): FlightTimes {
  const first = takeTime(cursor);
  const second = takeTime(cursor);
  const isArrival = first !== null && second === null && isOfArrival(first);
  const departs = isArrival ? null : first;
  const arrives = isArrival ? first : second;
  const at = (place: string | null, time: FlightTime | null) =>
    time === null || day === null ? null : timeAt(place, day + time.daysLater, time.minutes);
  const [leaves, lands] = [at(from, departs), at(to, arrives)];
  const isDayBetween = isBefore(lands, leaves) && departs!.daysLater === 0 && arrives!.daysLater === 0;
  const departure = isDayBetween && isDayOfArrival ? at(from, { ...departs!, daysLater: -1 }) : leaves;
  const arrival = isDayBetween && !isDayOfArrival ? at(to, { ...arrives!, daysLater: 1 }) : lands;
  return {
    departure,
    departureIs: departure === null ? null : departs!.indicator,
    arrival,
    arrivalIs: arrival === null ? null : arrives!.indicator,
  };
}

/** By the zones of both: across the date line a flight lands before it left, as the clocks have it. */
function isBefore(lands: LocalTime | null, leaves: LocalTime | null): boolean {
  if (lands === null || leaves === null || lands.timeZone === null || leaves.timeZone === null) return false;
  return lands.ms < leaves.ms;
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
