/** Which ports of the table a place may be that a source writes with a code, a name or coordinates. */
import { allPorts, portOf, type Port } from "./ports.ts";

export type Point = Pick<Port, "latitude" | "longitude">;

export type WrittenPlace = {
  /** UN/LOCODE. */
  readonly unlocode: string | null;
  readonly name: string | null;
  readonly position?: Point;
};

/**
 * By code, else by name, else by coordinates. Many ports have several codes: all that are given lie in one country and
 * one zone. Empty: unknown, or one of several far apart.
 */
export function portsAt({ unlocode, name, position }: WrittenPlace): readonly Port[] {
  const port = unlocode === null ? null : portOf(unlocode);
  if (port !== null) return [port];
  const country = unlocode?.slice(0, 2) ?? null;
  const named = name === null ? [] : portsNamed(name, country);
  if (named.length > 0 && isOnePlace(named)) return named;
  const near = position === undefined ? null : nearestPort(position, country);
  return near === null ? [] : [near];
}

/** The place's IANA zone; of a code that the table lacks, that of its country if it has only one. */
export function zoneAt(place: WrittenPlace | null): string | null {
  if (place === null) return null;
  return portsAt(place)[0]?.timeZone ?? countryZones().get(place.unlocode?.slice(0, 2) ?? "") ?? null;
}

function isOnePlace(ports: readonly Port[]): boolean {
  return new Set(ports.map(({ country, timeZone }) => `${country} ${timeZone}`)).size === 1;
}

let zones: ReadonlyMap<string, string> | null = null;

function countryZones(): ReadonlyMap<string, string> {
  const byCountry = (): ReadonlyMap<string, readonly Port[]> =>
    Map.groupBy(allPorts(), ({ country }) => country);
  zones ??= new Map(
    [...byCountry()].flatMap(([country, ports]) =>
      isOnePlace(ports) ? [[country, ports[0]!.timeZone]] : [],
    ),
  );
  return zones;
}

/** `ROTTERDAM`, `Rotterdam, NL`, `Antwerp (Belgium)`: what stands behind must be a country. */
function portsNamed(written: string, country: string | null): readonly Port[] {
  const whole = portsIn(country, written);
  if (whole.length > 0) return whole;
  const parts = written.split(/[,()]/).filter((part) => plain(part) !== "");
  const stated = parts.length < 2 ? null : countryOf(parts.at(-1) ?? "");
  const contradicts = country !== null && country !== stated;
  return stated === null || contradicts ? [] : portsIn(stated, parts[0] ?? "");
}

function portsIn(country: string | null, name: string): readonly Port[] {
  const named = portsByName().get(plain(name)) ?? [];
  return country === null ? named : named.filter((port) => port.country === country);
}

let names: ReadonlyMap<string, readonly Port[]> | null = null;

function portsByName(): ReadonlyMap<string, readonly Port[]> {
  if (names !== null) return names;
  const byName = new Map<string, Port[]>();
  for (const port of allPorts()) {
    // `Helsingfors (Helsinki)`, `Mumbai (ex Bombay)`, `Hakata/Fukuoka`.
    const all = [port.name, ...port.name.split(/ \((?:ex )?|\)|\//)].map(plain);
    for (const name of new Set(all.filter((one) => one !== "")))
      byName.set(name, [...(byName.get(name) ?? []), port]);
  }
  names = byName;
  return names;
}

/** Letters and digits, without accents. */
function plain(name: string): string {
  return name
    .normalize("NFD")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "");
}

let countries: ReadonlyMap<string, string> | null = null;

/** ISO 3166-1, from its two letters or its English name. */
function countryOf(written: string): string | null {
  countries ??= readCountries();
  return countries.get(plain(written)) ?? null;
}

function readCountries(): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames("en", { type: "region" });
  const codes = new Set(allPorts().map(({ country }) => country));
  return new Map(
    [...codes].flatMap((code) => [code, plain(english.of(code) ?? code)].map((name) => [name, code])),
  );
}

/** A terminal lies no farther from the middle of its port or town. */
const NEAR_KM_MAX = 50;

function nearestPort(position: Point, country: string | null): Port | null {
  const near = allPorts()
    .filter((port) => country === null || port.country === country)
    .map((port) => ({ port, apartKm: distanceKm(port, position) }))
    .filter(({ apartKm }) => apartKm <= NEAR_KM_MAX);
  return near.toSorted((one, other) => one.apartKm - other.apartKm)[0]?.port ?? null;
}

const EARTH_RADIUS_KM = 6371;

/** Along the great circle. */
export function distanceKm(from: Point, to: Point): number {
  const height = haversine(to.latitude - from.latitude);
  const width = haversine(to.longitude - from.longitude);
  const share = height + Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * width;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(share));
}

function haversine(degrees: number): number {
  return Math.sin(radians(degrees) / 2) ** 2;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
