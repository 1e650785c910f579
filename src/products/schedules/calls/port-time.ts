/** The calendar and the wall clock of a port, at a time that a feed named. */
import { companionTimes, localTimeAt, type CompanionTimes } from "../../../freight/places/local-time.ts";
import { dayIn, zoneOf } from "../../../freight/places/port-zone.ts";
import type { CallTime } from "./call-statement.ts";

/** The day there, `YYYY-MM-DD`: by the port's zone, else by the offset that the feed named, else in UTC. */
export function dayAt(port: string, { ms, offsetMinutes }: CallTime): string {
  const zone = zoneOf(port);
  return zone === null ? localTimeAt(ms, null, offsetMinutes).local.slice(0, 10) : dayIn(zone, ms);
}

/** When what an event tells of happens (spec 2.3): by the port's zone where it is known, else as the feed named it. */
export function companionTimesAt(port: string, at: CallTime | null): Partial<CompanionTimes> {
  return at === null ? {} : companionTimes(localTimeAt(at.ms, zoneOf(port), at.offsetMinutes));
}
