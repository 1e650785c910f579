/** The airports of the simulated world, and what their clocks show. */
import { DAY_MS, MINUTE_MS } from "../world/durations.ts";

/** By IATA code, with their IANA zones. None of them has an hour that begins twice in spring. */
export const STATIONS = {
  FRA: "Europe/Berlin",
  AMS: "Europe/Amsterdam",
  LHR: "Europe/London",
  ARN: "Europe/Stockholm",
  JFK: "America/New_York",
  ORD: "America/Chicago",
  LAX: "America/Los_Angeles",
  HKG: "Asia/Hong_Kong",
  SIN: "Asia/Singapore",
  PVG: "Asia/Shanghai",
  NRT: "Asia/Tokyo",
  DEL: "Asia/Kolkata",
  DXB: "Asia/Dubai",
  DOH: "Asia/Qatar",
  NBO: "Africa/Nairobi",
  GRU: "America/Sao_Paulo",
} as const;

export type Station = keyof typeof STATIONS;

export const STATION_CODES = Object.keys(STATIONS) as readonly Station[];

/** Codes of cities, which waybills may name instead of the airport. Shanghai's is also its other airport's. */
export const CITIES: Readonly<Partial<Record<Station, string>>> = {
  LHR: "LON",
  ARN: "STO",
  JFK: "NYC",
  ORD: "CHI",
  PVG: "SHA",
  NRT: "TYO",
  GRU: "SAO",
};

/** Offsets by zone and hour; a world of some months has few that are asked for often. */
const offsetCache = new Map<string, number>();
const OFFSETS_CACHED_MAX = 50_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What the station's clock is ahead of UTC. */
export function offsetMinutesAt(station: Station, ms: number): number {
  const key = `${station}${Math.floor(ms / HOUR_MS)}`;
  let offset = offsetCache.get(key);
  if (offset === undefined) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(STATIONS[station]);
    offset = zoned.offsetNanoseconds / 60e9;
    if (offsetCache.size >= OFFSETS_CACHED_MAX) offsetCache.clear();
    offsetCache.set(key, offset);
  }
  return offset;
}

/** YYYY-MM-DDTHH:mm:ss as the station's clock shows it. */
export function localAt(station: Station, ms: number): string {
  return new Date(ms + offsetMinutesAt(station, ms) * MINUTE_MS).toISOString().slice(0, 19);
}

/** The midnight with which the station's day begins. */
export function midnightOf(station: Station, ms: number): number {
  const utcMs = Date.parse(`${localAt(station, ms).slice(0, 10)}T00:00:00Z`);
  const nearMs = utcMs - offsetMinutesAt(station, ms) * MINUTE_MS;
  return utcMs - offsetMinutesAt(station, nearMs) * MINUTE_MS;
}

/** The moment that many minutes after a midnight of the station, its day being the one that `ms` is in there. */
export function onDayOf(station: Station, ms: number, minutes: number): number {
  const offsetMs = offsetMinutesAt(station, ms) * MINUTE_MS;
  const midnightMs = Math.floor((ms + offsetMs) / DAY_MS) * DAY_MS - offsetMs;
  return midnightMs + minutes * MINUTE_MS;
}
