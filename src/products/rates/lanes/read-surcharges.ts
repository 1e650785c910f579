/** Surcharges as people write them, in JSON or in a cell of CSV → values, or what is wrong (docs/rates.md). */
import { isObject } from "../../../model/json.ts";
import { ValidationError, mustBe, textOf, type ReadField } from "../../../freight/tables/field.ts";
import { digitsOf, minorDigits } from "../currency.ts";
import { formatDecimal, parseDecimal, PERCENT_DIGITS } from "../decimal.ts";
import type { Per } from "./per.ts";
import { percentOf, type Surcharge } from "./surcharges.ts";

/** Surcharges of one rate. */
const SURCHARGES_MAX = 40;
/** Characters. */
const NAME_LENGTH_MAX = 60;
/** Ten times the base, in hundredths of a percent; a rebate is no more than the base. */
const PERCENT_MAX = 100_000n;
const PERCENT_MIN = -10_000n;

/** What surcharges are read by. What could not be read of the line is undefined. */
export type SurchargeContext = {
  /** Of the lane. */
  readonly currency: string | undefined;
  readonly base: bigint | undefined;
  readonly decimalComma: boolean;
  /** Reads amounts of a currency; null: of one that is not known. */
  readonly amountsOf: (currency: string | null) => ReadField<bigint>;
};

/**
 * `[{"code": "BAF", "amount": "350.00"}, {"code": "DOC", "amount": "45", "per": "bill"}, {"code": "CAF", "percent": "7.5"}]`, or
 * `BAF=350.00|DOC=45:bill|CAF=7.5%|THC=1200:CNY:included`.
 */
export function readSurcharges(written: unknown, context: SurchargeContext): readonly Surcharge[] {
  if (isObject(written)) throw mustBe('a list such as [{"code": "BAF", "amount": "350.00"}]', written);
  // Before they are read.
  const parts = Array.isArray(written) ? written : partsOf(textOf(written) ?? "");
  if (parts.length > SURCHARGES_MAX) throw new ValidationError(`has more than ${SURCHARGES_MAX} entries`);
  const surcharges = parts.map((part: unknown) => {
    const entry = Array.isArray(written) ? parseEntry(part) : parseText(part);
    const code = textOf(entry.code)?.toUpperCase() ?? "";
    if (!/^[A-Z0-9]{2,10}$/.test(code)) throw mustBe(FORM, written);
    try {
      return readSurcharge(code, entry, context);
    } catch (error) {
      if (error instanceof ValidationError) throw new ValidationError(`of ${code} ${error.message}`);
      throw error;
    }
  });
  const codes = surcharges.map(({ code }) => code);
  const twice = codes.find((code, index) => codes.indexOf(code) !== index);
  if (twice !== undefined) {
    throw new ValidationError(`names ${twice} twice; add them up, or tell them apart, as OTHC and DTHC`);
  }
  return surcharges.toSorted((one, other) => (one.code < other.code ? -1 : 1));
}

const FORM = "codes and amounts, such as BAF=350.00|DOC=45.00:bill|CAF=7.5%|THC=210.00:included";

type SurchargeEntry = {
  readonly code?: unknown;
  readonly name?: unknown;
  readonly per?: unknown;
  readonly percent?: unknown;
  readonly amount?: unknown;
  readonly currency?: unknown;
  readonly included?: unknown;
};

const ENTRY_FIELDS = ["code", "name", "per", "percent", "amount", "currency", "included"];

function parseEntry(written: unknown): SurchargeEntry {
  if (typeof written !== "object" || written === null) throw new ValidationError("must hold objects");
  const unknownField = Object.keys(written).find((name) => !ENTRY_FIELDS.includes(name));
  if (unknownField !== undefined) {
    throw new ValidationError(
      `has an entry with "${unknownField.slice(0, 60)}"; there are ${ENTRY_FIELDS.join(", ")}`,
    );
  }
  return written;
}

/** One more than there may be, and empty ones, at most; a name in parentheses may have spaces. */
function partsOf(text: string): readonly string[] {
  if (!text.includes("(")) return text.split(/[|;\s]+/, SURCHARGES_MAX + 3).filter((part) => part !== "");
  const parts: string[] = [];
  let [from, isName] = [0, false];
  for (let at = 0; at <= text.length && parts.length <= SURCHARGES_MAX; at += 1) {
    const char = text[at] ?? "|";
    isName = at < text.length && (char === "(" || (isName && char !== ")"));
    if (isName || !SEPARATORS.includes(char)) continue;
    if (at > from) parts.push(text.slice(from, at));
    from = at + 1;
  }
  return parts;
}

const SEPARATORS = "|; \t\r\n\u00a0";

