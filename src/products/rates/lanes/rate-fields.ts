/** The fields of a lane's rate as people write them, in JSON or in a cell of CSV → values, or what is wrong. */
import { isObject } from "../../../model/json.ts";
import { ValidationError, mustBe, isDay, textOf, type ReadField } from "../../../freight/tables/field.ts";
import { digitsOf, minorDigits } from "../currency.ts";
import { parseDecimal } from "../decimal.ts";
import type { Surcharge } from "./lane.ts";

/** Surcharges of one rate. */
const SURCHARGES_MAX = 40;

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

/** `2026-01-31`, or `31.01.2026`: where points stand, the day comes first. */
export const readDate: ReadField<string> = (written) => {
  const text = textOf(written);
  const [, day = "", month = "", year = ""] = DOTTED_DATE.exec(text ?? "") ?? [];
  const date = year === "" ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (date === undefined || !isDay(date)) throw mustBe("a day such as 2026-01-31", written);
  return date;
};

const DOTTED_DATE = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

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

/** `[{"code": "BAF", "amount": "350.00", "included": false}]`, or `BAF=350.00|THC=210.00:included`. */
export function readSurcharges(written: unknown, readAmount: ReadField<bigint>): readonly Surcharge[] {
  if (isObject(written)) throw mustBe('a list such as [{"code": "BAF", "amount": "350.00"}]', written);
  // Before they are read.
  const parts = Array.isArray(written) ? written : partsOf(textOf(written) ?? "");
  if (parts.length > SURCHARGES_MAX) throw new ValidationError(`has more than ${SURCHARGES_MAX} entries`);
  const entries = parts.map((part: unknown) => (Array.isArray(written) ? parseEntry(part) : parseText(part)));
  const surcharges = entries.map(({ code, amount, included }) => {
    const name = textOf(code)?.toUpperCase() ?? "";
    if (!/^[A-Z0-9]{2,10}$/.test(name)) {
      throw mustBe("codes and amounts, such as BAF=350.00|THC=210.00:included", written);
    }
    try {
      return { code: name, amount: readAmount(amount), included };
    } catch (error) {
      if (error instanceof ValidationError) throw new ValidationError(`of ${name} ${error.message}`);
      throw error;
    }
  });
  const codes = surcharges.map(({ code }) => code);
  const twice = codes.find((code, index) => codes.indexOf(code) !== index);
  if (twice !== undefined) throw new ValidationError(`names ${twice} twice`);
  return surcharges.toSorted((one, other) => (one.code < other.code ? -1 : 1));
}

type SurchargeEntry = { readonly code: unknown; readonly amount: unknown; readonly included: boolean };

const ENTRY_FIELDS = ["code", "amount", "included"];

function parseEntry(written: unknown): SurchargeEntry {
  if (typeof written !== "object" || written === null) throw new ValidationError("must hold objects");
  const unknownField = Object.keys(written).find((name) => !ENTRY_FIELDS.includes(name));
  if (unknownField !== undefined) {
    throw new ValidationError(
      `has an entry with "${unknownField.slice(0, 60)}"; there are ${ENTRY_FIELDS.join(", ")}`,
    );
  }
  const {
    code,
    amount,
    included = false,
  } = written as { code?: unknown; amount?: unknown; included?: unknown };
  if (typeof included !== "boolean")
    throw new ValidationError("has an entry whose included is neither true nor false");
  return { code, amount, included };
}

/** One more than there may be, and empty ones, at most. */
function partsOf(text: string): readonly string[] {
  return text.split(/[|;\s]+/, SURCHARGES_MAX + 3).filter((part) => part !== "");
}

function parseText(part: unknown): SurchargeEntry {
  const [, code, amount, included] = /^([^=]*)=([^:]*)(:included)?$/i.exec(String(part)) ?? [];
  return { code, amount, included: included !== undefined };
}
