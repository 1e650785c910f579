/** Names of vessels and numbers of voyages as carriers write them, made comparable. */

/** Letters and digits; null: none. */
export function plainName(name: string | null): string | null {
  const plain = name?.toUpperCase().replaceAll(/[^A-Z0-9]/g, "") ?? "";
  return plain === "" ? null : plain;
}

/** The same without leading zeros. */
export function plainVoyage(voyage: string | null): string | null {
  const plain = plainName(voyage)?.replace(/^0+/, "") ?? "";
  return plain === "" ? null : plain;
}

/** Of plain numbers. */
export function isSameVoyage(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  // The direction, which some leave out: 014 is 014E, and 014E is not 014W.
  return /\d$/.test(short) && long.startsWith(short) && /^[A-Z]{1,2}$/.test(long.slice(short.length));
}

/** Both are known, and differ. */
export function isOtherVoyage(a: string | null, b: string | null): boolean {
  const [one, other] = [plainVoyage(a), plainVoyage(b)];
  return one !== null && other !== null && !isSameVoyage(one, other);
}
