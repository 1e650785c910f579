/** The wall clock of a port: its own zone where the table of ports has it, else what the carrier reported. */

/** The port's IANA zone; null where it is not known. */
export function zoneOf(_unlocode: string | null): string | null {
  return null;
}

/** Minutes that a zone was ahead of UTC at a moment. */
export function offsetMinutesIn(zone: string, ms: number): number {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;
}

/** The calendar day at a place, `YYYY-MM-DD`. */
export function dayIn(zone: string, ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString();
}