/** `THC(Terminal handling)=1200:CNY:included`; what is none has no code. */
function parseText(part: unknown): SurchargeEntry {
  const [, code, name, amount = "", rest] =
    /^([^=(]*)(?:\(([^()]*)\))?=([^:]*)((?::[^:]*){0,3})$/.exec(String(part)) ?? [];
  if (code === undefined) return {};
  const marks = (rest ?? "").split(":").slice(1);
  const isMark = (mark: string, ...words: readonly string[]) => words.includes(mark.toLowerCase());
  const currencies = marks.filter((mark) => !isMark(mark, "included", "bill", "container"));
  const wrong = currencies.find((mark) => minorDigits(mark.toUpperCase()) === null) ?? currencies[1];
  if (wrong !== undefined) {
    throw new ValidationError(
      `of ${code} has "${wrong.slice(0, 60)}"; there are included, bill and one currency`,
    );
  }
  const bases = ["bill", "container"].filter((base) => marks.some((mark) => isMark(mark, base)));
  if (bases.length > 1) throw new ValidationError(`of ${code} is by bill and by container: leave one out`);
  const isPercent = amount.endsWith("%");
  return {
    code,
    name,
    included: marks.some((mark) => isMark(mark, "included")),
    ...(currencies[0] !== undefined && { currency: currencies[0] }),
    ...(bases[0] === "bill" && { per: "bill" }),
    ...(isPercent ? { percent: amount.slice(0, -1) } : { amount }),
  };
}

function readSurcharge(code: string, entry: SurchargeEntry, context: SurchargeContext): Surcharge {
  const { included = false } = entry;
  if (typeof included !== "boolean") {
    throw new ValidationError("has an included that is neither true nor false");
  }
  const per = readPer(entry);
  const currency = readOwnCurrency(entry.currency, context);
  const common = { code, name: readName(entry.name), per, included };
  if (per !== "percent") {
    const read = context.amountsOf(currency ?? context.currency ?? null);
    return { ...common, percent: null, amount: read(entry.amount), currency };
  }
  if (currency !== null) throw new ValidationError("is a percentage of the base: leave its currency out");
  const percent = readPercent(entry.percent, context.decimalComma);
  const amount = percentOf(context.base ?? 0n, percent);
  checkAmount(entry.amount, amount, context);
  return { ...common, percent, amount, currency };
}

function readPer({ per, percent }: SurchargeEntry): Per {
  const text = textOf(per)?.toLowerCase();
  const isPercent = textOf(percent) !== undefined;
  const read = SPELLINGS.get(text ?? (isPercent ? "percent" : "container"));
  if (read === undefined) throw new ValidationError(`has a per that is none of container, bill and percent`);
  if (isPercent && read !== "percent") {
    throw new ValidationError(`has a percent, but is per ${read}: leave one of them out`);
  }
  return read;
}

const SPELLINGS: ReadonlyMap<string, Per> = new Map([
  ["container", "container"],
  ["bill", "bill"],
  ["b/l", "bill"],
  ["bl", "bill"],
  ["percent", "percent"],
]);

/** Null: the lane's. */
function readOwnCurrency(written: unknown, { currency }: SurchargeContext): string | null {
  const text = textOf(written)?.toUpperCase();
  if (text === undefined || text === currency) return null;
  if (minorDigits(text) === null) throw mustBe("in a currency of ISO 4217 such as USD", written);
  return text;
}

function readName(written: unknown): string | null {
  const text = (textOf(written) ?? "").replaceAll(/\s+/g, " ");
  if (text.length > NAME_LENGTH_MAX || !text.isWellFormed() || /\p{C}/u.test(text)) {
    throw new ValidationError(`has a name of more than one line or ${NAME_LENGTH_MAX} characters`);
  }
  return text === "" ? null : text;
}

function readPercent(written: unknown, decimalComma: boolean): bigint {
  const text = textOf(written) ?? "";
  const plain = decimalComma && !text.includes(".") ? text.replace(",", ".") : text;
  const percent = parseDecimal(plain, PERCENT_DIGITS);
  if (percent === null || percent > PERCENT_MAX || percent < PERCENT_MIN) {
    throw mustBe("a percentage with at most two decimals, from -100 to 1000, such as 7.5", written);
  }
  return percent;
}

/** A rate that is listed states what its percentages come to. */
function checkAmount(
  written: unknown,
  amount: bigint,
  { currency, base, amountsOf }: SurchargeContext,
): void {
  if (currency === undefined || base === undefined || textOf(written) === undefined) return;
  if (amountsOf(currency)(written) !== amount) {
    throw mustBe(`${formatDecimal(amount, digitsOf(currency))}, or left out`, written);
  }
}
