/** What the reader types into a field of a number → a part of the request. */

/** Nothing if the field is empty. */
export function given<T extends object>(typed: string | undefined, of: (value: number) => T): T | {} {
  return typed === undefined || typed.trim() === "" ? {} : of(Number(typed));
}
