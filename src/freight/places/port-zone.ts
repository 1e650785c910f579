/** The wall clock of a port, as far as the table of ports knows it. */
import { portOf } from "./ports.ts";

/** The port's IANA zone; null where it is not known. */
export function zoneOf(unlocode: string | null): string | null {
  return unlocode === null ? null : (portOf(unlocode)?.timeZone ?? null);
}

/** Minutes that a zone was ahead of UTC at a moment. */
export function offsetMinutesIn(zone: string, ms: number): number {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;
}

/** The calendar day at a place, `YYYY-MM-DD`. */
export function dayIn(zone: string, ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString();
}
