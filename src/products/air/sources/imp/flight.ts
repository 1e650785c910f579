/** Such as `LH400`, `O31698`, `EK9903A`; truckers have three letters. */
export type Designator = { readonly carrier: string; readonly number: string };

/** Null: no designator. The number is padded to three digits. */
export function designatorIn(text: string): Designator | null {
  const found = /^([A-Z0-9]{2}|[A-Z]{3})[- ]?(\d{1,5}) ?([A-Z]?)$/.exec(text);
  if (found === null || !isCarrier(found[1]!)) return null;
  const digits = String(Number(found[2])).padStart(3, "0");
  return { carrier: found[1]!, number: digits + found[3]! };
}

/** Two letters, or a letter and a digit in either order. */
export function isCarrier(text: string): boolean {
  return /^(?:[A-Z]{2,3}|[A-Z]\d|\d[A-Z])$/.test(text);
}
