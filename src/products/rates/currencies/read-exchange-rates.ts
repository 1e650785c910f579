/**
 * A file of exchange rates → the rates, and what is wrong with the lines that are none (docs/rates.md). Two forms:
 *
 *     date,base,currency,rate,source      one rate a line, also as JSON
 *     Date,USD,JPY,…,                     one day a line, as the European Central Bank publishes its reference rates
 */
import { textOf, ValidationError } from "../../../freight/tables/field.ts";
import {
  fieldsReader,
  parseRows,
  unknownFields,
  type Row,
  type Table,
  type TableFormat,
} from "../../../freight/tables/rows.ts";
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import { didYouMean } from "../../../runtime/did-you-mean.ts";
import { currencyCodes, minorDigits } from "../currency.ts";
import { readCurrency } from "../lanes/rate-fields.ts";
import type { RateProblem } from "../lanes/read-rates.ts";
import { exchangeDateReader, readExchangeRate, readSource, WITHDRAWN } from "./exchange-fields.ts";
import { EXCHANGE_SOURCES_MAX, type ExchangeRate } from "./exchange-rate.ts";

/** What a line need not say. `today` bounds dates. */
export type ExchangeDefaults = {
  readonly source: string | null;
  readonly base: string | null;
  readonly today: string;
};

export type ReadExchangeRates =
  | {
      readonly kind: "exchange-rates";
      /** Lines with something in them, good or not; without a heading. */
      readonly lines: number;
      /** No two of them have the same source, date and currency; all of a source have one base. */
      readonly rates: readonly ExchangeRate[];
      /** In the order of the lines; a line with several errors has one problem. */
      readonly problems: readonly RateProblem[];
      /** Columns of withdrawn currencies. */
      readonly leftOut: readonly string[];
    }
  /** Nothing of it can be read. `message` says what to change. */
  | { readonly kind: "unreadable"; readonly message: string };

/** All that the European Central Bank has published since 1999 is 2 MB and some 220,000 rates. */
export const EXCHANGE_BOUNDS = { bytesMax: 8 * 1024 * 1024, ratesMax: 500_000 } as const;

const RATE_FIELDS = ["date", "base", "currency", "rate", "source"];

const LONG: Table = {
  name: "exchange_rates",
  fields: RATE_FIELDS,
  required: ["date", "currency", "rate"],
  outputOnly: [],
  exactNumbers: true,
  takesSemicolons: true,
};

const WIDE: Table = {
  ...LONG,
  fields: ["date", ...currencyCodes()],
  required: ["date"],
  fieldOf: (heading) => wideField(heading) ?? null,
};

/** Null: a column that is left out; undefined: one that nobody knows. */
function wideField(heading: string): string | null | undefined {
  const code = heading.toUpperCase();
  if (code === "DATE") return "date";
  if (code === "" || WITHDRAWN.has(code)) return null;
  return minorDigits(code) === null ? undefined : code;
}

function noCurrency(heading: string): string {
  const shown = heading.slice(0, 20);
  const meant = didYouMean(shown, currencyCodes());
  const hint =
    meant === null
      ? `the columns are Date and currencies of ISO 4217, or ${RATE_FIELDS.join(",")}`
      : `did you mean ${meant}?`;
  return `line 1: there is no currency "${shown}"; ${hint}`;
}

/** The base of a file of one day a line, unless another is given. */
const WIDE_BASE = "EUR";

/** Cells without a rate. */
const NO_RATE: ReadonlySet<string> = new Set(["", "N/A", "-"]);

export function* readExchangeRates(
  bytes: Buffer,
  format: TableFormat,
  defaults: ExchangeDefaults,
): SlicedWork<ReadExchangeRates> {
  if (bytes.length > EXCHANGE_BOUNDS.bytesMax) return tooLarge(`${EXCHANGE_BOUNDS.bytesMax} bytes`);
  const headings = format === "csv" ? headingsOf(bytes) : [];
  const isWide =
    headings.includes("DATE") && !headings.some((name) => name === "RATE" || name === "CURRENCY");
  const unknown = isWide ? headings.find((name) => wideField(name) === undefined) : undefined;
  if (unknown !== undefined) return unreadable(noCurrency(unknown));
  if (isWide && defaults.source === null) return unreadable(NO_SOURCE);
  const written = yield* parseRows(bytes, format, isWide ? WIDE : LONG);
  if (written.kind === "unreadable") return unreadable(written.problems.join("; "));
  const reader = isWide
    ? wideReader(defaults, written.decimalComma)
    : longReader(defaults, written.decimalComma);
  const rates: ExchangeRate[] = [];
  const problems: RateProblem[] = [];
  const known = knownLines();
  let lines = 0;
  for (const row of written.rows) {
    yield;
    if (row === null) continue;
    lines += 1;
    const read = typeof row.fields === "string" ? row.fields : reader(row.fields);
    const problem = typeof read === "string" ? read : known.problemOf(read, row.line);
    if (problem !== null) problems.push({ line: row.line, message: problem });
    else if (typeof read !== "string") for (const rate of read.rates) rates.push(rate);
    if (rates.length + problems.length > EXCHANGE_BOUNDS.ratesMax)
      return tooLarge(`${EXCHANGE_BOUNDS.ratesMax} rates`);
  }
  if (rates.length + problems.length === 0) return unreadable("there is no exchange rate in it");
  const leftOut = isWide ? written.headings.filter((heading) => WITHDRAWN.has(heading.toUpperCase())) : [];
  return { kind: "exchange-rates", lines, rates, problems, leftOut };
}

