/** The fields of a tariff, as written in JSON or CSV → values, or a validation error. */
import { ValidationError, mustBe, type ReadField, readDay, textOf } from "../../../freight/tables/field.ts";
import type { Rate } from "./tariff.ts";

const FREE_DAYS_MAX = 365;

const RATES_MAX = 20;

const HOLIDAYS_MAX = 400;

export const readCarrier: ReadField<string> = (written) => {
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

export const readFreeDays: ReadField<number> = (written) => {
  const days = wholeNumber(written);
  if (days === null || days > FREE_DAYS_MAX)
    throw mustBe(`a whole number from 0 to ${FREE_DAYS_MAX}`, written);
  return days;
};

export const readFlag: ReadField<boolean> = (written) => {
  const text = textOf(written)?.toLowerCase();
  if (text === undefined || text === "false" || text === "no") return false;
  if (text === "true" || text === "yes") return true;
  throw mustBe("true or false", written);
};

export const readDayKind: ReadField<"calendar" | "working"> = (written) => {
  const text = textOf(written)?.toLowerCase() ?? "calendar";
  if (text !== "calendar" && text !== "working") throw mustBe("calendar or working", written);
  return text;
};

/** A list, or days separated by spaces or semicolons. */
export const readHolidays: ReadField<readonly string[]> = (written) => {
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
