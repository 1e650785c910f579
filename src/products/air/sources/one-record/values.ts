/** Values of ONE Record in our own terms: stations, weights and times. */
import { localTimeAt, type LocalTime } from "../../../../freight/places/local-time.ts";
import { stationZone } from "../../../../freight/places/stations.ts";
import { KILOGRAMS_OF } from "../quantities.ts";
import { codesOf, nodesOf, numberOf, plainName, type LinkedDocument, type LinkedNode } from "./json-ld.ts";

/** The IATA code of an airport or a city: from its `locationCodes`, beside a UN/LOCODE, its `code`, or its IRI's end. */
export function stationOf(
  document: LinkedDocument,
  node: LinkedNode,
  ...names: readonly string[]
): string | null {
  const locations = nodesOf(document, node, ...names);
  const codes = locations.flatMap((location) =>
    codesOf(document, location, "locationCodes", "code", "iataCode", "locationCode"),
  );
  const linked = locations.map(({ id }) => (id === null ? "" : plainName(id)));
  const written = locations.length > 0 ? [] : codesOf(document, node, ...names);
  return (
    [...codes, ...written].find((code) => /^[A-Z]{3}$/.test(code)) ??
    linked.find((code) => stationZone(code) !== null) ??
    null
  );
}

/** Kilograms, the default unit; null without a weight in a known unit. */
export function readWeightKg(
  document: LinkedDocument,
  node: LinkedNode,
  ...names: readonly string[]
): number | null {
  const [value] = nodesOf(document, node, ...names);
  if (value === undefined) return null;
  const amount = numberOf(value, "numericalValue", "value");
  const unit = codesOf(document, value, "unit")[0] ?? "KGM";
  if (amount === null || amount < 0 || !Object.hasOwn(KILOGRAMS_OF, unit)) return null;
  return Math.round(amount * KILOGRAMS_OF[unit]! * 1_000) / 1_000;
}

const DATE_TIME =
  /^(\d{4}[-/]\d{2}[-/]\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** A time outside these years is a typing error. */
const YEAR_MIN = 1990;
const YEAR_MAX = 2100;

/**
 * An xsd:dateTime, or the midnight that begins an xsd:date. Without an offset, it is local to the station, or UTC if the station is unknown.
 *
 * @param station - IATA airport code.
 * @returns null if the text is no date-time.
 */
export function readDateTime(text: string, station: string | null): LocalTime | null {
  const match = DATE_TIME.exec(text.trim());
  if (match === null) return null;
  const [, date = "", minutes = "00:00", seconds = "00", fraction = "0", offset] = match;
  const timeZone = station === null ? null : stationZone(station);
  try {
    const local = Temporal.PlainDateTime.from(
      `${date.replaceAll("/", "-")}T${minutes}:${seconds}.${fraction}`,
      {
        overflow: "reject",
      },
    );
    if (local.year < YEAR_MIN || local.year > YEAR_MAX) return null;
    const at = local.toZonedDateTime(zoneOf(offset) ?? timeZone ?? "UTC");
    // `Z` gives no local time of an unknown station.
    const isLocal = offset !== undefined && offset.toUpperCase() !== "Z";
    return localTimeAt(at.epochMilliseconds, timeZone, isLocal ? at.offsetNanoseconds / 60e9 : null);
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
