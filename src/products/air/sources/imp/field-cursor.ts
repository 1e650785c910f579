/** The fields of a line and its continuations, between slants, read one by one. */
import type { JoinedLine, Line } from "./lines.ts";
import { quoted, type Report } from "./problem.ts";

export type Field = {
  /** In capitals, trimmed. */
  readonly capitals: string;
  readonly line: Line;
  /** Of its start in the line. */
  readonly index: number;
  /** On a continuation line. */
  readonly continued: boolean;
};

export type FieldCursor = {
  readonly all: readonly Field[];
  next: number;
  /** Set once a required field is missing or unreadable. */
  failed: boolean;
  readonly line: Line;
  readonly report: Report;
};

/** Of one status; real statuses have a dozen. */
const FIELDS_MAX = 64;

/** The fields after the code that the line begins with. */
export function fieldsAfter(
  codeChars: number,
  { head, continuations }: JoinedLine,
  report: Report,
): FieldCursor {
  const all: Field[] = [];
  const cursor: FieldCursor = { all, next: 0, failed: false, line: head, report };
  const slant = head.capitals.indexOf("/", codeChars);
  if (slant !== -1) addFields(all, head, slant + 1, false);
  for (const line of continuations) addFields(all, line, 1, true);
  const tooMany = all[FIELDS_MAX];
  if (tooMany !== undefined) {
    report(tooMany.line, tooMany.index, `more than ${FIELDS_MAX} fields: the rest is not read`);
    all.length = FIELDS_MAX;
  }
  return cursor;
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

/** The next field that is not blank, without advancing; null at the end. */
export function peek(cursor: FieldCursor): Field | null {
  while (cursor.all[cursor.next]?.capitals === "") cursor.next += 1;
  return cursor.all[cursor.next] ?? null;
}

/** The next field, even a blank one. */
export function peekOrBlank(cursor: FieldCursor): Field | null {
  return cursor.all[cursor.next] ?? null;
}

export function advance(cursor: FieldCursor): void {
  cursor.next += 1;
}

/** As written: names keep their lower case. */
export function rawTextOf({ line, index, capitals }: Field): string {
  return line.text.slice(index, index + capitals.length);
}

/** Reports a required field, without which the line is not used. */
export function failAt(cursor: FieldCursor, field: Field | null, expected: string): null {
  cursor.failed = true;
  reportAt(cursor, field, `${expected} is expected here, not ${quoted(field?.capitals ?? "")}`);
  return null;
}

/** Reports at a field, or at the end of the line if it is missing; the rest of the line is still used. */
export function reportAt({ line, report }: FieldCursor, field: Field | null, message: string): void {
  if (field === null) report(line, line.text.length, message);
  else report(field.line, field.index, message);
}
