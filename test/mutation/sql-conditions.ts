/** The operators on conditions: each part of one is left out, and each negation is turned around. */
import { assignmentsOf, type Edit, equalsOf, replace, type Source } from "./sql-edits.ts";
import { closingOf, partsOf, type Span, spanFrom } from "./sql-tokens.ts";

export function conditionEdits(source: Source): readonly Edit[] {
  return [
    ...conditionsOf(source).flatMap(({ span, mayBe }) => {
      const parts = partEdits(source, span);
      // Where a part of several may be left out, leaving out all of them shows nothing more.
      const whole = parts.length === 0 ? mayBe : mayBe.filter((after) => after === "false");
      return [...whole.map((after) => replace(source, span, after)), ...parts];
    }),
    ...negationEdits(source),
    ...elseEdits(source),
  ];
}

const WHERE_ENDERS = [
  "group",
  "order",
  "limit",
  "for",
  "returning",
  "union",
  "having",
  "on conflict",
  "window",
];
const ON_ENDERS = [...WHERE_ENDERS, "join", "left", "cross", "inner", "where", "set", "on"];

/** A condition, and what it may be as a whole. */
type Condition = { readonly span: Span; readonly mayBe: readonly ("true" | "false")[] };

function conditionsOf(source: Source): readonly Condition[] {
  const { tokens } = source;
  const clauses = tokens.flatMap(({ text }, at): readonly Condition[] => {
    const next = tokens[at + 1]?.text;
    if (text === "where" || text === "having")
      return [{ span: spanFrom(tokens, at + 1, WHERE_ENDERS), mayBe: ["true", "false"] }];
    if (text === "on" && next !== "conflict" && next !== "constraint" && next !== "true")
      return [{ span: spanFrom(tokens, at + 1, ON_ENDERS), mayBe: ["true"] }];
    if (text === "when") return [{ span: spanFrom(tokens, at + 1, ["then"]), mayBe: ["true", "false"] }];
    if (text === "select" && at + 1 < tokens.length)
      return columnsFrom(source, at + 1).map((span) => ({ span, mayBe: [] }));
    return [];
  });
  const values = assignmentsOf(source).flatMap((all) =>
    all.map((one) => ({ span: { from: equalsOf(source, one) + 1, to: one.to }, mayBe: [] })),
  );
  return [...clauses, ...values];
}

/** What a `select` gives, without the columns' names. */
function columnsFrom({ tokens }: Source, at: number): readonly Span[] {
  const all = spanFrom(tokens, at, ["from", "where", "union", "order", "limit"]);
  return partsOf(tokens, all, ",").map(({ from, to }) => {
    const { depth } = tokens[from]!;
    const as = tokens.findIndex(
      (token, index) => index > from && index < to && token.depth === depth && token.text === "as",
    );
    return { from, to: as === -1 ? to : as };
  });
}

/** Each part of `a and b`, `a or b` and `not (a and b)`, and of their parts in parentheses, says nothing. */
function partEdits(source: Source, span: Span): readonly Edit[] {
  const { tokens } = source;
  if (span.to <= span.from) return [];
  const first = tokens[span.from]!;
  for (const [separator, after] of [
    ["or", "false"],
    ["and", "true"],
  ] as const) {
    const parts = partsOf(tokens, span, separator);
    if (parts.length > 1)
      return parts.flatMap((part) => [replace(source, part, after), ...partEdits(source, part)]);
  }
  if (first.text === "not") return partEdits(source, { from: span.from + 1, to: span.to });
  const isWrapped = first.text === "(" && closingOf(tokens, span.from) === span.to - 1;
  if (!isWrapped || tokens[span.from + 1]!.text === "select") return [];
  return partEdits(source, { from: span.from + 1, to: span.to - 1 });
}

function negationEdits(source: Source): readonly Edit[] {
  const { tokens } = source;
  return tokens.flatMap(({ text }, at): Edit[] => {
    const [before, next] = [tokens[at - 1]?.text, tokens[at + 1]?.text];
    const to = (after: string) => [replace(source, { from: at, to: at + 1 }, after)];
    if (text === "not") return to("");
    if (text === "is" && next !== "not") return to("is not");
    if ((text === "exists" || (text === "in" && next === "(")) && before !== "not") return to(`not ${text}`);
    return [];
  });
}

/** Without an `else` a case that holds nowhere gives null. */
function elseEdits(source: Source): readonly Edit[] {
  const { tokens } = source;
  return tokens.flatMap(({ text }, at) =>
    text === "else" ? [replace(source, spanFrom(tokens, at, []), "")] : [],
  );
}
