/** A file of tariffs in JSON or CSV → tariffs, or all problems, each with its line (docs/demurrage.md). */
import { isObject } from "../../../model/json.ts";
import { didYouMean } from "../../../model/did-you-mean.ts";
import { csvRecords } from "../../../freight/tables/csv.ts";
import { ValidationError, readDay, readDayOrNone } from "../../../freight/tables/field.ts";
import {
  readCarrier,
  readDayKind,
  readEquipment,
  readFlag,
  readFreeDays,
  readHolidays,
  readPort,
  readRates,
} from "./tariff-fields.ts";
import type { Tariff } from "./tariff.ts";

export type ReadTariffs =
  | { readonly kind: "tariffs"; readonly tariffs: readonly Tariff[] }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

const FILE_TARIFFS_MAX = 10_000;

/** One tariff as written, and where: `line 3`, `tariff 2`. */
type RawTariff = { readonly where: string; readonly fields: Readonly<Record<string, unknown>> };

const FIELDS = {
  carrier: readCarrier,
  port: readPort,
  equipment: readEquipment,
  free_days: readFreeDays,
  discharge_day_counts: readFlag,
  days: readDayKind,
  holidays: readHolidays,
  rates: readRates,
  valid_from: readDay,
  valid_to: readDayOrNone,
};

const TARIFF_FIELDS = Object.keys(FIELDS);

/** Listed tariffs have an id; a list can be edited and loaded again. */
const LISTED_ONLY = "id";

/** Two tariffs for one case are ambiguous, and a problem. */
export function readTariffs(text: string, format: "json" | "csv"): ReadTariffs {
  const problems: string[] = [];
  const written = format === "json" ? rawFromJson(text, problems) : rawFromCsv(text, problems);
  if (written.length > FILE_TARIFFS_MAX) {
    return { kind: "invalid", problems: [`there are more than ${FILE_TARIFFS_MAX} tariffs`] };
  }
  const cases = new Map<string, string>();
  const tariffs = written.flatMap((one) => {
    const tariff = readTariff(one, problems);
    if (tariff === null) return [];
    const { carrier, port, equipment, validFrom } = tariff;
    const key = JSON.stringify([carrier, port, equipment, validFrom]);
    const before = cases.get(key);
    if (before !== undefined) {
      problems.push(`${one.where}: the same carrier, port, equipment and valid_from as ${before}`);
    }
    cases.set(key, one.where);
    return [tariff];
  });
  if (problems.length === 0 && tariffs.length === 0) problems.push("there is no tariff in it");
  return problems.length === 0 ? { kind: "tariffs", tariffs } : { kind: "invalid", problems };
}

function rawFromJson(text: string, problems: string[]): readonly RawTariff[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    problems.push(`it is not JSON: ${(error as Error).message}`);
    return [];
  }
  if (!Array.isArray(value)) {
    problems.push("it must be a list of tariffs: [ { … }, { … } ]");
    return [];
  }
  return value.flatMap((fields: unknown, index) => {
    const where = `tariff ${index + 1}`;
    if (isObject(fields)) return [{ where, fields }];
    problems.push(`${where} must be an object`);
    return [];
  });
}

function rawFromCsv(text: string, problems: string[]): readonly RawTariff[] {
  const [heading, ...records] = csvRecords(text);
  const names = heading?.cells?.map((name) => name.toLowerCase()) ?? [];
  if (names.length === 0) {
    problems.push(`line 1 must name the columns: ${TARIFF_FIELDS.join(",")}`);
    return [];
  }
  if (names.length === 1 && names[0]!.includes(";")) {
    problems.push(
      "line 1: semicolons separate its columns, and commas are to: save it as comma-separated values",
    );
    return [];
  }
  const unknown = names.filter((name) => !TARIFF_FIELDS.includes(name));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (unknown.length > 0 || twice.length > 0) {
    problems.push(...unknown.map((name) => `line 1: ${unknownField(name)}`));
    problems.push(...twice.map((name) => `line 1: there are several columns "${name}"`));
    return [];
  }
  return records.flatMap(({ line, cells }) => {
    const where = `line ${line}`;
    if (cells === null) {
      problems.push(`${where}: a quote is not closed, or stands in the middle of a cell`);
      return [];
    }
    if (cells.length > names.length) {
      problems.push(`${where}: there are ${cells.length} cells under ${names.length} columns`);
      return [];
    }
    return [{ where, fields: Object.fromEntries(cells.map((cell, index) => [names[index], cell])) }];
  });
}

function unknownField(name: string): string {
  const meant = didYouMean(name, TARIFF_FIELDS);
  const hint = meant === null ? `there are ${TARIFF_FIELDS.join(", ")}` : `did you mean ${meant}?`;
  return `there is no field "${name}"; ${hint}`;
}

/** Null: its problems were added to `problems`. */
function readTariff({ where, fields }: RawTariff, problems: string[]): Tariff | null {
  const found: string[] = Object.keys(fields)
    .filter((name) => !TARIFF_FIELDS.includes(name) && name !== LISTED_ONLY)
    .map(unknownField);
  const read = <Name extends keyof typeof FIELDS>(name: Name): ReturnType<(typeof FIELDS)[Name]> => {
    try {
      return FIELDS[name](fields[name]) as ReturnType<(typeof FIELDS)[Name]>;
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      found.push(`${name} ${error.message}`);
      return undefined as never;
    }
  };
  const tariff: Tariff = {
    carrier: read("carrier"),
    port: read("port"),
    equipment: read("equipment"),
    freeDays: read("free_days"),
    dischargeDayCounts: read("discharge_day_counts"),
    days: read("days"),
    holidays: read("holidays"),
    rates: read("rates"),
    validFrom: read("valid_from"),
    validTo: read("valid_to"),
  };
  if (found.length === 0 && tariff.validTo !== null && tariff.validTo < tariff.validFrom) {
    found.push("valid_to is before valid_from");
  }
  problems.push(...found.map((problem) => `${where}: ${problem}`));
  return found.length === 0 ? tariff : null;
}
