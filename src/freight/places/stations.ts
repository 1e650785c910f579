/**
 * Stations of air cargo, by IATA's three letters: airports, and cities, which waybills are routed to and some
 * airlines report from. Cities and their airports: cities.csv.
 */
import { readFileSync } from "node:fs";

import { airportOf } from "./airports.ts";

/**
 * Whether a station is at a place that a waybill names. A city's airports are at the city, and a code that is only a
 * city's is at each of its airports: LHR at LON, LON at LHR, PVG at SHA. SHA is also an airport, and so not at PVG.
 */
export function isSameStation(station: string | null, place: string | null): boolean {
  if (station === null || place === null) return false;
  if (station === place || airportsOfCity(place).includes(station)) return true;
  const airports = airportsOfCity(station);
  return airports.includes(place) && !airports.includes(station);
}

/** An airport's IANA zone, or a city's; null where the code is neither. */
export function stationZone(code: string): string | null {
  const airport = airportsOfCity(code)[0] ?? code;
  return airportOf(airport)?.timeZone ?? null;
}

/** Empty where the code is no city's, or is also its only airport's. */
export function airportsOfCity(code: string): readonly string[] {
  cities ??= readCities(readFileSync(new URL("./cities.csv", import.meta.url), "utf8"));
  return cities.get(code) ?? [];
}

let cities: ReadonlyMap<string, readonly string[]> | null = null;

function readCities(text: string): ReadonlyMap<string, readonly string[]> {
  const rows = text.trimEnd().split("\n").slice(1);
  return new Map(rows.map(readCity));
}

function readCity(row: string): [string, readonly string[]] {
  const [city, name, airports, ...more] = row.split(",");
  if (city === undefined || name === undefined || airports === undefined || more.length > 0) {
    throw new Error(`cities.csv has a row that is none: ${row}`);
  }
  return [city, airports.split(" ")];
}
