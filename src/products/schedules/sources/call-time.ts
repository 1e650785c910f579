/** A time of a schedule: with an offset, or by the port's clock. */
import { readDateTime, readWallClock } from "../../../freight/dcsa/time.ts";
import { zoneOf } from "../../../freight/places/ports.ts";
import type { CallTime } from "../calls/call-statement.ts";

/** Null: no date-time. Without an offset it is the port's wall clock; if the port's zone is not known, UTC. */
export function readCallTime(written: string, port: string | null): CallTime | null {
  const instant = readDateTime(written);
  if (instant !== null) return { ms: instant.ms, offsetMinutes: instant.offsetMinutes };
  const zone = zoneOf(port);
  const wall = readWallClock(written, zone ?? "UTC");
  if (wall === null) return null;
  return { ms: wall.ms, offsetMinutes: zone === null ? null : wall.offsetMinutes };
}
