/** A file of tariffs, JSON or CSV → tariffs, or all that is wrong with it, each with its line (docs/demurrage.md). */
import {
  readDay,
  readDayOrNone,
  type ReadField,
  ValidationError,
  mustBe,
  textOf,
} from "../../../freight/tables/field.ts";
import {
  fieldsReader,
  parseRows,
  unknownFields,
  type Row,
  type Table,
  type TableFormat,
} from "../../../freight/tables/rows.ts";
import type { TableProblem } from "../../../freight/tables/table-bodies.ts";
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import type { Tariff, Rate } from "./tariff.ts";

const FREE_DAYS_MAX = 365;

const RATES_MAX = 20;

const HOLIDAYS_MAX = 400;

const readCarrier: ReadField<string> = (written) => {
  const text = textOf(written)?.toUpperCase();
  if (text === undefined || !/^[A-Z]{2,4}$/.test(text)) throw mustBe("a SCAC, two to four letters", written);
  return text;
};

export const readPort: ReadField<string | null> = (written) => {
  const text = textOf(written)?.toUpperCase().replaceAll(" ", "");
  if (text === undefined || text === "*") return null;
  if (!/^[A-Z]{2}[A-Z2-9]{3}$/.test(text)) throw mustBe("a UN/LOCODE such as NLRTM, or left out", written);
  return text;
};

const LENGTHS: Readonly<Record<string, string>> = { "20FT": "2", "40FT": "4", "45FT": "L" };

/** The spelling for a file, which {@link readEquipment} reads back. */
export function equipmentText(code: string): string {
  const length = Object.entries(LENGTHS).find(([, begins]) => begins === code);
  return length === undefined ? code : length[0].toLowerCase();
}

export const readEquipment: ReadField<string | null> = (written) => {
  const text = textOf(written)?.toUpperCase();
  if (text === undefined || text === "*") return null;
  const code = LENGTHS[text] ?? text;
  if (!/^[0-9A-Z]{1,4}$/.test(code)) {
    throw mustBe("20ft, 40ft, 45ft, how an ISO 6346 size and type code begins, or left out", written);
  }
  return code;
};

const readFreeDays: ReadField<number> = (written) => {
  const days = wholeNumber(written);
  if (days === null || days > FREE_DAYS_MAX)
    throw mustBe(`a whole number from 0 to ${FREE_DAYS_MAX}`, written);
  return days;
};

const readFlag: ReadField<boolean> = (written) => {
  const text = textOf(written)?.toLowerCase();
  if (text === undefined || text === "false" || text === "no") return false;
  if (text === "true" || text === "yes") return true;
  throw mustBe("true or false", written);
};

const readDayKind: ReadField<"calendar" | "working"> = (written) => {
  const text = textOf(written)?.toLowerCase() ?? "calendar";
  if (text !== "calendar" && text !== "working") throw mustBe("calendar or working", written);
  return text;
};

/** A list, or days separated by spaces or semicolons. */
const readHolidays: ReadField<readonly string[]> = (written) => {
  const days = Array.isArray(written) ? written : (textOf(written)?.split(/[\s;]+/) ?? []);
  if (days.length > HOLIDAYS_MAX) throw new ValidationError(`has more than ${HOLIDAYS_MAX} days`);
  return days.map(readDay);
};

/** `[{"from_day": 1, "usd": 75}]`, or `1=75.00;6=150`. */
export const readRates: ReadField<readonly Rate[]> = (written) => {
  const pairs = Array.isArray(written)
    ? written.map((tier: { from_day?: unknown; usd?: unknown } | null) => [tier?.from_day, tier?.usd])
    : (textOf(written)?.split(/[\s;]+/) ?? []).map((tier) => tier.split("="));
  if (pairs.length > RATES_MAX) throw new ValidationError(`has more than ${RATES_MAX} tiers`);
  const rates = pairs.map(([day, usd]) => ({ fromDay: wholeNumber(day), centsUsd: centsOf(usd) }));
  const isRate = (rate: (typeof rates)[number]): rate is Rate =>
    rate.fromDay !== null && rate.centsUsd !== null;
  if (!rates.every(isRate)) {
    throw mustBe("days and US dollars with at most two decimals, such as 1=75.00;6=150", written);
  }
  const rising = rates.every(({ fromDay }, index) => fromDay > (rates[index - 1]?.fromDay ?? 0));
  if (!rising || (rates[0]?.fromDay ?? 1) !== 1) {
    throw new ValidationError(
      "must begin with day 1, the first one overdue, and name later days after earlier ones",
    );
  }
  return rates;
};

function wholeNumber(written: unknown): number | null {
  const text = textOf(written);
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : null;
}

function centsOf(written: unknown): number | null {
  const [, dollars, cents = ""] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(textOf(written) ?? "") ?? [];
  return dollars === undefined ? null : Number(dollars) * 100 + Number(cents.padEnd(2, "0"));
}

export type ReadTariffs =
  | { readonly kind: "tariffs"; readonly tariffs: readonly Tariff[] }
  | { readonly kind: "invalid"; readonly problems: readonly TableProblem[] };

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

/** Reads a file. Two tariffs for one case are wrong as well: nobody could tell which holds. */
export function* readTariffs(bytes: Buffer, format: TableFormat): SlicedWork<ReadTariffs> {
  const parsed = yield* parseRows(bytes, format, TARIFFS);
  if (parsed.kind === "unreadable") return unreadable(parsed.problems);
  const problems: TableProblem[] = [];
  const tariffs: Tariff[] = [];
  const lineOf = new Map<string, number>();
  let count = 0;
  for (const row of parsed.rows) {
    yield;
    if (row === null) continue;
    if ((count += 1) > FILE_TARIFFS_MAX)
      return unreadable([`there are more than ${FILE_TARIFFS_MAX} tariffs`]);
    const { line } = row;
    const tariff = readTariff(row.fields);
    if (isProblems(tariff)) {
      problems.push(...tariff.map((message) => ({ line, message })));
      continue;
    }
    const { carrier, port, equipment, validFrom } = tariff;
    const key = JSON.stringify([carrier, port, equipment, validFrom]);
    const before = lineOf.get(key);
    if (before !== undefined) {
      const message = `the same carrier, port, equipment and valid_from as line ${before}`;
      problems.push({ line, message });
    }
    lineOf.set(key, line);
    tariffs.push(tariff);
  }
  if (problems.length > 0) return { kind: "invalid", problems };
  return tariffs.length === 0 ? unreadable(["there is no tariff in it"]) : { kind: "tariffs", tariffs };
}

function unreadable(messages: readonly string[]): ReadTariffs {
  return { kind: "invalid", problems: messages.map((message) => ({ line: null, message })) };
}

function isProblems(read: Tariff | readonly string[]): read is readonly string[] {
  return Array.isArray(read);
}

/** The tariff, or all that is wrong with it. */
function readTariff(fields: Row["fields"]): Tariff | readonly string[] {
  if (typeof fields === "string") return [fields];
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
  if (found.length > 0) return found;
  const isOver = tariff.validTo !== null && tariff.validTo < tariff.validFrom;
  return isOver ? ["valid_to is before valid_from"] : tariff;
}
