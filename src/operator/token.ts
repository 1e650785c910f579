import { hash, timingSafeEqual } from "node:crypto";

/** Compares secrets in the same time whatever they are: digests have one length, which does not reveal the secret's. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
