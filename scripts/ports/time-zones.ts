/** Which IANA zone a place is in: by its point, and only one that its country has. */
import tzLookup from "@photostructure/tz-lookup";

import type { Point } from "./place-sources.ts";

/** Names that CLDR keeps for zones that have had others for years. */
const TODAYS_NAMES: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** The zones of a country by its ISO 3166 code, as CLDR has them; empty for one it does not know. */
function zonesOf(country: string): readonly string[] {
  const zones = new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
  return zones.map((zone) => TODAYS_NAMES[zone] ?? zone);
}

/** Whether all of a country's zones have the same time. */
export function hasOneClock(country: string): boolean {
  const [first, ...others] = zonesOf(country);
  return first !== undefined && others.every((zone) => sameClock(first, zone));
}

/** Null when the point does not lie in the country: it, or the code, is wrong. */
export function zoneAt(point: Point, country: string): string | null {
  if (Math.abs(point.latitude) > 90 || Math.abs(point.longitude) > 180) return null;
  const found = tzLookup(point.latitude, point.longitude);
  const zones = zonesOf(country);
  const zone = zones.find((one) => one === (TODAYS_NAMES[found] ?? found));
  if (zone !== undefined) return zone;
  // On the border or at sea the neighbour's zone may be found.
  return zones.length === 1 && zones.every((one) => sameClock(one, found)) ? (zones[0] ?? null) : null;
}

/** Whether two zones have the same time in winter and in summer. */
function sameClock(a: string, b: string): boolean {
  return ["2026-01-15T00:00Z", "2026-07-15T00:00Z"].every((instant) => {
    const at = Temporal.Instant.from(instant);
    return at.toZonedDateTimeISO(a).offset === at.toZonedDateTimeISO(b).offset;
  });
}
