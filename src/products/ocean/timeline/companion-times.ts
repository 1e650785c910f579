import {
  companionTimes,
  type CompanionTimes,
  type EventTime,
  localTimeAt,
} from "../../../freight/places/local-time.ts";
import { zoneAt } from "../../../freight/places/known-ports.ts";
import type { Place } from "../sources/carrier-event.ts";

/**
 * When and where something happened (spec 2.3: event_date_time, event_local_datetime, utc_offset_minutes,
 * event_timezone). Of a time in plain UTC, the place reports the zone. An offset that is not the port's contradicts it.
 */
export function companionTimesAt(at: EventTime, place: Place | null): CompanionTimes {
  const zone = zoneAt(place);
  const there = localTimeAt(at.ms, zone, null);
  const agrees = at.offsetMinutes === null || there.offsetMinutes === at.offsetMinutes;
  return companionTimes(zone !== null && agrees ? there : { ...at, timeZone: null });
}
