/** Where an AIS report says that its vessel is. */
import type { VesselPoint } from "../../store/vessels.ts";

/** ITU-R M.1371 sends these where the vessel does not know. */
const UNKNOWN_LATITUDE = 91;
const UNKNOWN_LONGITUDE = 181;
const COURSE_MAX = 360;

/** Degrees, as numbers or their digits. Null: not known; "invalid": no position. */
export function readPoint(
  latitude: unknown,
  longitude: unknown,
  course: unknown,
): VesselPoint | null | "invalid" {
  const [north, east] = [degreesIn(latitude), degreesIn(longitude)];
  if (north === null && east === null) return null;
  if (north === UNKNOWN_LATITUDE || east === UNKNOWN_LONGITUDE) return null;
  if (north === null || east === null || !(Math.abs(north) <= 90) || !(Math.abs(east) <= 180))
    return "invalid";
  const over = degreesIn(course);
  const isKnown = over !== null && over >= 0 && over < COURSE_MAX;
  return { latitude: north, longitude: east, course: isKnown ? over : null };
}

/** Null: nothing is said. */
function degreesIn(sent: unknown): number | null {
  if (sent === null || sent === undefined || sent === "") return null;
  if (typeof sent === "string")
    return /^-?\d{1,3}(\.\d{1,17})?$/.test(sent.trim()) ? Number(sent) : Number.NaN;
  return typeof sent === "number" ? sent : Number.NaN;
}
