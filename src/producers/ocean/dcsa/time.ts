import type { EventTime } from "../carrier-event.ts";

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d{2}:?\d{2})$/;

/** What is said to be outside these years is a slip of the carrier's: containers are no older. */
const YEAR_MIN = 1970;
const YEAR_MAX = 2100;

/** Whether a date, `YYYY-MM-DD` and whatever follows, is in a year that a carrier can mean. */
export function isInReach(date: string): boolean {
  const year = Number(date.slice(0, 4));
  return year >= YEAR_MIN && year <= YEAR_MAX;
}

/**
 * RFC 3339, as carriers write it. Null for anything else, a time without an offset among it: it
 * names no instant. `Z` is UTC and says nothing about the place's clock, so it gives no offset.
 */
export function readDateTime(written: string): EventTime | null {
  const match = DATE_TIME.exec(written.trim());
  if (match === null) return null;
  const [, date = "", minutes = "", seconds = "00", fraction = "", zone = ""] = match;
  const local = `${date}T${minutes}:${seconds}`;
  const asUtc = Date.parse(`${local}Z`);
  // Date.parse takes 30 February for 2 March.
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 19) !== local) return null;
  if (!isInReach(date)) return null;
  const offsetMinutes = zone.toUpperCase() === "Z" ? null : offset(zone);
  if (offsetMinutes !== null && Math.abs(offsetMinutes) > OFFSET_MINUTES_MAX) return null;
  const millis = fraction === "" ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
  return { ms: asUtc + millis - (offsetMinutes ?? 0) * 60_000, offsetMinutes, local };
}

/** The farthest wall clock from UTC is Kiribati's, at +14:00. */
const OFFSET_MINUTES_MAX = 14 * 60;

function offset(zone: string): number {
  const digits = zone.replaceAll(/[^0-9]/g, "");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4));
  return zone.startsWith("-") ? -minutes : minutes;
}
