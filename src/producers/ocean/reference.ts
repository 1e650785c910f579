/**
 * The reference a client tracks by: a container number, a bill of lading or a booking, in any usual
 * way of writing (spec 1, 2.4).
 */
export type IdentifierType = "container_id" | "bill_of_lading" | "booking";

export type Reference = {
  /** Upper case, without spaces, hyphens, dots and slashes. */
  readonly text: string;
  /** Null where the form does not tell: a bill of lading or a booking. */
  readonly type: IdentifierType | null;
};

export type InvalidReference = { readonly kind: "invalid"; readonly message: string };
export type ReadReference = ({ readonly kind: "reference" } & Reference) | InvalidReference;

/** The shortest and the longest reference, in characters after normalising; DCSA allows 35. */
const REFERENCE_LENGTH_MIN = 5;
const REFERENCE_LENGTH_MAX = 35;

/** ISO 6346: owner code, category (U freight, J detachable, Z chassis), serial number, check digit. */
const CONTAINER_NUMBER = /^[A-Z]{3}[UJZ][0-9]{7}$/;

/**
 * Reads what a client sent. A container number whose check digit is wrong is refused with the right
 * one in the message: it is nearly always a slip of the hand, and no carrier would ever know it.
 * `billPrefixes` are the SCACs that open a bill of lading's number.
 */
export function readReference(sent: string, billPrefixes: readonly string[]): ReadReference {
  const text = sent.toUpperCase().replaceAll(/[\s./\u2010-\u2015-]/g, "");
  if (!/^[A-Z0-9]*$/.test(text)) {
    return invalid("a reference has letters A to Z and digits only, spaces and hyphens aside");
  }
  if (text.length < REFERENCE_LENGTH_MIN || text.length > REFERENCE_LENGTH_MAX) {
    return invalid(`a reference has ${REFERENCE_LENGTH_MIN} to ${REFERENCE_LENGTH_MAX} letters and digits`);
  }
  if (CONTAINER_NUMBER.test(text)) {
    const right = checkDigit(text);
    if (text[10] === String(right)) return { kind: "reference", text, type: "container_id" };
    const corrected = text.slice(0, 10) + right;
    return invalid(
      `${text} is no container number: its check digit should be ${right} (${corrected}), not ${text[10]}`,
    );
  }
  const type = billPrefixes.some((prefix) => text.startsWith(prefix)) ? "bill_of_lading" : null;
  return { kind: "reference", text, type };
}

function invalid(message: string): InvalidReference {
  return { kind: "invalid", message };
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