const NO_SOURCE = "it does not say whose rates they are: give their source, such as ECB";

function unreadable(message: string): ReadExchangeRates {
  return { kind: "unreadable", message };
}

function tooLarge(most: string): ReadExchangeRates {
  return unreadable(`there are more than ${most}; load it in parts`);
}

const HEADING_LENGTH_MAX = 4_096;

/** In capitals. */
function headingsOf(bytes: Buffer): readonly string[] {
  const [heading = ""] = bytes
    .toString("utf8", 0, HEADING_LENGTH_MAX)
    .trimStart()
    .split(/[\r\n]/, 1);
  return heading.split(/[,;]/).map((name) => name.replaceAll('"', "").trim().toUpperCase());
}

/** The rates of a line: none where each cell is empty. `key`: what no other line may have. */
type LineRates = {
  readonly key: string;
  readonly source: string;
  readonly base: string;
  readonly rates: readonly ExchangeRate[];
};

/** What the lines before say: a rate is there once, and a source has one base. */
function knownLines() {
  const lineOf = new Map<string, number>();
  const baseOf = new Map<string, { readonly base: string; readonly line: number }>();
  return {
    problemOf({ key, source, base }: LineRates, line: number): string | null {
      const before = lineOf.get(key);
      if (before !== undefined)
        return `the same rate as on line ${before}: a source has one of each currency a day`;
      const first = baseOf.get(source);
      if (first === undefined && baseOf.size === EXCHANGE_SOURCES_MAX) {
        return `more than ${EXCHANGE_SOURCES_MAX} sources; load them in parts`;
      }
      if (first !== undefined && first.base !== base) {
        return `base must be ${first.base}, as on line ${first.line}: all rates of a source have one base`;
      }
      lineOf.set(key, line);
      if (first === undefined) baseOf.set(source, { base, line });
      return null;
    },
  };
}

/** The rates of a line, or all that is wrong with it. */
type LineReader = (fields: Exclude<Row["fields"], string>) => LineRates | string;

function longReader(defaults: ExchangeDefaults, decimalComma: boolean): LineReader {
  const readDate = exchangeDateReader(defaults.today);
  return (fields) => {
    const found = [...unknownFields(LONG, Object.keys(fields))];
    const read = fieldsReader(fields, found);
    const date = read("date", readDate);
    const base = read("base", (written) => readCurrency(textOf(written) ?? defaults.base));
    const currency = read("currency", readCurrency);
    const source = read("source", (written) => readSource(textOf(written) ?? defaults.source));
    const rate = read("rate", (written) => readExchangeRate(written, currency, base, decimalComma));
    if (found.length > 0) return found.join("; ");
    const rates = rate === null ? [] : [{ source, base, currency, date, rate }];
    return { key: `${date} ${currency} ${source}`, source, base, rates };
  };
}

/** Cells that are wrong that a problem lists. */
const CELLS_SHOWN_MAX = 5;

function wideReader(defaults: ExchangeDefaults, decimalComma: boolean): LineReader {
  const readDate = exchangeDateReader(defaults.today);
  const source = defaults.source!;
  const base = defaults.base ?? WIDE_BASE;
  return ({ date: written, ...cells }) => {
    const found: string[] = [];
    const read = fieldsReader({ date: written }, found);
    const date = read("date", readDate);
    const rates: ExchangeRate[] = [];
    for (const [currency, cell] of Object.entries(cells)) {
      if (NO_RATE.has(String(cell))) continue;
      try {
        const rate = readExchangeRate(cell, currency, base, decimalComma);
        if (rate !== null) rates.push({ source, base, currency, date, rate });
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        found.push(`${currency} ${error.message}`);
      }
    }
    const more = found.length - CELLS_SHOWN_MAX;
    if (more > 0) return `${found.slice(0, CELLS_SHOWN_MAX).join("; ")}; and ${more} more`;
    return found.length > 0 ? found.join("; ") : { key: date, source, base, rates };
  };
}
