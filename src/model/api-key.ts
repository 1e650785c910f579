/**
 * API keys (spec 5: prefixes): `<prefix>_`, 30 random base62 characters, and six of a checksum, so that a
 * mistyped key is refused without a lookup. Only the SHA-256 is kept.
 */
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";

import type { Random } from "../runtime/random.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^([a-z]{1,20})_[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

/** The largest multiple of 62 a byte can hold: bytes from here on would favour the first digits. */
const FAIR_BYTES = 248;

export type ParsedKey = { readonly prefix: string; readonly hash: Buffer };

export function mintKey(prefix: string, random: Random): string {
  let text = `${prefix}_`;
  const length = text.length + RANDOM_LENGTH;
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length)) {
      if (byte < FAIR_BYTES) text += DIGITS[byte % DIGITS.length];
    }
  }
  return text + checksum(text);
}

/** Null when the text is no key, or a mistyped one. */
export function parseKey(text: string): ParsedKey | null {
  const prefix = FORM.exec(text)?.[1];
  if (prefix === undefined) return null;
  const body = text.slice(0, -CHECK_LENGTH);
  return text.endsWith(checksum(body)) ? { prefix, hash: hashKey(text) } : null;
}

export function hashKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/** CRC-32 in base62, the most significant digit first. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  while (digits.length < CHECK_LENGTH) {
    digits = DIGITS[rest % DIGITS.length] + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
