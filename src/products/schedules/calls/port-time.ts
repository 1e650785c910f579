/** The calendar and the wall clock of a port, at a time that a feed named. */
import { dayIn, offsetMinutesIn, zoneOf } from "../../../freight/places/port-zone.ts";
import type { CallTime } from "./call-statement.ts";
import { MINUTE_MS } from "../../../runtime/durations.ts";

/** The day there, `YYYY-MM-DD`: by the port's zone, else by the offset that the feed named, else in UTC. */
export function dayAt(port: string, { ms, offsetMinutes }: CallTime): string {
  const zone = zoneOf(port);
  return zone === null ? utcIso(ms + (offsetMinutes ?? 0) * MINUTE_MS).slice(0, 10) : dayIn(zone, ms);
}

export type CompanionTimes = {
  readonly event_date_time?: string;
  readonly event_local_datetime?: string;
  readonly utc_offset_minutes?: number;
  readonly event_timezone?: string;
};

/** When what an event tells of happens (spec 2.3): by the port's zone where it is known, else as the feed named it. */
export function companionTimes(port: string, at: CallTime | null): CompanionTimes {
  if (at === null) return {};
  const zone = zoneOf(port);
  const offset = zone === null ? at.offsetMinutes : offsetMinutesIn(zone, at.ms);
  const local = utcIso(at.ms + (offset ?? 0) * MINUTE_MS).slice(0, "YYYY-MM-DDThh:mm:ss".length);
  return {
    event_date_time: utcIso(at.ms),
    event_local_datetime: local,
    ...(offset === null ? {} : { utc_offset_minutes: offset }),
    ...(zone === null ? {} : { event_timezone: zone }),
  };
}

/** An instant as deliveries carry it. */
export function utcIso(ms: number): string {
  return new Date(ms).toISOString();
}
