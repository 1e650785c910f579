/** Splits a text of lane rates, JSON or CSV, into the unread fields of each rate. */
import { isObject } from "../../../model/json.ts";
import { didYouMean } from "../../../model/did-you-mean.ts";
import {
  csvRecords,
  RECORD_LENGTH_MAX,
  type CsvRecord,
  type Separator,
} from "../../../freight/tables/csv.ts";
import { parseExactJson } from "../../../freight/tables/exact-json.ts";

export type RatesFormat = "csv" | "json";

export type RawRate = {
  /** The first line of the rate in a CSV file, whose heading is line 1; its place in a JSON list, from 1. */
  readonly line: number;
  /** By name; a text: why there are none. */
  readonly fields: Readonly<Record<string, unknown>> | string;
};

export type RawRates = {
  readonly rates: Iterable<RawRate>;
  /** Whether `1234,50` is `1234.50`, as in files that separate columns by semicolons. */
  readonly decimalComma: boolean;
};

const REQUIRED_FIELDS = ["origin", "destination", "equipment", "currency", "valid_from", "base"];
const FIELDS = [...REQUIRED_FIELDS, "carrier", "valid_to", "surcharges", "total"];

/** Lists have these fields; you may change a list and load it again. */
const OUTPUT_ONLY_FIELDS = ["id", "lane_id", "loaded_at"];

/** A text: what to change before anything can be read. */
export function parseRawRates(text: string, format: RatesFormat): RawRates | string {
  return format === "json" ? rawRatesFromJson(text) : rawRatesFromCsv(text);
}

/** Null: every name is a field's. */
export function unknownFieldError(names: readonly string[]): string | null {
  const name = names.find((one) => !FIELDS.includes(one) && !OUTPUT_ONLY_FIELDS.includes(one));
  if (name === undefined) return null;
  const meant = didYouMean(name, FIELDS);
  const hint = meant === null ? `there are ${FIELDS.join(", ")}` : `did you mean ${meant}?`;
  return `there is no field "${name}"; ${hint}`;
}

function rawRatesFromJson(text: string): RawRates | string {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (error) {
    return `it is no JSON: ${(error as Error).message}`;
  }
  const list = isObject(value) ? value["rates"] : value;
  if (!Array.isArray(list)) return 'it must be a list of rates, [{…}, {…}], or {"rates": [{…}, {…}]}';
  const rates = list
    .values()
    .map((item: unknown, at) => ({ line: at + 1, fields: isObject(item) ? item : "must be an object" }));
  return { rates, decimalComma: false };
}

function rawRatesFromCsv(text: string): RawRates | string {
  const firstLine = /^\uFEFF?\s*([^\r\n]*)/.exec(text)?.[1] ?? "";
  if (firstLine.includes("\t")) return "its columns must be separated by commas or semicolons, not by tabs";
  const separator: Separator = firstLine.includes(";") ? ";" : ",";
  const records = csvRecords(text, separator);
  const heading = records.next().value ?? undefined;
  const names = heading?.cells?.map((name) => name.toLowerCase()) ?? [];
  const error = headingError(names);
  if (error !== null) return `line ${heading?.line ?? 1}: ${error}`;
  const rates = records.map(({ line, cells }) => ({ line, fields: fieldsOf(cells, names) }));
  return { rates, decimalComma: separator === ";" };
}

function fieldsOf(cells: CsvRecord["cells"], names: readonly string[]): RawRate["fields"] {
  if (cells === null) return MALFORMED_LINE;
  if (cells.length > names.length) return `there are ${cells.length} cells under ${names.length} columns`;
  return Object.fromEntries(cells.map((cell, at) => [names[at], cell]));
}

const MALFORMED_LINE = `a quote is not closed, or stands in the middle of a cell, or the line has more than ${RECORD_LENGTH_MAX} characters`;

/** Null: the columns are right. */
function headingError(names: readonly string[]): string | null {
  if (!names.some((name) => FIELDS.includes(name))) return `it must name the columns: ${FIELDS.join(",")}`;
  const unknown = unknownFieldError(names);
  if (unknown !== null) return unknown;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `there are several columns "${twice}"`;
  const missing = REQUIRED_FIELDS.filter((name) => !names.includes(name));
  return missing.length === 0 ? null : `there is no column ${missing.join(", ")}`;
}
