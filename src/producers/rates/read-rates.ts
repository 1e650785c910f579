/** A file of lane rates, JSON or CSV → rates, and what is wrong with the lines that are none (docs/rates.md). */
import { isUtf8 } from "node:buffer";

import { didYouMean } from "../../model/did-you-mean.ts";
import { csvRecords, LINE_LENGTH_MAX, type Separator } from "../tables/csv.ts";
import { isObject, parseExactJson } from "../tables/exact-json.ts";
import { Flaw, readDay, readDayOrNone, textOf } from "../tables/field.ts";
import { digitsOf } from "./currency.ts";
import { formatDecimal } from "./decimal.ts";
import { laneKey, totalOf, type LaneRate } from "./lane.ts";
import {
  amountReader,
  readCarrierOrMarket,
  readCurrency,
  readEquipment,
  readPlace,
  readSurcharges,
} from "./rate-fields.ts";

export type RatesFormat = "csv" | "json";

/** A line of a CSV file, the heading being line 1, or an item of a JSON list, counted from 1. */
export type RateProblem = { readonly line: number; readonly message: string };

export type ReadRates =
  | {
      readonly kind: "rates";
      /** Lines with something in them, good or not; without a heading. */
      readonly lines: number;
      readonly rates: readonly LaneRate[];
      /** In the order of the lines; a line with several flaws has one problem. */
      readonly problems: readonly RateProblem[];
    }
  /** Nothing of it can be read. `message` says what to change. */
  | { readonly kind: "unreadable"; readonly message: string };

export type RatesBounds = { readonly bytesMax: number; readonly linesMax: number };

const REQUIRED = ["origin", "destination", "equipment", "currency", "valid_from", "base"];
const FIELDS = [...REQUIRED, "carrier", "valid_to", "surcharges", "total"];

/** A rate that is listed has them, and what was listed can be changed and loaded again. */
const LISTED_ONLY = ["id", "lane_id", "loaded_at"];

/** One rate as it is written, and where. */
type Written = { readonly line: number; readonly fields: Readonly<Record<string, unknown>> };

type Table = {
  readonly written: readonly Written[];
  readonly problems: RateProblem[];
  decimalComma: boolean;
};

export function readRates(
  bytes: Buffer,
  format: RatesFormat,
  { bytesMax, linesMax }: RatesBounds,
): ReadRates {
  if (bytes.length > bytesMax) return unreadable(`there are more than ${bytesMax} bytes; load it in parts`);
  if (!isUtf8(bytes)) return unreadable("it is not valid UTF-8; save it as UTF-8");
  const text = bytes.toString("utf8");
  const table = format === "json" ? tableInJson(text) : tableInCsv(text);
  if (typeof table === "string") return unreadable(table);
  const { written, problems, decimalComma } = table;
  const lines = written.length + problems.length;
  if (lines > linesMax) return unreadable(`there are more than ${linesMax} rates; load it in parts`);
  if (lines === 0) return unreadable("there is no rate in it");
  const seen = new Map<string, number>();
  const rates = written.flatMap((one) => {
    const rate = readRate(one.fields, decimalComma);
    if (typeof rate === "string") {
      problems.push({ line: one.line, message: rate });
      return [];
    }
    const key = `${laneKey(rate.lane)} ${rate.validFrom}`;
    const before = seen.get(key);
    if (before !== undefined) {
      problems.push({ line: one.line, message: `the same lane and valid_from as line ${before}` });
      return [];
    }
    seen.set(key, one.line);
    return [rate];
  });
  return { kind: "rates", lines, rates, problems: problems.toSorted((a, b) => a.line - b.line) };
}

function unreadable(message: string): ReadRates {
  return { kind: "unreadable", message };
}

function tableInJson(text: string): Table | string {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (error) {
    return `it is no JSON: ${(error as Error).message}`;
  }
  const list = isObject(value) ? value["rates"] : value;
  if (!Array.isArray(list)) return 'it must be a list of rates, [{…}, {…}], or {"rates": [{…}, {…}]}';
  const written: Written[] = [];
  const problems: RateProblem[] = [];
  for (const [index, fields] of list.entries()) {
    const line = index + 1;
    if (isObject(fields)) written.push({ line, fields });
    else problems.push({ line, message: "must be an object" });
  }
  return { written, problems, decimalComma: false };
}

