/** A table as people write it, JSON or CSV → its rows, and what is wrong with their fields. */
import { isUtf8 } from "node:buffer";

import { isObject } from "../../model/json.ts";
import { didYouMean } from "../../runtime/did-you-mean.ts";
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
  readonly rows: Iterable<Row>;
  /** Whether `1234,50` is `1234.50`: programs that separate columns by semicolons write so. */
  readonly decimalComma: boolean;
};

/** `problems` say what to change: no row can be read. */
export type UnreadableTable = { readonly kind: "unreadable"; readonly problems: readonly string[] };

/** A byte that is no UTF-8 makes its row wrong; the file, if the heading or the JSON around the rows has it. */
export function parseRows(bytes: Buffer, format: TableFormat, table: Table): Rows | UnreadableTable {
  const text = bytes.toString("utf8");
  const read = format === "json" ? rowsFromJson(text, table) : rowsFromCsv(text, table);
  if (isUtf8(bytes)) return read;
  if (read.kind === "unreadable") return unreadable([NOT_UTF8]);
  return {
    ...read,
    rows: Iterator.from(read.rows).map((row) => (isReplaced(row) ? { ...row, fields: NOT_UTF8 } : row)),
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
  return unknown.map((name) => {
    const meant = didYouMean(name, fields);
    const hint = meant === null ? `there are ${fields.join(", ")}` : `did you mean ${meant}?`;
    return `there is no field "${name}"; ${hint}`;
  });
}

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

function rowsFromJson(text: string, { name, exactNumbers }: Table): Rows | UnreadableTable {
  let value: unknown;
  try {
    value = exactNumbers ? parseExactJson(text) : JSON.parse(text);
  } catch (error) {
    return unreadable([`it is no JSON: ${(error as Error).message}`]);
  }
  const list = isObject(value) ? value[name] : value;
  if (!Array.isArray(list)) {
    return unreadable([`it must be a list of ${name}, [{…}, {…}], or {"${name}": [{…}, {…}]}`]);
  }
  const rows = list
    .values()
    .map((item: unknown, at) => ({ line: at + 1, fields: isObject(item) ? item : "must be an object" }));
  return { kind: "rows", rows, decimalComma: false };
}

function rowsFromCsv(text: string, table: Table): Rows | UnreadableTable {
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
  const heading = records.next().value ?? undefined;
  const names = heading?.cells?.map((name) => name.toLowerCase()) ?? [];
  const problems = headingProblems(names, table);
  if (problems.length > 0)
    return unreadable(problems.map((problem) => `line ${heading?.line ?? 1}: ${problem}`));
  const rows = records.map(({ line, cells }) => ({ line, fields: fieldsOf(cells, names) }));
  return { kind: "rows", rows, decimalComma: separator === ";" };
}

function headingProblems(names: readonly string[], table: Table): readonly string[] {
  const { fields, required } = table;
  if (!names.some((name) => fields.includes(name))) return [`it must name the columns: ${fields.join(",")}`];
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const problems = [
    ...unknownFields(table, names),
    ...twice.map((name) => `there are several columns "${name}"`),
  ];
  const missing = required.filter((name) => !names.includes(name));
  if (problems.length > 0 || missing.length === 0) return problems;
  return [`there is no column ${missing.join(", ")}`];
}

function fieldsOf(cells: CsvRecord["cells"], names: readonly string[]): Row["fields"] {
  if (cells === null) return MALFORMED_LINE;
  if (cells.length > names.length) return `there are ${cells.length} cells under ${names.length} columns`;
  return Object.fromEntries(cells.map((cell, at) => [names[at], cell]));
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
  return JSON.parse(text.replace(/^\uFEFF/, ""), (_key, item: unknown, { source }) =>
    typeof item === "number" ? source : item,
  );
}
