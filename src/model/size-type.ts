/** What the trade calls containers, `40HC`: the length in feet and two or three letters for the kind. */

const SIZE_TYPE_PATTERN = /^(10|20|30|40|45|48|53)([A-Z]{2,3})$/;

/** Names of the same box: dry, and high cube. */
const KIND_ALIASES: Readonly<Record<string, string>> = {
  DC: "GP",
  DV: "GP",
  ST: "GP",
  SD: "GP",
  HQ: "HC",
};

export type SizeType = { readonly feet: string; readonly kind: string };

/** `40' hq` is 40HC. Null: not of that form; whether there is such a kind is for others to say. */
export function readSizeType(written: string): SizeType | null {
  const plain = written.toUpperCase().replaceAll(/[ '’]/g, "");
  const found = SIZE_TYPE_PATTERN.exec(plain);
  if (found === null) return null;
  const [feet, kind] = [found[1]!, found[2]!];
  return { feet, kind: KIND_ALIASES[kind] ?? kind };
}