function tableInCsv(text: string): Table | string {
  const firstLine = /^\uFEFF?\s*([^\r\n]*)/.exec(text)?.[1] ?? "";
  if (firstLine.includes("\t")) return "its columns must be separated by commas or semicolons, not by tabs";
  const separator: Separator = firstLine.includes(";") ? ";" : ",";
  const [heading, ...records] = csvRecords(text, separator);
  const names = heading?.cells?.map((name) => name.toLowerCase()) ?? [];
  const wrong = headingFlaw(names);
  if (wrong !== null) return `line ${heading?.line ?? 1}: ${wrong}`;
  const written: Written[] = [];
  const problems: RateProblem[] = [];
  for (const { line, cells } of records) {
    if (cells === null) problems.push({ line, message: NO_CELLS });
    else if (cells.length > names.length) {
      problems.push({ line, message: `there are ${cells.length} cells under ${names.length} columns` });
    } else {
      written.push({ line, fields: Object.fromEntries(cells.map((cell, at) => [names[at], cell])) });
    }
  }
  return { written, problems, decimalComma: separator === ";" };
}

const NO_CELLS = `a quote is not closed, or stands in the middle of a cell, or the line has more than ${LINE_LENGTH_MAX} characters`;

/** What is wrong with the names of the columns; null: nothing. */
function headingFlaw(names: readonly string[]): string | null {
  if (names.length === 0 || !names.some((name) => FIELDS.includes(name))) {
    return `it must name the columns: ${FIELDS.join(",")}`;
  }
  const stranger = strangerOf(names);
  if (stranger !== null) return stranger;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `there are several columns "${twice}"`;
  const missing = REQUIRED.filter((name) => !names.includes(name));
  return missing.length === 0 ? null : `there is no column ${missing.join(", ")}`;
}

function strangerOf(names: readonly string[]): string | null {
  const name = names.find((one) => !FIELDS.includes(one) && !LISTED_ONLY.includes(one));
  if (name === undefined) return null;
  const meant = didYouMean(name, FIELDS);
  const hint = meant === null ? `there are ${FIELDS.join(", ")}` : `did you mean ${meant}?`;
  return `there is no field "${name}"; ${hint}`;
}

/** The rate, or all that is wrong with it. */
function readRate(fields: Written["fields"], decimalComma: boolean): LaneRate | string {
  const found: string[] = [];
  const stranger = strangerOf(Object.keys(fields));
  if (stranger !== null) found.push(stranger);
  const read = <T>(name: string, how: (written: unknown) => T): T => {
    try {
      return how(fields[name]);
    } catch (error) {
      if (!(error instanceof Flaw)) throw error;
      found.push(`${name} ${error.message}`);
      return undefined as never;
    }
  };
  const lane = {
    origin: read("origin", readPlace),
    destination: read("destination", readPlace),
    equipment: read("equipment", readEquipment),
    carrier: read("carrier", readCarrierOrMarket),
    currency: read("currency", readCurrency),
  };
  const validFrom = read("valid_from", readDay);
  const validTo = read("valid_to", readDayOrNone);
  // Without its currency nobody can say what an amount is.
  if (lane.currency === undefined) return found.join("; ");
  const readAmount = amountReader(lane.currency, decimalComma);
  const base = read("base", readAmount);
  const surcharges = read("surcharges", (written) => readSurcharges(written, readAmount));
  const stated = read("total", (written) => (textOf(written) === undefined ? null : readAmount(written)));
  if (found.length > 0) return found.join("; ");
  const total = totalOf(base, surcharges);
  const flaws = flawsBetween(lane, validFrom, validTo);
  if (base < 0n || total < 0n) flaws.push("base and total must not be below zero");
  if (stated !== null && stated !== total)
    flaws.push(`total must be ${said(total, lane.currency)}, which base and surcharges come to`);
  return flaws.length > 0 ? flaws.join("; ") : { lane, validFrom, validTo, base, surcharges, total };
}

function said(units: bigint, currency: string): string {
  return formatDecimal(units, digitsOf(currency));
}

function flawsBetween(
  { origin, destination }: LaneRate["lane"],
  validFrom: string,
  validTo: string | null,
): string[] {
  const flaws: string[] = [];
  if (origin === destination) flaws.push("origin and destination are the same");
  if (validTo !== null && validTo < validFrom) flaws.push("valid_to is before valid_from");
  return flaws;
}
