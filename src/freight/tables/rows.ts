/** A table as people write it, JSON or CSV → its rows, and what is wrong with their fields. */
import { isUtf8 } from "node:buffer";

import { CONTAINERS_MAX, parseInPieces } from "../../model/json-pieces.ts";
import { isLongerAsJson, isObject, JSON_DEPTH_MAX } from "../../model/json.ts";
import { createRepeatedCheck } from "../../model/repeated.ts";
import { didYouMean } from "../../runtime/did-you-mean.ts";
import type { SlicedWork } from "../../runtime/time-slices.ts";
import { csvRecords, RECORD_LENGTH_MAX, type CsvRecord, type Separator } from "./csv.ts";
import { ValidationError, type ReadField } from "./field.ts";

export type TableFormat = "csv" | "json";

export type Table = {
  /** What its rows are called: `rates`. */
  readonly name: string;
  readonly fields: readonly string[];
  /** Columns that a CSV file must have. */
  readonly required: readonly string[];
  /** Fields of a listed row: ignored, so that you can change a list and load it again. */
  readonly outputOnly: readonly string[];
  /** Whether numbers of JSON stay the text that they are written as. */
  readonly exactNumbers: boolean;
  /**
   * The field that a heading of CSV means, in any of the names that people give it; null: none. Columns of no field are
   * then ignored. Absent: a heading is its field's name, and no other is taken.
   */
  readonly fieldOf?: (heading: string) => string | null;
  /** Whether semicolons may separate the columns, and commas then begin decimals. */
  readonly takesSemicolons: boolean;
};

export type Row = {
  /** The line of a CSV file on which it begins, the heading being line 1; the place in a JSON list, from 1. */
  readonly line: number;
  /** By name; or what is wrong where there are none. */
  readonly fields: Readonly<Record<string, unknown>> | string;
};

export type Rows = {
  readonly kind: "rows";
  /** Null where nothing is: a moment to let others go on. */
  readonly rows: Iterable<Row | null>;
  /** Whether `1234,50` is `1234.50`: programs that separate columns by semicolons write so. */
  readonly decimalComma: boolean;
  /** The headings of a CSV file, as written. */
  readonly headings: readonly string[];
};

/** `problems` say what to change: no row can be read. */
export type UnreadableTable = { readonly kind: "unreadable"; readonly problems: readonly string[] };

/** A byte that is no UTF-8 makes its row wrong; the file, if the heading or the JSON around the rows has it. */
export function* parseRows(
  bytes: Buffer,
  format: TableFormat,
  table: Table,
): SlicedWork<Rows | UnreadableTable> {
  const text = bytes.toString("utf8");
  const read = yield* format === "json" ? rowsFromJson(text, table) : rowsFromCsv(text, table);
  if (isUtf8(bytes)) return read;
  if (read.kind === "unreadable") return unreadable([NOT_UTF8]);
  return {
    ...read,
    rows: Iterator.from(read.rows).map((row) =>
      row !== null && isReplaced(row) ? { ...row, fields: NOT_UTF8 } : row,
    ),
  };
}

const NOT_UTF8 = "it is not valid UTF-8; save it as UTF-8";

/** Whether a character stands for bytes that are no UTF-8. */
function isReplaced({ fields }: Row): boolean {
  return JSON.stringify(fields).includes("\uFFFD");
}

/** What is wrong with names that no field has. */
export function unknownFields(
  { fields, outputOnly }: Pick<Table, "fields" | "outputOnly">,
  names: readonly string[],
): readonly string[] {
  const unknown = names.filter((name) => !fields.includes(name) && !outputOnly.includes(name));
  const problems = unknown.slice(0, UNKNOWN_FIELDS_MAX).map((name) => {
    const isLong = name.length > NAME_LENGTH_MAX;
    const meant = isLong ? null : didYouMean(name, fields);
    const hint = meant === null ? `there are ${fields.join(", ")}` : `did you mean ${meant}?`;
    return `there is no field "${isLong ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name}"; ${hint}`;
  });
  const more = unknown.length - problems.length;
  return more === 0 ? problems : [...problems, `and ${more} more that there are not`];
}

/** Unknown names that the problems list, and the characters of each. */
const UNKNOWN_FIELDS_MAX = 10;
const NAME_LENGTH_MAX = 60;

/** Reads fields of a row, and adds to `problems` what is wrong with them; such a field has no value. */
export function fieldsReader(fields: Readonly<Record<string, unknown>>, problems: string[]) {
  return <T>(name: string, read: ReadField<T>): T => {
    try {
      return read(fields[name]);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      problems.push(`${name} ${error.message}`);
      return undefined as never;
    }
  };
}

