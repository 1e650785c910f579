/** The fields of exchange rates, as tables have them (docs/rates.md). */
import { isDay, mustBe, textOf, ValidationError, type ReadField } from "../../../freight/tables/field.ts";
import { parseDecimal } from "../decimal.ts";
import { dayText, isoDay } from "../lanes/rate-fields.ts";
import { EXCHANGE_DIGITS, EXCHANGE_UNIT } from "./exchange-rate.ts";

const SOURCE_LENGTH_MAX = 200;

export const readSource: ReadField<string> = (written) => {
  const text = textOf(written);
  const isGood = text !== undefined && text.length <= SOURCE_LENGTH_MAX && text.isWellFormed();
  // oxlint-disable-next-line no-control-regex -- what the store cannot keep, or a terminal would obey
  if (!isGood || /[\u0000-\u001f\u007f]/.test(text)) {
    throw mustBe(
      `a name or a URL, one line of at most ${SOURCE_LENGTH_MAX} characters, such as ECB`,
      written,
    );
  }
  return text;
};

const MONTHS = [
  ...["january", "february", "march", "april", "may", "june", "july"],
  ...["august", "september", "october", "november", "december"],
];

/** As the European Central Bank writes in its file of one day: `31 January 2026`. */
const WORDED = /^(\d{1,2}) ([a-z]{3,9}) (\d{4})$/;

function dateOf(text: string): string {
  const [, day, name = "", year = ""] = WORDED.exec(text.toLowerCase()) ?? [];
  const month = MONTHS.findIndex((one) => one === name || one.slice(0, 3) === name) + 1;
  return day === undefined || month === 0 ? isoDay(text) : dayText(year, String(month), day);
}

/** Official rates are published some weeks ahead; a day further away is a slip. */
const DAYS_AHEAD_MAX = 366;

export function exchangeDateReader(today: string): ReadField<string> {
  const last = Temporal.PlainDate.from(today).add({ days: DAYS_AHEAD_MAX }).toString();
  return (written) => {
    const date = dateOf(textOf(written) ?? "");
    if (!isDay(date)) throw mustBe("a day such as 2026-01-31", written);
    if (date > last) throw new ValidationError(`must not be more than a year ahead, as ${date} is`);
    return date;
  };
}

/** Where commas begin decimals, `1.234` may be a thousand. */
const AMBIGUOUS = /^[1-9]\d{0,2}\.\d{3}$/;

/**
 * What one unit of `base` costs in `currency`. Null: it costs 1, because they are the same, and there is nothing to
 * keep. Undefined where they could not be read.
 */
export function readExchangeRate(
  written: unknown,
  currency: string | undefined,
  base: string | undefined,
  decimalComma: boolean,
): bigint | null {
  const text = textOf(written) ?? "";
  const isUnclear = decimalComma && AMBIGUOUS.test(text);
  const plain = decimalComma && !text.includes(".") ? text.replace(",", ".") : text;
  const rate = isUnclear ? null : parseDecimal(plain, EXCHANGE_DIGITS);
  if (rate === null || rate <= 0n) {
    const example = decimalComma ? "1,0832" : "1.0832";
    throw mustBe(
      `a number above 0 such as ${example}, with at most ${EXCHANGE_DIGITS} decimals and nothing between thousands`,
      written,
    );
  }
  if (base === undefined || currency !== base) return rate;
  if (rate === EXCHANGE_UNIT) return null;
  throw new ValidationError(`must be 1, because ${base} is the base of the rates; is it another currency?`);
}

/**
 * Currencies that ISO 4217 has withdrawn and that the European Central Bank's file still has columns for. No rate of a
 * lane can be in them.
 */
export const WITHDRAWN: ReadonlySet<string> = new Set([
  "CYP",
  "EEK",
  "HRK",
  "LTL",
  "LVL",
  "MTL",
  "ROL",
  "SIT",
  "SKK",
  "TRL",
]);
