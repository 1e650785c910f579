import {
  companionTimes,
  type CompanionTimes,
  type EventTime,
  offsetMinutesIn,
} from "../../../freight/places/local-time.ts";
import { zoneOf } from "../../../freight/places/ports.ts";
import type { Place } from "../sources/carrier-event.ts";

/**
 * When and where something happened (spec 2.3: event_date_time, event_local_datetime, utc_offset_minutes,
 * event_timezone). A time in plain UTC reports no zone. An offset that is not the port's contradicts its zone.
 */
export function companionTimesAt(at: EventTime, place: Place | null): CompanionTimes {
  const zone = at.offsetMinutes === null ? null : zoneOf(place?.unlocode ?? null);
  const agrees = zone !== null && offsetMinutesIn(zone, at.ms) === at.offsetMinutes;
  return companionTimes({ ...at, timeZone: agrees ? zone : null });
}
