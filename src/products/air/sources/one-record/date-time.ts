/** xsd:dateTime → a moment and the station's clock. */
import type { LocalTime } from "../../../../freight/places/local-time.ts";
import { airportOf } from "../../../../freight/places/airports.ts";

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/** An event outside these years is a slip of whoever wrote it. */
const YEAR_MIN = 1990;
const YEAR_MAX = 2100;

/**
 * A date-time without an offset is the station's own, and UTC where the station is not known.
 *
 * @param station - IATA airport code.
 * @returns null for what is no date-time.
 */
export function readDateTime(written: string, station: string | null): LocalTime | null {
  const match = DATE_TIME.exec(written.trim());
  if (match === null) return null;
  const [, date = "", minutes = "", seconds = "00", fraction = "0", offset] = match;
  const timeZone = station === null ? null : (airportOf(station)?.timeZone ?? null);
  try {
    const local = Temporal.PlainDateTime.from(`${date}T${minutes}:${seconds}.${fraction}`, {
      overflow: "reject",
    });
    if (local.year < YEAR_MIN || local.year > YEAR_MAX) return null;
    const at = local.toZonedDateTime(zoneOf(offset) ?? timeZone ?? "UTC");
    return timeZone === null ? atUnknownStation(at, offset) : atStation(at.withTimeZone(timeZone), timeZone);
  } catch (error) {
    // A day that no month has, or an offset that no clock has.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A fixed offset as Temporal names one. */
function zoneOf(offset: string | undefined): string | null {
  if (offset === undefined) return null;
  if (offset.toUpperCase() === "Z") return "UTC";
  return offset.length === 3 ? `${offset}:00` : offset;
}

function atStation(at: Temporal.ZonedDateTime, timeZone: string): LocalTime {
  return { ms: at.epochMilliseconds, local: localOf(at), offsetMinutes: offsetOf(at), timeZone };
}

/** `Z` says nothing of the station's clock. */
function atUnknownStation(at: Temporal.ZonedDateTime, offset: string | undefined): LocalTime {
  const offsetMinutes = offset === undefined || offset.toUpperCase() === "Z" ? null : offsetOf(at);
  return { ms: at.epochMilliseconds, local: localOf(at), offsetMinutes, timeZone: null };
}

function offsetOf(at: Temporal.ZonedDateTime): number {
  return at.offsetNanoseconds / 60e9;
}

function localOf(at: Temporal.ZonedDateTime): string {
  return at.toPlainDateTime().toString({ smallestUnit: "second" });
}
