/**
 * An air waybill's number as people write it → eleven digits (IATA Resolution 600a): three of the airline,
 * seven of the serial number, and a check digit, which is those seven modulo 7.
 */

export type Awb = {
  /** Eleven digits. */
  readonly awb: string;
  /** The first three, which name the airline. */
  readonly prefix: string;
};

export type AwbReading =
  | ({ readonly kind: "awb" } & Awb)
  /** `message` says what is wrong, and the check digit that would be right. */
  | { readonly kind: "invalid"; readonly message: string };

const DIGITS = 11;
const SERIAL_FROM = 3;
const CHECK_DIGIT_AT = 10;
const WRITTEN_LENGTH_MAX = 100;

/** What may stand around digits: all but letters and other digits, and but what is left of a broken encoding. */
const SEPARATORS = /[^\p{L}\p{N}%]+/gu;

const LABEL = /^[^\p{L}\p{N}]*(?:M?AWB|(?:master )?air ?waybill)(?:\W*(?:no|nr|number))?([^\p{L}%]|$)/iu;

/** Reads a number in any formatting: `176-12345675`, `AWB (176) 1234 5675`, also percent-encoded or in full-width digits. */
export function readAwb(written: string): AwbReading {
  if (written.length > WRITTEN_LENGTH_MAX) return wrongLength("more");
  const digits = decoded(written).normalize("NFKC").replace(LABEL, "$1").replaceAll(SEPARATORS, "");
  const other = /[^0-9]/u.exec(digits)?.[0];
  if (other !== undefined) {
    return invalid(`an air waybill's number has digits only, such as 176-12345675, and no ${other}`);
  }
  if (digits.length !== DIGITS) return wrongLength(digits.length === 0 ? "none" : String(digits.length));
  if (hasValidCheckDigit(digits)) return { kind: "awb", ...awbOf(digits) };
  return invalid(
    `${formatAwb(digits)} is no air waybill: after ${digits.slice(SERIAL_FROM, CHECK_DIGIT_AT)} the last digit would be ${checkDigitOf(digits)}; check the number for a slip`,
  );
}

/** Eleven digits that have been read before. */
export function awbOf(digits: string): Awb {
  return { awb: digits, prefix: digits.slice(0, SERIAL_FROM) };
}

/** `176-12345675`, as it is printed. */
export function formatAwb(awb: string): string {
  return `${awb.slice(0, SERIAL_FROM)}-${awb.slice(SERIAL_FROM)}`;
}

/** The digit that belongs behind the ten that an air waybill's number begins with. */
export function checkDigitOf(digits: string): string {
  return String(Number(digits.slice(SERIAL_FROM, CHECK_DIGIT_AT)) % 7);
}

/** Whether the last of eleven digits is the right one. */
export function hasValidCheckDigit(digits: string): boolean {
  return digits[CHECK_DIGIT_AT] === checkDigitOf(digits);
}

function wrongLength(found: string): AwbReading {
  return invalid(
    `an air waybill's number has ${DIGITS} digits, three of the airline and eight behind them; this has ${found}`,
  );
}

function invalid(message: string): AwbReading {
  return { kind: "invalid", message };
}

/** Some clients encode twice what a server decodes once. */
function decoded(written: string): string {
  if (!written.includes("%")) return written;
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/**
 * Puts a waybill's number where a template has `{awb}` (eleven digits), `{prefix}` (the first three) or
 * `{serial}` (the other eight). Other braces stay: messages may be JSON.
 */
export function fillTemplate(template: string, awb: string): string {
  const { prefix } = awbOf(awb);
  return template
    .replaceAll("{awb}", awb)
    .replaceAll("{prefix}", prefix)
    .replaceAll("{serial}", awb.slice(prefix.length));
}
