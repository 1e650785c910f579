import type { EventTime } from "../places/local-time.ts";
import { MINUTE_MS } from "../../runtime/durations.ts";

/** What is said to be outside these years is a slip of the carrier's: containers are no older. */
const YEAR_MIN = 1970;
const YEAR_MAX = 2100;

/** Whether a date, `YYYY-MM-DD` and whatever follows, is in a year that a carrier can mean. */
export function isPlausibleYear(date: string): boolean {
  const year = Number(date.slice(0, 4));
  return year >= YEAR_MIN && year <= YEAR_MAX;
}

/**
 * RFC 3339, as carriers write it. Null for anything else, a time without an offset among it: it
 * names no instant ({@link readWallClock}). `Z` is UTC and says nothing about the place's clock, so it gives no offset.
 */
export function readDateTime(written: string): EventTime | null {
  // Nearly all are written in one of two forms, and a pattern takes several times as long.
  const utcMs = utcOf(written);
  if (written.length === UTC_LENGTH && written[LOCAL_LENGTH] === "Z" && !Number.isNaN(utcMs)) {
    return { ms: utcMs, offsetMinutes: null, local: written.slice(0, LOCAL_LENGTH) };
  }
  const offset = written.length === OFFSET_LENGTH ? offsetOf(written) : Number.NaN;
  if (Number.isNaN(offset) || Number.isNaN(utcMs)) return readUnusual(written);
  return { ms: utcMs - offset * MINUTE_MS, offsetMinutes: offset, local: written.slice(0, LOCAL_LENGTH) };
}

const LOCAL_LENGTH = "2026-01-02T18:13:00".length;
const UTC_LENGTH = LOCAL_LENGTH + "Z".length;
const OFFSET_LENGTH = LOCAL_LENGTH + "+01:00".length;

/** The farthest wall clock from UTC is Kiribati's, at +14:00. */
const OFFSET_MINUTES_MAX = 14 * 60;

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(?:([Zz])|([+-]\d{2}):?(\d{2}))$/;

function readUnusual(written: string): EventTime | null {
  const match = DATE_TIME.exec(written.trim());
  if (match === null) return null;
  const [, date, minutes, seconds = "00", fraction = "0", zulu, hours, rest] = match;
  const local = `${date}T${minutes}:${seconds}`;
  const ms = utcOf(local) + Math.floor(Number(`0.${fraction}`) * 1000);
  if (Number.isNaN(ms)) return null;
  if (zulu !== undefined) return { ms, offsetMinutes: null, local };
  const offset = offsetOf(`${local}${hours}:${rest}`);
  return Number.isNaN(offset) ? null : { ms: ms - offset * MINUTE_MS, offsetMinutes: offset, local };
}

/**
 * A time without an offset, by the clocks of an IANA zone; null for anything else. Of an hour that clocks
 * show twice the earlier one is meant, and one that they leave out is an hour later by them.
 */
export function readWallClock(written: string, zone: string): EventTime | null {
  const wall = readDateTime(`${written.trim()}Z`);
  if (wall === null) return null;
  const there = Temporal.PlainDateTime.from(wall.local).toZonedDateTime(zone);
  return {
    ms: there.epochMilliseconds,
    offsetMinutes: Math.round(there.offsetNanoseconds / 60e9),
    local: there.toPlainDateTime().toString({ smallestUnit: "second" }),
  };
}

/** The instant at which a clock in UTC shows the `2026-01-02T18:13:00` that a text begins with; NaN: it shows no such. */
function utcOf(text: string): number {
  if (text[4] !== "-" || text[7] !== "-" || text[10] !== "T" || text[13] !== ":" || text[16] !== ":")
    return Number.NaN;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const isDay =
    year >= YEAR_MIN &&
    year <= YEAR_MAX &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month);
  if (!isDay || !(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The minutes of the `+01:00` after such a beginning; NaN: there is none, or no clock is so far from UTC. */
function offsetOf(text: string): number {
  const sign = text[LOCAL_LENGTH];
  if ((sign !== "+" && sign !== "-") || text[LOCAL_LENGTH + 3] !== ":") return Number.NaN;
  const minutes = twoDigits(text, LOCAL_LENGTH + 1) * 60 + twoDigits(text, LOCAL_LENGTH + 4);
  if (!(minutes <= OFFSET_MINUTES_MAX)) return Number.NaN;
  return sign === "-" ? -minutes : minutes;
}

/** NaN: there are no two digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

const ZERO = "0".charCodeAt(0);

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
