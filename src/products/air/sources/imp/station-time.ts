/** Times as an airport's clock shows them, without a year, as moments. */
import type { LocalTime } from "../../../../freight/places/local-time.ts";
import { airportOf } from "../../../../freight/places/airports.ts";
import { DAY_MS, MINUTE_MS } from "../../../../runtime/durations.ts";

const YEAR_MS_MAX = 366 * DAY_MS;
const DAY_MINUTES = 1_440;

/**
 * The day in the latest year in which it is not further ahead of a moment than that: what is told of has mostly
 * happened. Null: no month has it, or it is a 29 February and no year near has one.
 *
 * @param month - from 0.
 * @returns days since 1970.
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

/** What has happened is not far ahead even where clocks and days differ. */
const PAST_AHEAD_MS_MAX = 7 * DAY_MS;

/** A day on which something is told to have happened, in days since 1970. */
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
 * A time at an airport. An hour that the clock passes twice is its first; one that it leaves out is as much
 * later as it leaves out. Where the airport is not known the time is taken as UTC.
 *
 * @param day - days since 1970; `minutes` may go past its end.
 */
export function timeAt(airport: string | null, day: number, minutes: number): LocalTime {
  const localMs = day * DAY_MS + minutes * MINUTE_MS;
  const timeZone = airport === null ? null : zoneOf(airport);
  if (timeZone === null) return { ms: localMs, local: localOf(localMs), offsetMinutes: null, timeZone };
  const spell = offsetPeriodAt(timeZone, localMs);
  if (localMs >= spell.fromMs + TRANSITION_MARGIN_MS && localMs < spell.toMs - TRANSITION_MARGIN_MS) {
    const { offsetMs } = spell;
    return { ms: localMs - offsetMs, local: localOf(localMs), offsetMinutes: offsetMs / MINUTE_MS, timeZone };
  }
  const shown = Temporal.PlainDateTime.from(localOf(localMs)).toZonedDateTime(timeZone, {
    disambiguation: "compatible",
  });
  const ms = shown.epochMilliseconds;
  const offsetMs = offsetOf(shown);
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

/** Those of messages are within a year or so. */
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
    zone = airportOf(airport)?.timeZone ?? null;
    zones.set(airport, zone);
  }
  return zone;
}

/** From one change of a zone's clock to the next. */
type OffsetPeriod = { readonly fromMs: number; readonly toMs: number; readonly offsetMs: number };

/** So near a change, a local time taken for UTC may be on its other side. */
const TRANSITION_MARGIN_MS = DAY_MS;

/** The last ones asked for; there are some 400 zones. */
const offsetPeriods = new Map<string, OffsetPeriod[]>();
const OFFSET_PERIODS_MAX = 4;

/** As if the local time were UTC. */
function offsetPeriodAt(timeZone: string, localMs: number): OffsetPeriod {
  let known = offsetPeriods.get(timeZone);
  if (known === undefined) offsetPeriods.set(timeZone, (known = []));
  for (const spell of known) if (localMs >= spell.fromMs && localMs < spell.toMs) return spell;
  if (known.length >= OFFSET_PERIODS_MAX) known.shift();
  const spell = offsetPeriodOf(timeZone, localMs);
  known.push(spell);
  return spell;
}

function offsetPeriodOf(timeZone: string, ms: number): OffsetPeriod {
  const shown = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  // A change at the very moment is the next one to what comes before it.
  const previous = shown.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  const fromMs = previous?.epochMilliseconds ?? -Infinity;
  const toMs = shown.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity;
  return { fromMs, toMs, offsetMs: offsetOf(shown) };
}

function offsetOf(shown: Temporal.ZonedDateTime): number {
  return shown.offsetNanoseconds / 1e6;
}
