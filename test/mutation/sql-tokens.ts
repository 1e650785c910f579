/** The tokens of a statement: enough of SQL to find its clauses and conditions. Comments and spaces are left out. */
import { sqlTokens, type SqlTokenKind } from "../../src/store/sql-tokens.ts";

export type Token = {
  readonly kind: Exclude<SqlTokenKind, "space" | "comment">;
  /** Words in lower case; everything else unchanged. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Parentheses, brackets and `case … end` around the token; an opening and its closing have the outer depth. */
  readonly depth: number;
};

const OPENING = ["(", "[", "case"];
const CLOSING = [")", "]", "end"];

export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const { kind, text: found, start } of sqlTokens(text)) {
    if (kind === "space" || kind === "comment") continue;
    const lower = kind === "word" ? found.toLowerCase() : found;
    if (kind !== "string" && CLOSING.includes(lower)) depth -= 1;
    tokens.push({ kind, text: lower, start, end: start + found.length, depth });
    if (kind !== "string" && OPENING.includes(lower)) depth += 1;
  }
  return tokens;
}

/** A part of the tokens: the first, and the one behind the last. */
export type Span = { readonly from: number; readonly to: number };

/** From a token to the end of its parentheses, or to the first of `enders`, words or pairs of words, at its own depth. */
export function spanFrom(tokens: readonly Token[], from: number, enders: readonly string[]): Span {
  const { depth } = tokens[from]!;
  let to = from + 1;
  for (; to < tokens.length; to++) {
    const token = tokens[to]!;
    if (token.depth < depth) break;
    if (token.depth > depth || token.kind !== "word") continue;
    const isEnd = enders.includes(token.text) || enders.includes(`${token.text} ${tokens[to + 1]?.text}`);
    if (isEnd && !(token.text === "from" && tokens[to - 1]!.text === "distinct")) break;
  }
  return { from, to };
}

/** The parts of a span between those of its separators that stand at its own depth. */
export function partsOf(tokens: readonly Token[], span: Span, separator: string): readonly Span[] {
  const { depth } = tokens[span.from]!;
  const parts: Span[] = [];
  let from = span.from;
  for (let at = span.from; at < span.to; at++) {
    const token = tokens[at]!;
    if (token.depth !== depth || token.text !== separator || isOfBetween(tokens, at)) continue;
    parts.push({ from, to: at });
    from = at + 1;
  }
  return [...parts, { from, to: span.to }];
}

/** The token that closes what `at` opens. */
export function closingOf(tokens: readonly Token[], at: number): number {
  const { depth } = tokens[at]!;
  return tokens.findIndex((token, index) => index > at && token.depth === depth);
}

/** `between a and b` has an `and` that joins no conditions. */
export function isOfBetween(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.text !== "and") return false;
  const { depth } = tokens[at];
  for (let before = at - 1; before >= 0 && tokens[before]!.depth >= depth; before--) {
    const token = tokens[before]!;
    if (token.depth !== depth) continue;
    if (token.text === "between") return true;
    if (["and", "or", "where", "on", "when"].includes(token.text)) return false;
  }
  return false;
}
