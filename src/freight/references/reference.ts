/**
 * The reference a client tracks by: a container number, a bill of lading or a booking, in any usual
 * way of writing (spec 1, 2.4).
 */
import { BILL_PREFIXES, BOOKING_PATTERNS, ownersOf } from "./owner-codes.ts";

export type IdentifierType = "container_id" | "bill_of_lading" | "booking";

export type Reference = {
  /** Letters A to Z and digits: upper case, without labels and punctuation. */
  readonly text: string;
  /** Null where the form does not tell: a bill of lading or a booking. */
  readonly type: IdentifierType | null;
};

export type InvalidReference = { readonly kind: "invalid"; readonly message: string };
export type ReadReference = ({ readonly kind: "reference" } & Reference) | InvalidReference;

/** The shortest and the longest reference, in characters after normalising; DCSA allows 35. */
const REFERENCE_LENGTH_MIN = 5;
const REFERENCE_LENGTH_MAX = 35;
/** As sent; what is longer is no reference in any way of writing. */
const SENT_LENGTH_MAX = 200;

/** ISO 6346: owner code, category (U freight, J detachable, Z chassis), serial number, check digit. */
const CONTAINER_NUMBER = /^[A-Z]{3}[UJZ][0-9]{7}$/;
const WITHOUT_CHECK_DIGIT = /^[A-Z]{3}[UJZ][0-9]{6}$/;
/** The same with letters and digits taken for each other, as far as they look alike. */
const ALMOST_CONTAINER_NUMBER = /^[A-Z01]{4}[0-9OI]{7}$/;
/** Several, one after the other. */
const CONTAINER_NUMBERS = /^(?:[A-Z]{3}[UJZ][0-9]{7}){2,}$/;

/**
 * Reads what a client sent. A container number whose check digit is wrong is refused with the right
 * one in the message: it is nearly always a slip of the hand, and no carrier would ever know it.
 * `billPrefixes` are the SCACs that open a bill of lading's number beside those of the main lines.
 */
export function readReference(sent: string, billPrefixes: readonly string[]): ReadReference {
  if (sent.length > SENT_LENGTH_MAX) return invalid(LENGTHS);
  const prefixes = [...BILL_PREFIXES, ...billPrefixes];
  const plain = unlabelled(sent.normalize("NFKC"), prefixes);
  // Some letters become others in upper case: only after it is known that there are none.
  if (!/^[A-Za-z0-9]*$/.test(plain)) {
    return invalid("a reference has letters A to Z and digits only, spaces and hyphens aside");
  }
  const text = plain.toUpperCase();
  if (text.length < REFERENCE_LENGTH_MIN || text.length > REFERENCE_LENGTH_MAX) return invalid(LENGTHS);
  const slip = typingErrorIn(text, prefixes);
  return slip === null ? { kind: "reference", text, type: typeOf(text, prefixes) } : invalid(slip);
}

const LENGTHS = `a reference has ${REFERENCE_LENGTH_MIN} to ${REFERENCE_LENGTH_MAX} letters and digits`;

function invalid(message: string): InvalidReference {
  return { kind: "invalid", message };
}

function typeOf(text: string, billPrefixes: readonly string[]): IdentifierType | null {
  if (CONTAINER_NUMBER.test(text)) return "container_id";
  if (BOOKING_PATTERNS.some((form) => form.test(text))) return "booking";
  return billPrefixes.some((prefix) => text.startsWith(prefix)) ? "bill_of_lading" : null;
}

/**
 * Spaces, dashes and hyphens of all scripts (Japanese keyboards give ー), characters of no width, `.` and `/`;
 * brackets, as documents have them around a check digit, and the quotation marks of a spreadsheet.
 */
