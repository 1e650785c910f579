/** A time of a schedule: local to its port, with its offset, or by the port's clock where the offset is left out. */
import { readDateTime, readWallClock } from "../../../freight/dcsa/time.ts";
import { zoneOf } from "../../../freight/places/port-zone.ts";
import type { CallTime } from "../calls/call-statement.ts";

/**
 * Null: it is no date-time. One without an offset is the port's wall clock; where the port's zone is not known,
 * it is taken for UTC.
 */
export function readCallTime(written: string, port: string | null): CallTime | null {
  const instant = readDateTime(written);
  if (instant !== null) return { ms: instant.ms, offsetMinutes: instant.offsetMinutes };
  const zone = zoneOf(port);
  const wall = readWallClock(written, zone ?? "UTC");
  if (wall === null) return null;
  return { ms: wall.ms, offsetMinutes: zone === null ? null : wall.offsetMinutes };
}