function* rowsFromJson(text: string, { name, exactNumbers }: Table): SlicedWork<Rows | UnreadableTable> {
  const read = yield* parseInPieces(withoutMark(text), {
    depthMax: JSON_DEPTH_MAX,
    containersMax: Math.max(CONTAINERS_MAX, Math.floor(text.length / LENGTH_PER_CONTAINER)),
    ...(exactNumbers && { revive: exactNumber }),
  });
  if (!read.ok) {
    const { problem } = read;
    const isSyntax = problem === "syntax";
    return unreadable([isSyntax ? `it is no JSON: ${read.message}` : `it${problem.path} ${problem.what}`]);
  }
  const { value } = read;
  const list = isObject(value) ? value[name] : value;
  if (!Array.isArray(list)) {
    return unreadable([`it must be a list of ${name}, [{…}, {…}], or {"${name}": [{…}, {…}]}`]);
  }
  const rows = list.values().map((item: unknown, at) => ({ line: at + 1, fields: fieldsIn(item) }));
  return { kind: "rows", rows, decimalComma: false, headings: [] };
}

function fieldsIn(item: unknown): Row["fields"] {
  if (!isObject(item)) return "must be an object";
  return isLongerAsJson(item, RECORD_LENGTH_MAX) ? `has more than ${RECORD_LENGTH_MAX} characters` : item;
}

/** A large file of a command may have more objects and arrays than a request. */
const LENGTH_PER_CONTAINER = 8;

function* rowsFromCsv(text: string, table: Table): SlicedWork<Rows | UnreadableTable> {
  const firstLine = /^\uFEFF?\s*([^\r\n]*)/.exec(text)?.[1] ?? "";
  if (firstLine.includes("\t")) {
    return unreadable(["its columns must be separated by commas or semicolons, not by tabs"]);
  }
  const separator: Separator = firstLine.includes(";") ? ";" : ",";
  if (separator === ";" && !table.takesSemicolons) {
    return unreadable([
      "line 1: semicolons separate its columns: save it as comma-separated values, with commas",
    ]);
  }
  const records = csvRecords(text, separator);
  let first = records.next();
  for (; first.done !== true && first.value === null; first = records.next()) yield;
  const heading = first.value ?? undefined;
  const headings = heading?.cells ?? [];
  const { fieldOf = (name: string) => name.toLowerCase() } = table;
  const names = headings.map(fieldOf);
  const problems = headingProblems(names, table);
  if (problems.length > 0)
    return unreadable(problems.map((problem) => `line ${heading?.line ?? 1}: ${problem}`));
  const rows = records.map(
    (record) => record && { line: record.line, fields: fieldsOf(record.cells, names) },
  );
  return { kind: "rows", rows, decimalComma: separator === ";", headings };
}

function headingProblems(all: readonly (string | null)[], table: Table): readonly string[] {
  const { fields, required } = table;
  const names = all.filter((name) => name !== null);
  if (!names.some((name) => fields.includes(name))) return [`it must name the columns: ${fields.join(",")}`];
  const twice = names.filter(createRepeatedCheck());
  const problems = [
    ...unknownFields(table, names),
    ...twice.map((name) => `there are several columns "${name}"`),
  ];
  const missing = required.filter((name) => !names.includes(name));
  if (problems.length > 0 || missing.length === 0) return problems;
  return [`there is no column ${missing.join(", ")}`];
}

function fieldsOf(cells: CsvRecord["cells"], names: readonly (string | null)[]): Row["fields"] {
  if (cells === null) return MALFORMED_LINE;
  if (cells.length > names.length) return `there are ${cells.length} cells under ${names.length} columns`;
  return Object.fromEntries(
    cells.flatMap((cell, at) => (names[at] === null ? [] : [[names[at], cell] as const])),
  );
}

const MALFORMED_LINE = `a quote is not closed, or stands in the middle of a cell, or the line has more than ${RECORD_LENGTH_MAX} characters`;

function unreadable(problems: readonly string[]): UnreadableTable {
  return { kind: "unreadable", problems };
}

/**
 * Parses JSON and keeps every number as its text, `1234.50`, `1e3`: JavaScript's 0.1 is not what was written. Throws
 * a `SyntaxError`.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(withoutMark(text), exactNumber);
}

function exactNumber(_key: string, item: unknown, { source }: { readonly source: string }): unknown {
  return typeof item === "number" ? source : item;
}

/** Without the mark that some programs begin a file with. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