const PUNCTUATION = /[\s\p{Pd}\p{Cf}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\u2212\u30FC./"']/gu;

/** The first group: labels that no reference begins with when a space follows them. The others could begin one. */
const LABEL = /^\s*(?:(M?B\/L|BILLS? OF LADING|SEA WAYBILL|BOOKING|CONTAINER)|M?BL|M?BOL|BKG|CNTR|CTR|CONT)/i;
/** What a label and the reference can be parted by: `No.`, `#`, `:` … The group belongs to the reference. */
const MARK =
  /^(?:\s+(?:NO|NR|NUM|NUMBER|REF|REFERENCE)(?:[.\s]+(?:[:#]\s*)?|[:#]\s*|([^A-Z0-9.\s:#]|$))|\s*[:#]\s*)/i;
const SHORT_LABEL = /^\s*(?:M?BL|M?BOL|BKG|CNTR|CTR|CONT)\.?\s+/i;

/**
 * Without punctuation, and without a label where that is plainly one: `BL 1234567` may be the number
 * itself, `B/L no. 1234567` is not, and neither is `BL MAEU1234567`.
 */
function unlabelled(sent: string, billPrefixes: readonly string[]): string {
  const bare = (text: string): string => text.replaceAll(PUNCTUATION, "");
  const rest = bare(withoutLabel(sent));
  const shorter = bare(sent.replace(SHORT_LABEL, ""));
  const start = shorter.toUpperCase();
  const speaks = isContainerNumber(start) || billPrefixes.some((prefix) => start.startsWith(prefix));
  return speaks && shorter.length < rest.length ? shorter : rest;
}

function withoutLabel(sent: string): string {
  const label = LABEL.exec(sent);
  if (label === null) return sent;
  const after = sent.slice(label[0].length);
  const unmarked = after.replace(MARK, "$1");
  if (unmarked.length < after.length) return unmarked;
  return label[1] !== undefined && /^\s/.test(after) ? after : sent;
}

/** What is plainly wrong with a container number, and what it should be; null when nothing is. */
function typingErrorIn(text: string, billPrefixes: readonly string[]): string | null {
  if (CONTAINER_NUMBER.test(text)) {
    const right = checkDigit(text);
    if (text[10] === String(right)) return null;
    return `${text} is no container number: its check digit should be ${right} (${text.slice(0, 10)}${right}), not ${text[10]}`;
  }
  if (WITHOUT_CHECK_DIGIT.test(text) && !mayBeBill(text, billPrefixes)) {
    return `${text} lacks its last digit, the check digit: a container number has seven (${text}${checkDigit(text)})`;
  }
  if (CONTAINER_NUMBERS.test(text)) {
    return `${text} is ${text.length / 11} container numbers: each is tracked by itself`;
  }
  if (!ALMOST_CONTAINER_NUMBER.test(text)) return null;
  const owner = text.slice(0, 4).replaceAll("0", "O").replaceAll("1", "I");
  const meant = owner + text.slice(4).replaceAll("O", "0").replaceAll("I", "1");
  if (!isContainerNumber(meant)) return null;
  return `${text} is no container number: it should be ${meant}, which begins with four letters and goes on with seven digits`;
}

/** A line's own containers may be numbered by its SCAC, and no such line has bills this short. */
function mayBeBill(text: string, billPrefixes: readonly string[]): boolean {
  return ownersOf(text.slice(0, 4)).length === 0 && billPrefixes.some((prefix) => text.startsWith(prefix));
}

function isContainerNumber(text: string): boolean {
  return CONTAINER_NUMBER.test(text) && text[10] === String(checkDigit(text));
}

/**
 * The check digit of ISO 6346 for a container number's first ten characters: letters count from 10
 * with the multiples of 11 left out, each place weighs twice the one before it, and the remainder 10
 * is written 0.
 */
export function checkDigit(number: string): number {
  let sum = 0;
  for (let place = 0; place < 10; place += 1) {
    const character = number[place] ?? "";
    const letter = character.charCodeAt(0) - 65;
    const value = letter < 0 ? Number(character) : letter + 10 + Math.floor((letter + 9) / 10);
    sum += value * 2 ** place;
  }
  return (sum % 11) % 10;
}
