/** A rate's transit time, and the days for which a container costs nothing more at its ends (docs/rates.md). */
import { mustBe, textOf, type ReadField } from "../../../freight/tables/field.ts";

const ENDS = ["origin", "destination"] as const;

/** Days, all of them; as the fields of a file and of answers are called. */
export const TERM_FIELDS = [
  "transit_days",
  "origin_demurrage_free_days",
  "origin_detention_free_days",
  "origin_combined_free_days",
  "destination_demurrage_free_days",
  "destination_detention_free_days",
  "destination_combined_free_days",
] as const;

export type TermField = (typeof TERM_FIELDS)[number];

/** Null: not stated. */
export type Terms = { readonly [field in TermField]: number | null };

export const NO_TERMS = Object.fromEntries(TERM_FIELDS.map((field) => [field, null])) as Terms;

const DAYS_MAX = 365;

const readDays: ReadField<number | null> = (written) => {
  const text = textOf(written);
  if (text === undefined) return null;
  if (!/^\d{1,3}$/.test(text) || Number(text) > DAYS_MAX) {
    throw mustBe(`a whole number of days, at most ${DAYS_MAX}, or left out`, written);
  }
  return Number(text);
};

/** `read` reads a field, and notes what is wrong with it; most files have none of them. */
export function readTerms(
  fields: Readonly<Record<string, unknown>>,
  read: <T>(name: string, as: ReadField<T>) => T,
): Terms {
  if (!TERM_FIELDS.some((field) => field in fields)) return NO_TERMS;
  return Object.fromEntries(TERM_FIELDS.map((field) => [field, read(field, readDays)])) as Terms;
}

/** What is wrong with them together. */
export function termProblems(terms: Terms): readonly string[] {
  return ENDS.filter(
    (end) =>
      terms[`${end}_combined_free_days`] !== null &&
      (terms[`${end}_demurrage_free_days`] !== null || terms[`${end}_detention_free_days`] !== null),
  ).map((end) => `${end}_combined_free_days is of demurrage and detention together: leave it or those out`);
}

const NOTHING_STATED = "{}";

/** As the store has them: what is stated alone. */
export function termsText(terms: Terms): string {
  if (terms === NO_TERMS) return NOTHING_STATED;
  const stated = TERM_FIELDS.flatMap((field) =>
    terms[field] === null ? [] : [[field, terms[field]] as const],
  );
  return JSON.stringify(Object.fromEntries(stated));
}

export function termsOf(text: string): Terms {
  if (text === NOTHING_STATED) return NO_TERMS;
  const stated = JSON.parse(text) as Partial<Terms>;
  return Object.fromEntries(TERM_FIELDS.map((field) => [field, stated[field] ?? null])) as Terms;
}
