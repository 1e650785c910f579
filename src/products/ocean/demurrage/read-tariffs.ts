/** A file of tariffs, JSON or CSV → tariffs, or all that is wrong with it, each with its line (docs/demurrage.md). */
import { readDay, readDayOrNone, type ReadField } from "../../../freight/tables/field.ts";
import {
  fieldsReader,
  parseRows,
  unknownFields,
  type Row,
  type Table,
  type TableFormat,
} from "../../../freight/tables/rows.ts";
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

const TARIFFS: Table = {
  name: "tariffs",
  fields: Object.keys(FIELDS),
  required: [],
  outputOnly: ["id"],
  exactNumbers: false,
  takesSemicolons: false,
};

/** Reads the text of a file. Two tariffs for one case are wrong as well: nobody could tell which holds. */
export function readTariffs(text: string, format: TableFormat): ReadTariffs {
  const parsed = parseRows(text, format, TARIFFS);
  if (parsed.kind === "unreadable") return { kind: "invalid", problems: parsed.problems };
  const problems: string[] = [];
  const written = [...parsed.rows];
  if (written.length > FILE_TARIFFS_MAX) {
    return { kind: "invalid", problems: [`there are more than ${FILE_TARIFFS_MAX} tariffs`] };
  }
  const cases = new Map<string, string>();
  const tariffs = written.flatMap((row) => {
    const where = `${format === "json" ? "tariff" : "line"} ${row.line}`;
    const tariff = readTariff(row.fields, where, problems);
    if (tariff === null) return [];
    const { carrier, port, equipment, validFrom } = tariff;
    const key = JSON.stringify([carrier, port, equipment, validFrom]);
    const before = cases.get(key);
    if (before !== undefined) {
      problems.push(`${where}: the same carrier, port, equipment and valid_from as ${before}`);
    }
    cases.set(key, where);
    return [tariff];
  });
  if (problems.length === 0 && tariffs.length === 0) problems.push("there is no tariff in it");
  return problems.length === 0 ? { kind: "tariffs", tariffs } : { kind: "invalid", problems };
}

/** Null: something is wrong with it, and has been added to `problems`. */
function readTariff(fields: Row["fields"], where: string, problems: string[]): Tariff | null {
  if (typeof fields === "string") {
    problems.push(`${where}: ${fields}`);
    return null;
  }
  const found = [...unknownFields(TARIFFS, Object.keys(fields))];
  const readField = fieldsReader(fields, found);
  const read = <Name extends keyof typeof FIELDS>(name: Name) =>
    readField(name, FIELDS[name] as ReadField<ReturnType<(typeof FIELDS)[Name]>>);
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
