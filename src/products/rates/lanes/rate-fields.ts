/** The fields of a lane's rate as people write them, in JSON or in a cell of CSV → values, or what is wrong. */
import { mustBe, isDay, textOf, type ReadField } from "../../../freight/tables/field.ts";
import { digitsOf, minorDigits } from "../currency.ts";
import { parseDecimal } from "../decimal.ts";

const UNLOCODE = /^[A-Z]{2}[A-Z2-9]{3}$/;

export const readPlace: ReadField<string> = (written) => {
  const text = textOf(written)?.toUpperCase().replaceAll(" ", "");
  if (text === undefined || !UNLOCODE.test(text)) throw mustBe("a UN/LOCODE such as NLRTM", written);
  return text;
};

export const readCarrierOrMarket: ReadField<string | null> = (written) => {
  const text = textOf(written)?.toUpperCase();
  if (text === undefined || text === "*" || text === "MARKET") return null;
  if (!/^[A-Z]{2,4}$/.test(text)) {
    throw mustBe("a SCAC, two to four letters, or left out for the market's rate", written);
  }
  return text;
};

export const readCurrency: ReadField<string> = (written) => {
  const text = textOf(written)?.toUpperCase();
  if (text === undefined || minorDigits(text) === null) {
    throw mustBe("a currency of ISO 4217 such as USD", written);
  }
  return text;
};

/** `2026-01-31`, or `31.01.2026`. */
export const readDate: ReadField<string> = (written) => {
  const date = isoDay(textOf(written) ?? "");
  if (!isDay(date)) throw mustBe("a day such as 2026-01-31", written);
  return date;
};

const DOTTED_DATE = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

/** `31.01.2026` as `2026-01-31`: where points stand, the day comes first. Other text does not change. */
export function isoDay(text: string): string {
  const [, day = "", month = "", year = ""] = DOTTED_DATE.exec(text) ?? [];
  return year === "" ? text : dayText(year, month, day);
}

/** Of numbers as they are written. */
export function dayText(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

export const readDateOrNull: ReadField<string | null> = (written) =>
  textOf(written) === undefined ? null : readDate(written);

/** `2.000` may be two thousand or two, and nobody is to guess at money. */
const AMBIGUOUS_SEPARATOR = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Reads amounts of one currency; where columns are separated by semicolons, also with a decimal comma. Without a
 * currency it refuses what no currency has as an amount, and its values mean nothing.
 */
export function amountReader(currency: string | null, decimalComma: boolean): ReadField<bigint> {
  const digits = currency === null ? DIGITS_MAX : digitsOf(currency);
  const fraction = currency === null ? "50" : "50".padEnd(digits, "0").slice(0, digits);
  const example = digits === 0 ? "1234" : `1234${decimalComma ? "," : "."}${fraction}`;
  const whose =
    currency === null
      ? "no currency has more than three decimals"
      : `${currency} has ${DECIMALS_TEXT[digits]}`;
  return (written) => {
    const text = textOf(written) ?? "";
    const hasPoint = text.includes(".");
    const isUnclear = AMBIGUOUS_SEPARATOR.test(text) && (digits < 3 || (decimalComma && hasPoint));
    const plain = decimalComma && !hasPoint ? text.replace(",", ".") : text;
    const units = isUnclear ? null : parseDecimal(plain, digits);
    if (units === null) {
      throw mustBe(`an amount such as ${example}: ${whose}, and there is nothing between thousands`, written);
    }
    return units;
  };
}

/** Of the currency that has the most. */
const DIGITS_MAX = 3;

const DECIMALS_TEXT: Readonly<Record<number, string>> = {
  0: "no decimals",
  2: "at most two decimals",
  3: "at most three decimals",
};
