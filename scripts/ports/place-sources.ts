/** Two lists of ports that were made apart from each other, and the rules by which a place is believed. */

export type Point = { readonly latitude: number; readonly longitude: number };
export type ListedPlace = Point & { readonly unlocode: string; readonly name: string };
/** `called`: container lines call there. */
export type CalledPlace = ListedPlace & { readonly called: boolean };

/** `sea-ports` (MIT): by UN/LOCODE, coordinates as longitude and latitude where it has them. */
export function readSeaPorts(value: unknown): readonly ListedPlace[] {
  const ports = value as Readonly<Record<string, { name: string; coordinates?: readonly number[] }>>;
  return Object.entries(ports).flatMap(([unlocode, { name, coordinates }]) => {
    const [longitude, latitude] = coordinates ?? [];
    return longitude === undefined || latitude === undefined ? [] : [{ unlocode, name, latitude, longitude }];
  });
}

/** `searoute` (Apache-2.0): GeoJSON, `t` where liner terminals are known. */
export function readSearoute(value: unknown): readonly CalledPlace[] {
  type Feature = {
    readonly properties: { readonly port: string; readonly name: string; readonly t: unknown };
    readonly geometry: { readonly coordinates: readonly [number, number] };
  };
  const { features } = value as { readonly features: readonly Feature[] };
  return features.map(({ properties: { port, name, t }, geometry: { coordinates } }) => {
    const [longitude, latitude] = coordinates;
    return { unlocode: port, name, latitude, longitude, called: Boolean(t) };
  });
}

/** `timeZone`: where the point alone gives the neighbour's. */
export type KnownPlace = ListedPlace & { readonly timeZone: string | null };

/** Rows of a comma-separated file with a header line and no quotes. */
export function readByHand(text: string): readonly KnownPlace[] {
  const rows = text.trim().split("\n").slice(1);
  return rows.map((row) => {
    const [unlocode = "", name = "", latitude, longitude, timeZone = ""] = row.split(",");
    const point = { latitude: Number(latitude), longitude: Number(longitude) };
    return { unlocode, name, ...point, timeZone: timeZone === "" ? null : timeZone };
  });
}

/** How far two lists may lie apart about one place: a town and its port are not at one point. */
const APART_KM_MAX = 60;

/**
 * A place that the lists agree on is believed, at the second list's point, which is nearer to the
 * quays. A place that only one of them has is believed where a mistake within the country would leave
 * its time right (`oneClock`), or where lines call. Where they contradict each other, neither is.
 */
export function believed(
  one: ListedPlace | undefined,
  other: CalledPlace | undefined,
  oneClock: boolean,
): ListedPlace | null {
  if (one !== undefined && other !== undefined) {
    return kmBetween(one, other) <= APART_KM_MAX ? { ...other, name: one.name } : null;
  }
  if (other !== undefined) return oneClock || other.called ? other : null;
  return oneClock ? (one ?? null) : null;
}

const EARTH_RADIUS_KM = 6371;

function kmBetween(a: Point, b: Point): number {
  const radians = Math.PI / 180;
  const x = (a.longitude - b.longitude) * radians * Math.cos(((a.latitude + b.latitude) / 2) * radians);
  const y = (a.latitude - b.latitude) * radians;
  return EARTH_RADIUS_KM * Math.hypot(x, y);
}
