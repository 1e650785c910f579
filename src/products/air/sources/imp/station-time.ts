/** Local times of an airport, without a year → instants. */
import type { LocalTime } from "../../../../freight/places/local-time.ts";
import { stationZone } from "../../../../freight/places/stations.ts";
import { DAY_MS, MINUTE_MS } from "../../../../runtime/durations.ts";

const YEAR_MS_MAX = 366 * DAY_MS;
const DAY_MINUTES = 1_440;

/**
 * The day in the latest year in which it is at most `aheadMsMax` after `nearMs`, since most events have happened.
 *
 * @param month - from 0.
 * @returns days since 1970; null if the day does not exist near that time.
 */
export function dayNear(day: number, month: number, nearMs: number, aheadMsMax: number): number | null {
  const latestMs = nearMs + aheadMsMax;
  const year = new Date(latestMs).getUTCFullYear();
  for (const candidate of [year, year - 1]) {
    if (day > daysIn(candidate, month)) continue;
    const ms = Date.UTC(candidate, month, day);
    if (ms <= latestMs && ms > latestMs - YEAR_MS_MAX) return ms / DAY_MS;
  }
  return null;
}

/** An event that has happened is not far ahead, even if clocks differ. */
const PAST_AHEAD_MS_MAX = 7 * DAY_MS;

/** The day of an event that has happened, in days since 1970. */
export function pastDay(
  { day, month }: { readonly day: number; readonly month: number },
  receivedMs: number,
) {
  return dayNear(day, month, receivedMs, PAST_AHEAD_MS_MAX);
}

function daysIn(year: number, month: number): number {
  if (month !== 1) return [3, 5, 8, 10].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/**
 * A local time at an airport or in a city, UTC if the code is unknown. Of an hour that the clock repeats, the first counts; a
 * time that it skips moves forward by the gap.
 *
 * @param day - days since 1970; `minutes` may exceed one day.
 */
export function timeAt(airport: string | null, day: number, minutes: number): LocalTime {
  const localMs = day * DAY_MS + minutes * MINUTE_MS;
  const timeZone = airport === null ? null : zoneOf(airport);
  if (timeZone === null) return { ms: localMs, local: localOf(localMs), offsetMinutes: null, timeZone };
  const period = offsetPeriodAt(timeZone, localMs);
  if (localMs >= period.fromMs + TRANSITION_MARGIN_MS && localMs < period.toMs - TRANSITION_MARGIN_MS) {
    const { offsetMs } = period;
    return { ms: localMs - offsetMs, local: localOf(localMs), offsetMinutes: offsetMs / MINUTE_MS, timeZone };
  }
  const zoned = Temporal.PlainDateTime.from(localOf(localMs)).toZonedDateTime(timeZone, {
    disambiguation: "compatible",
  });
  const ms = zoned.epochMilliseconds;
  const offsetMs = offsetOf(zoned);
  return { ms, local: localOf(ms + offsetMs), offsetMinutes: offsetMs / MINUTE_MS, timeZone };
}

/** YYYY-MM-DD. */
export function dateOf(day: number): string {
  let date = dates.get(day);
  if (date === undefined) {
    if (dates.size >= DATES_MAX) dates.clear();
    date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    dates.set(day, date);
  }
  return date;
}

/** Messages need those of a year or so. */
const DATES_MAX = 2_000;
const dates = new Map<number, string>();

/** YYYY-MM-DDTHH:mm:ss; airports' clocks differ from UTC by whole minutes. */
function localOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const minutes = (ms - day * DAY_MS) / MINUTE_MS;
  return `${dateOf(day)}T${TIMES[minutes]}`;
}

const twoDigits = (number: number): string => String(number).padStart(2, "0");

const TIMES: readonly string[] = Array.from(
  { length: DAY_MINUTES },
  (_, minutes) => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:00`,
);

/** There are 17,576 codes of three letters. */
const zones = new Map<string, string | null>();

function zoneOf(airport: string): string | null {
  let zone = zones.get(airport);
  if (zone === undefined) {
    zone = stationZone(airport);
    zones.set(airport, zone);
  }
  return zone;
}

/** Between two changes of a zone's offset. */
type OffsetPeriod = { readonly fromMs: number; readonly toMs: number; readonly offsetMs: number };

/** This near a change, a local time taken as UTC may be on its other side. */
const TRANSITION_MARGIN_MS = DAY_MS;

/** The periods last used; there are some 400 zones. */
const offsetPeriods = new Map<string, OffsetPeriod[]>();
const OFFSET_PERIODS_MAX = 4;

/** As if the local time were UTC. */
function offsetPeriodAt(timeZone: string, localMs: number): OffsetPeriod {
  let periods = offsetPeriods.get(timeZone);
  if (periods === undefined) offsetPeriods.set(timeZone, (periods = []));
  for (const period of periods) if (localMs >= period.fromMs && localMs < period.toMs) return period;
  if (periods.length >= OFFSET_PERIODS_MAX) periods.shift();
  const period = offsetPeriodOf(timeZone, localMs);
  periods.push(period);
  return period;
}

function offsetPeriodOf(timeZone: string, ms: number): OffsetPeriod {
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  // A change at this very instant counts as the previous one.
  const previous = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  const fromMs = previous?.epochMilliseconds ?? -Infinity;
  const toMs = zoned.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity;
  return { fromMs, toMs, offsetMs: offsetOf(zoned) };
}

function offsetOf(zoned: Temporal.ZonedDateTime): number {
  return zoned.offsetNanoseconds / 1e6;
}
