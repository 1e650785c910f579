import Format from "typebox/format";

/** An RFC 3339 date-time with any offset, as milliseconds since the epoch; null when it is none. */
export function readInstant(text: string): number | null {
  const timeMs = Format.Test("date-time", text) ? Date.parse(text) : Number.NaN;
  // A leap second is a date-time that `Date` does not know.
  return Number.isNaN(timeMs) ? null : timeMs;
}

export function utcText(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** `YYYY-MM-DD` */
export function utcDay(atMs: number): string {
  return utcText(atMs).slice(0, 10);
}
