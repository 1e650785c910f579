/** A field of a row as text. */
import { textOf, ValidationError, type ReadField } from "../../../../freight/tables/field.ts";

/** Characters of any field. */
const TEXT_LENGTH_MAX = 100;

/** Null where it is left out. A formula is a slip of a spreadsheet's export; no field has control characters. */
export function shortText(lengthMax: number = TEXT_LENGTH_MAX): ReadField<string | null> {
  return (written) => {
    const text = textOf(written) ?? null;
    if (text === null) return null;
    if (text.length > lengthMax) throw new ValidationError(`must have at most ${lengthMax} characters`);
    if (text.startsWith("="))
      throw new ValidationError("must be a value, not a formula: save the values alone");
    if (/[\u0000-\u001F\u007F\uFFFD]/.test(text) || !text.isWellFormed())
      throw new ValidationError("must not hold control characters or bytes that are no UTF-8");
    return text;
  };
}

export const plainText = shortText();
