/** The times of a flight behind a quantity: `/S1030/S1345-N`, either of them blank. */
import type { AirEvent } from "../../../timeline/air-event.ts";
import { complain, taken, upcomingOrBlank, type Fields } from "../fields.ts";
import { dayChangeIn, flightTimeIn, type FlightTime } from "../moments.ts";
import { quoted } from "../problem.ts";
import { timeAt } from "../station-clock.ts";

export type FlightTimes = Pick<AirEvent, "departure" | "departureIs" | "arrival" | "arrivalIs">;

/** The places of the two times; null where they are not known. */
type Leg = { readonly from: string | null; readonly to: string | null };

/**
 * @param day - days since 1970, that the day changes count from.
 * @param lone - what a time is of that stands alone.
 */
export function takeFlightTimes(
  fields: Fields,
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
    departureIs: departure === null ? null : departs!.is,
    arrival,
    arrivalIs: arrival === null ? null : arrives!.is,
  };
}

/** A blank field is a time left out; anything but a time is left for what comes behind. */
function takeTime(fields: Fields): FlightTime | null {
  const field = upcomingOrBlank(fields);
  if (field === null) return null;
  const time = flightTimeIn(field.capitals);
  const isMeant = /^[AES]?\d/.test(field.capitals);
  if (time === null && isMeant)
    complain(fields, field, `${quoted(field.capitals)} is no time such as S1030-N`);
  if (time !== null || isMeant || field.capitals === "") taken(fields);
  return time === null ? null : withDayChange(fields, time);
}

/** Some write the day change behind a slant: `/S2330/1`. */
function withDayChange(fields: Fields, time: FlightTime): FlightTime {
  const field = upcomingOrBlank(fields);
  const change = field === null || !/^[\dPNST]$/.test(field.capitals) ? null : dayChangeIn(field.capitals);
  if (change === null) return time;
  taken(fields);
  return { ...time, daysLater: time.daysLater + change };
}
