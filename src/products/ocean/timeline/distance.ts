/** How far apart two places are: tells plausible plans from implausible ones. */
import { distanceKm } from "../../../freight/places/known-ports.ts";
import { portOf } from "../../../freight/places/ports.ts";
import { samePlace, type Place } from "../sources/carrier-event.ts";

/** Kilometres along the great circle; null unless both places are in the table of ports. */
function kmBetween(a: Place | null, b: Place | null): number | null {
  const from = portOf(a?.unlocode ?? "");
  const to = portOf(b?.unlocode ?? "");
  return from === null || to === null ? null : distanceKm(from, to);
}

/** Ports of one coast, which stand in for each other when a vessel is re-routed. */
const SAME_COAST_KM_MAX = 800;

export function onSameCoast(a: Place | null, b: Place | null): boolean {
  if (samePlace(a, b)) return true;
  const apartKm = kmBetween(a, b);
  if (apartKm !== null) return apartKm <= SAME_COAST_KM_MAX;
  const country = a?.unlocode?.slice(0, 2);
  return country !== undefined && country === b?.unlocode?.slice(0, 2);
}

/** Many harbours have several UN/LOCODEs, their terminals' and neighbours': CNTXG and CNXGG, USLAX and USLGB. */
const SAME_HARBOUR_KM_MAX = 15;

/** Whether a vessel that is to come to one place may be reported at the other. */
export function inSameHarbour(a: Place | null, b: Place | null): boolean {
  if (samePlace(a, b)) return true;
  const inOneCountry = a?.unlocode?.slice(0, 2) === b?.unlocode?.slice(0, 2);
  return inOneCountry && (kmBetween(a, b) ?? Number.POSITIVE_INFINITY) <= SAME_HARBOUR_KM_MAX;
}

/** Coast to coast is some 4,500 km; no box goes farther over land. */
const OVERLAND_KM_MAX = 5_500;

/** Whether rail and road cannot reach one place from the other; never for unknown places. */
export function isOverseas(a: Place | null, b: Place | null): boolean {
  return (kmBetween(a, b) ?? 0) > OVERLAND_KM_MAX;
}
