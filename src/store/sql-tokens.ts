/** PostgreSQL's lexical rules, as far as they tell code from quoted text and comments. */

export type SqlTokenKind =
  | "space"
  | "comment"
  | "string"
  | "name"
  | "parameter"
  | "number"
  | "word"
  | "symbol";

/** A piece of a statement; the pieces together are the whole text. `name` is a quoted identifier. */
export type SqlToken = { readonly kind: SqlTokenKind; readonly text: string; readonly start: number };

// The first pattern that matches decides. A string without its end reaches to the end of the text.
const PATTERNS: readonly (readonly [SqlTokenKind, RegExp])[] = [
  ["space", /\s+/y],
  ["comment", /--[^\n]*/y],
  ["string", /e'(?:[^'\\]|\\.|'')*(?:'|$)/isy],
  ["string", /'(?:[^']|'')*(?:'|$)/y],
  ["name", /"(?:[^"]|"")*(?:"|$)/y],
  ["parameter", /\$\d+/y],
  ["number", /\d+(?:\.\d+)?/y],
  ["word", /[a-z_\u0080-\uffff][\w$\u0080-\uffff]*/iy],
  ["symbol", /::|->>?|=>|[<>!]=|<>|\|\||@>|<@|&&|./suy],
];

const DOLLAR_QUOTE = /\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/iy;

export function* sqlTokens(text: string): Generator<SqlToken> {
  for (let start = 0; start < text.length;) {
    const token = tokenAt(text, start);
    yield token;
    start += token.text.length;
  }
}

function tokenAt(text: string, start: number): SqlToken {
  if (text.startsWith("/*", start)) return { kind: "comment", text: blockComment(text, start), start };
  DOLLAR_QUOTE.lastIndex = start;
  const quote = DOLLAR_QUOTE.exec(text)?.[0];
  if (quote !== undefined) {
    const end = text.indexOf(quote, start + quote.length);
    return { kind: "string", text: text.slice(start, end === -1 ? text.length : end + quote.length), start };
  }
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = start;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return { kind, text: found, start };
  }
  throw new Error(`no token at ${start}`);
}

/** Block comments nest. */
function blockComment(text: string, start: number): string {
  let depth = 0;
  for (const { 0: mark, index } of text.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark === "/*" ? 1 : -1;
    if (depth === 0) return text.slice(start, start + index + 2);
  }
  return text.slice(start);
}
