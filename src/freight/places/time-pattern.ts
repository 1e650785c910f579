/**
 * Times in the forms that programs and people write, by the pattern that an operator names: letters as
 * in Unicode's LDML (`dd/MM/yyyy HH:mm`, `dd-MMM-yyyy h:mm a`), all else stands for itself. A pattern without an hour
 * takes one behind the date, if it is there.
 */

/** The time as RFC 3339 has it, without an offset where none is written and without an hour likewise; null: another form. */
export type ReadByPattern = (written: string) => string | null;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Regular expressions, each with a group of the letter's name. */
const LETTERS: Readonly<Record<string, string>> = {
  yyyy: "(?<year>\\d{4})",
  yy: "(?<year>\\d{2})",
  MMMM: "(?<name>[A-Za-z]{3,9})\\.?",
  MMM: "(?<name>[A-Za-z]{3,9})\\.?",
  MM: "(?<month>\\d{1,2})",
  M: "(?<month>\\d{1,2})",
  dd: "(?<day>\\d{1,2})",
  d: "(?<day>\\d{1,2})",
  HH: "(?<hour>\\d{1,2})",
  H: "(?<hour>\\d{1,2})",
  hh: "(?<hour>\\d{1,2})",
  h: "(?<hour>\\d{1,2})",
  mm: "(?<minute>\\d{2})",
  ss: "(?<second>\\d{2})(?:[.,]\\d{1,9})?",
  a: "(?<half>[AaPp]\\.?[Mm]\\.?)",
  EEE: "[A-Za-z]{2,9}\\.?",
  XXX: "(?<offset>Z|GMT|UTC|[+-]\\d{2}:?\\d{2})",
};

const ANY_TIME =
  "(?:[T ,]+(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2}))?(?: ?(?<half>[AaPp]\\.?[Mm]\\.?))?(?<offset> ?(?:Z|[+-]\\d{2}:?\\d{2}))?)?";

const EPOCHS: Readonly<Record<string, ReadByPattern>> = {
  "epoch-seconds": (written) => ofEpoch(/^(-?\d{1,11})(?:\.\d+)?$/, written, 1_000),
  "epoch-milliseconds": (written) => ofEpoch(/^(-?\d{1,14})$/, written, 1),
  "json-date": (written) => ofEpoch(/^\/Date\((-?\d{1,14})(?:[+-]\d{4})?\)\/$/, written, 1),
};

export const TIME_PATTERN_FORM =
  "a pattern such as dd/MM/yyyy HH:mm or MM/dd/yyyy h:mm a, or epoch-seconds, epoch-milliseconds or json-date";

const PATTERN_LENGTH_MAX = 60;
const WRITTEN_LENGTH_MAX = 60;

/** Null: it is no pattern, or one without a year, a month and a day. */
export function compileTimePattern(pattern: string): ReadByPattern | null {
  if (Object.hasOwn(EPOCHS, pattern)) return EPOCHS[pattern]!;
  if (pattern.length > PATTERN_LENGTH_MAX) return null;
  const parts = partsOf(pattern);
  const known = parts.filter((part) => part !== null);
  const has = (group: string): number => known.filter((part) => part.includes(`<${group}>`)).length;
  const isWhole =
    known.length === parts.length &&
    has("year") === 1 &&
    has("day") === 1 &&
    has("month") + has("name") === 1 &&
    ["hour", "minute", "second", "half", "offset"].every((group) => has(group) <= 1);
  if (!isWhole) return null;
  const expression = new RegExp(`^${known.join("")}${has("hour") === 0 ? ANY_TIME : ""}$`);
  return (written) => {
    const groups = expression.exec(written.trim().slice(0, WRITTEN_LENGTH_MAX))?.groups;
    return groups === undefined ? null : textOf(groups);
  };
}

/** A run of one letter is a field of the time, unless it is quoted or `T`; null: of none that is known. */
function partsOf(pattern: string): readonly (string | null)[] {
  const parts: (string | null)[] = [];
  for (let at = 0; at < pattern.length;) {
    const first = pattern[at]!;
    let end = at + 1;
    if (first === "'") {
      end = pattern.indexOf("'", at + 1) + 1;
      if (end === 0) return [null];
      parts.push(literal(pattern.slice(at + 1, end - 1)));
    } else if (first === "T" || !/[A-Za-z]/.test(first)) {
      parts.push(literal(first));
    } else {
      while (pattern[end] === first) end += 1;
      parts.push(LETTERS[pattern.slice(at, end)] ?? null);
    }
    at = end;
  }
  return parts;
}

/** Blanks stand for any number of them. */
function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, "\\$&").replaceAll(/ +/g, " +");
}

function textOf(groups: Readonly<Record<string, string | undefined>>): string | null {
  const { year = "", month, name, day = "", hour, minute = "00", second = "00", half, offset } = groups;
  const ofName = MONTHS.indexOf(name?.slice(0, 3).toLowerCase() ?? "") + 1;
  const two = (value: number | string): string => String(value).padStart(2, "0");
  const date = `${year.length === 2 ? `20${year}` : year}-${two(month ?? ofName)}-${two(day)}`;
  if (hour === undefined) return date;
  const ofHalf = half === undefined ? Number(hour) : hourOfHalf(Number(hour), half);
  if (ofHalf === null) return null;
  const written = offset?.trim() ?? "";
  return `${date}T${two(ofHalf)}:${minute}:${second}${/^[A-Z]/.test(written) ? "Z" : written}`;
}

/** Midnight is 12 AM. */
function hourOfHalf(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}

function ofEpoch(form: RegExp, written: string, unitMs: number): string | null {
  const count = form.exec(written.trim())?.[1];
  if (count === undefined) return null;
  const date = new Date(Number(count) * unitMs);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
