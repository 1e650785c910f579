/** xsd:dateTime → an instant with the station's local time. */
import type { LocalTime } from "../../../../freight/places/local-time.ts";
import { airportOf } from "../../../../freight/places/airports.ts";

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/** A time outside these years is a typing error. */
const YEAR_MIN = 1990;
const YEAR_MAX = 2100;

/**
 * Without an offset, the date-time is local to the station, or UTC if the station is unknown.
 *
 * @param station - IATA airport code.
 * @returns null if the text is no date-time.
 */
export function readDateTime(text: string, station: string | null): LocalTime | null {
  const match = DATE_TIME.exec(text.trim());
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
    // A day or an offset that does not exist.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A fixed offset in the form that Temporal reads. */
function zoneOf(offset: string | undefined): string | null {
  if (offset === undefined) return null;
  if (offset.toUpperCase() === "Z") return "UTC";
  return offset.length === 3 ? `${offset}:00` : offset;
}

function atStation(at: Temporal.ZonedDateTime, timeZone: string): LocalTime {
  return { ms: at.epochMilliseconds, local: localOf(at), offsetMinutes: offsetOf(at), timeZone };
}

/** `Z` gives no local time of the station. */
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
