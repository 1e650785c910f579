/** Edits of a statement, and what more than one operator finds in it. */
import { partsOf, type Span, spanFrom, type Token } from "./sql-tokens.ts";

/** Puts `after` in the place of the characters from `start` to `end`. */
export type Edit = { readonly start: number; readonly end: number; readonly after: string };

/** What every operator reads. */
export type Source = { readonly text: string; readonly tokens: readonly Token[] };

export function textOf({ text, tokens }: Source, { from, to }: Span): string {
  return text.slice(tokens[from]!.start, tokens[to - 1]!.end);
}

export function replace({ tokens }: Source, { from, to }: Span, after: string): Edit {
  return { start: tokens[from]!.start, end: tokens[to - 1]!.end, after };
}

/** The assignments of each `set`. */
export function assignmentsOf({ tokens }: Source): readonly (readonly Span[])[] {
  return tokens.flatMap((token, at) => {
    if (token.text !== "set") return [];
    return [partsOf(tokens, spanFrom(tokens, at + 1, ["from", "where", "returning"]), ",")];
  });
}

/** The sign between the column and the value of an assignment. */
export function equalsOf({ tokens }: Source, { from, to }: Span): number {
  return tokens.findIndex(({ text }, at) => at > from && at < to && text === "=");
}
