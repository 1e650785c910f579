/** Times as an airport's clock shows them, without a year, as moments. */
import { airportOf } from "../../places/airports.ts";
import type { AirTime } from "../air-event.ts";

const DAY_MS = 86_400_000;
const YEAR_MS_MAX = 366 * DAY_MS;
const MINUTE_MS = 60_000;

/**
 * The latest year in which the day is not further ahead of a moment than that: what is told of has mostly
 * happened. Null: a 29 February that no year near has.
 *
 * @returns days since 1970.
 */
export function dayNear(day: number, month: number, nearMs: number, aheadMsMax: number): number | null {
  const year = new Date(nearMs).getUTCFullYear();
  for (const candidate of [year + 1, year, year - 1]) {
    const ms = Date.UTC(candidate, month, day);
    const exists = new Date(ms).getUTCMonth() === month;
    const latestMs = nearMs + aheadMsMax;
    if (exists && ms <= latestMs && ms > latestMs - YEAR_MS_MAX) return ms / DAY_MS;
  }
  return null;
}

/** YYYY-MM-DD. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/**
 * A time at an airport. An hour that the clock passes twice is its first; one that it leaves out is as much
 * later as it leaves out. Where the airport is not known the time is taken as UTC.
 *
 * @param day - days since 1970; `minutes` may go past its end.
 */
export function timeAt(airport: string | null, day: number, minutes: number): AirTime {
  const localMs = day * DAY_MS + minutes * MINUTE_MS;
  const timeZone = airport === null ? null : zoneOf(airport);
  if (timeZone === null) return { ms: localMs, local: localOf(localMs), offsetMinutes: null, timeZone };
  const steady = steadyOffset(timeZone, Math.floor(localMs / DAY_MS));
  const offsetMs = steady ?? turningOffset(timeZone, localMs);
  const ms = localMs - offsetMs;
  const shownOffsetMs = steady ?? offsetAt(timeZone, ms);
  return { ms, local: localOf(ms + shownOffsetMs), offsetMinutes: shownOffsetMs / MINUTE_MS, timeZone };
}

function localOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** The offset before a change of the clock is the one that `compatible` of RFC 9557's Temporal takes. */
function turningOffset(timeZone: string, localMs: number): number {
  const local = Temporal.PlainDateTime.from(localOf(localMs));
  return localMs - local.toZonedDateTime(timeZone, { disambiguation: "compatible" }).epochMilliseconds;
}

/** There are 17,576 codes of three letters. */
const zones = new Map<string, string | null>();

function zoneOf(airport: string): string | null {
  let zone = zones.get(airport);
  if (zone === undefined) {
    zone = airportOf(airport)?.timeZone ?? null;
    zones.set(airport, zone);
  }
  return zone;
}

/** Offsets by zone and day; null where the clock is changed around the day. */
const offsets = new Map<string, Map<number, number | null>>();
const OFFSETS_MAX = 20_000;
let offsetsKept = 0;

function steadyOffset(timeZone: string, day: number): number | null {
  let days = offsets.get(timeZone);
  if (days === undefined) offsets.set(timeZone, (days = new Map()));
  let offset = days.get(day);
  if (offset === undefined) {
    const before = offsetAt(timeZone, (day - 1) * DAY_MS);
    offset = before === offsetAt(timeZone, (day + 2) * DAY_MS) ? before : null;
    if (offsetsKept >= OFFSETS_MAX) {
      offsets.clear();
      offsets.set(timeZone, (days = new Map()));
      offsetsKept = 0;
    }
    days.set(day, offset);
    offsetsKept += 1;
  }
  return offset;
}

function offsetAt(timeZone: string, ms: number): number {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6;
}
