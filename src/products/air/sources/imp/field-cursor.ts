/** The fields of a line and its continuations, between slants, taken one after the other. */
import type { JoinedLine, Line } from "./lines.ts";
import { quoted, type Report } from "./problem.ts";

export type Field = {
  /** In capitals, without blanks at its ends. */
  readonly capitals: string;
  readonly line: Line;
  /** Where it begins in its line. */
  readonly index: number;
  /** On a line that continues another. */
  readonly continued: boolean;
};

/** A place among the fields, which moves on as they are taken. */
export type FieldCursor = {
  readonly all: readonly Field[];
  next: number;
  /** Set once something is missing or unreadable without which the line says nothing. */
  failed: boolean;
  readonly line: Line;
  readonly report: Report;
};

/** Of one status; real ones have a dozen. */
const FIELDS_MAX = 64;

/** The fields after the code that the line begins with. */
export function fieldsAfter(
  codeChars: number,
  { head, continuations }: JoinedLine,
  report: Report,
): FieldCursor {
  const all: Field[] = [];
  const fields: FieldCursor = { all, next: 0, failed: false, line: head, report };
  if (head.capitals.length > codeChars) addFields(all, head, codeChars + 1, false);
  for (const line of continuations) addFields(all, line, 1, true);
  const tooMany = all[FIELDS_MAX];
  if (tooMany !== undefined) {
    report(tooMany.line, tooMany.index, `more than ${FIELDS_MAX} fields: the rest is not read`);
    all.length = FIELDS_MAX;
  }
  return fields;
}

function addFields(all: Field[], line: Line, from: number, continued: boolean): void {
  const { capitals } = line;
  let start = from;
  while (start <= capitals.length && all.length <= FIELDS_MAX) {
    const slant = capitals.indexOf("/", start);
    const end = slant === -1 ? capitals.length : slant;
    const text = capitals.slice(start, end).trim();
    const blanks = text === "" ? 0 : capitals.indexOf(text[0]!, start) - start;
    all.push({ capitals: text, line, index: start + blanks, continued });
    start = end + 1;
  }
}

/** The next field, blank ones passed over; null at the end. It is not taken yet. */
export function peek(fields: FieldCursor): Field | null {
  while (fields.all[fields.next]?.capitals === "") fields.next += 1;
  return fields.all[fields.next] ?? null;
}

/** The next field even when it is blank. */
export function peekOrBlank(fields: FieldCursor): Field | null {
  return fields.all[fields.next] ?? null;
}

export function advance(fields: FieldCursor): void {
  fields.next += 1;
}

/** As written: names keep their small letters. */
export function rawTextOf({ line, index, capitals }: Field): string {
  return line.text.slice(index, index + capitals.length);
}

/** The line says nothing without what is expected here. */
export function failAt(fields: FieldCursor, field: Field | null, expected: string): null {
  fields.failed = true;
  reportAt(fields, field, `${expected} is expected here, not ${quoted(field?.capitals ?? "")}`);
  return null;
}

/** At a field, or at the end of the line when the field is missing; what else the line says stays good. */
export function reportAt({ line, report }: FieldCursor, field: Field | null, message: string): void {
  if (field === null) report(line, line.text.length, message);
  else report(field.line, field.index, message);
}
