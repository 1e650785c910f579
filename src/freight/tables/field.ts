/** Reads fields as people write them, in JSON or in a cell of CSV. */

/** Reads one field; `undefined` and an empty text are a field that is left out. Throws {@link ValidationError}. */
export type ReadField<T> = (written: unknown) => T;

/** What is wrong with a field. The message follows the field's name. */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
}

/** `must` follows "must be". */
export function mustBe(must: string, written: unknown): ValidationError {
  const missing = written === undefined || written === null || written === "";
  return new ValidationError(
    missing ? `is missing: it must be ${must}` : `must be ${must}, not ${shown(written)}`,
  );
}

/** Characters of what was written that a message repeats. */
const SHOWN_MAX = 60;

function shown(written: unknown): string {
  const isLong = typeof written === "string" && written.length > SHOWN_MAX;
  if (typeof written === "object") return Array.isArray(written) ? "a list" : "an object";
  const text = JSON.stringify(isLong ? written.slice(0, SHOWN_MAX) : written);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

/** What was written, trimmed; undefined when it was left out. */
export function textOf(written: unknown): string | undefined {
  if (written === undefined || written === null) return undefined;
  const isPlain = typeof written === "string" || typeof written === "number" || typeof written === "boolean";
  if (!isPlain) throw new ValidationError("must be a plain value");
  const text = String(written).trim();
  return text === "" ? undefined : text;
}

export const readDay: ReadField<string> = (written) => {
  const text = textOf(written);
  if (text === undefined || !isDay(text)) throw mustBe("a day such as 2026-01-31", written);
  return text;
};

export const readDayOrNone: ReadField<string | null> = (written) =>
  textOf(written) === undefined ? null : readDay(written);

/** A day before it is a slip; the store's calendar has no year 0. */
const DAY_MIN = "1970-01-01";

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < DAY_MIN) return false;
  // JavaScript reads February 30 as a day of March.
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8));
}
