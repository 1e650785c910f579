/** A port's calendar and wall clock at a time that a feed gave. */
import {
  companionTimes,
  localTimeAt,
  type CompanionTimes,
  dayIn,
} from "../../../freight/places/local-time.ts";
import { zoneOf } from "../../../freight/places/ports.ts";
import type { CallTime } from "./call-statement.ts";

/** The day there, `YYYY-MM-DD`: by the port's zone, else by the feed's offset, else in UTC. */
export function dayAt(port: string, { ms, offsetMinutes }: CallTime): string {
  const zone = zoneOf(port);
  return zone === null ? localTimeAt(ms, null, offsetMinutes).local.slice(0, 10) : dayIn(zone, ms);
}

/** The companion times of an event (spec 2.3): by the port's zone, else by the feed's offset. */
export function companionTimesAt(port: string, at: CallTime | null): Partial<CompanionTimes> {
  return at === null ? {} : companionTimes(localTimeAt(at.ms, zoneOf(port), at.offsetMinutes));
}
