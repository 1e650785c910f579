const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID as the database writes it, in lower case; null when the text is none. */
export function readUuid(text: string): string | null {
  return FORM.test(text) ? text.toLowerCase() : null;
}

/** When a UUIDv7 was made, in milliseconds. */
export function timeOfUuid(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The largest time of a UUIDv7, in milliseconds. */
const UUID_MS_MAX = 2 ** 48 - 1;

/** No UUIDv7 of that time, or of a later one, is before it; all of earlier times are. */
export function firstUuidOf(timeMs: number): string {
  const hex = Math.min(Math.max(timeMs, 0), UUID_MS_MAX).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
