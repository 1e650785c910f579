/**
 * The container numbers of recorded answers. Recordings made anonymous carry numbers that were never issued, their
 * check digits wrong. They are replayed with the right digit, since no other could be tracked; of boxes that differ
 * in this digit only, all but one get another serial number.
 */
import { containerCheckDigit } from "../world/check-digits.ts";

/** As JSON text has it. */
const WRITTEN = /"([A-Z]{3}[UJZ][0-9]{7})"/g;

const OWNER_LENGTH = 4;
const SERIAL_NUMBERS = 1_000_000;

/** For each number in the texts, the one that it is replayed under; each box keeps one of its own. */
export function replayedNumbers(texts: readonly string[]): ReadonlyMap<string, string> {
  const found = texts.flatMap((text) => Array.from(text.matchAll(WRITTEN), ([, number]) => number as string));
  const written = [...new Set(found)].toSorted();
  const reserved = new Set(written.map(withoutCheckDigit));
  const replayed = new Map<string, string>();
  const taken = new Set<string>();
  for (const number of [...written.filter(isRight), ...written.filter((one) => !isRight(one))]) {
    let plain = withoutCheckDigit(number);
    if (taken.has(plain)) while (reserved.has(plain) || taken.has(plain)) plain = following(plain);
    taken.add(plain);
    replayed.set(number, withCheckDigit(plain));
  }
  return replayed;
}

export function withNumbers(text: string, replayed: ReadonlyMap<string, string>): string {
  return text.replaceAll(WRITTEN, (_, number: string) => `"${replayed.get(number) ?? number}"`);
}

function withoutCheckDigit(number: string): string {
  return number.slice(0, -1);
}

function withCheckDigit(plain: string): string {
  return `${plain}${containerCheckDigit(plain)}`;
}

function isRight(number: string): boolean {
  return withCheckDigit(withoutCheckDigit(number)) === number;
}

function following(plain: string): string {
  const serial = (Number(plain.slice(OWNER_LENGTH)) + 1) % SERIAL_NUMBERS;
  return plain.slice(0, OWNER_LENGTH) + String(serial).padStart(plain.length - OWNER_LENGTH, "0");
}
