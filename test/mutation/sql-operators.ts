/** The mutants of a statement: each is the statement with one small change, of the kinds that people make by mistake. */
import { conditionEdits } from "./sql-conditions.ts";
import { assignmentsOf, type Edit, equalsOf, replace, type Source, textOf } from "./sql-edits.ts";
import { closingOf, isOfBetween, partsOf, spanFrom, type Token, tokensOf } from "./sql-tokens.ts";

export type Mutant = {
  /** The whole statement. */
  readonly text: string;
  /** Of the first character that differs, from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
};

/** Each different statement that one operator makes of this one, in the order of the lines. */
export function mutantsOf(text: string): readonly Mutant[] {
  const source = { text, tokens: tokensOf(text) };
  const edits = [
    ...conditionEdits(source),
    ...tokenEdits(source),
    ...callEdits(source),
    ...orderEdits(source),
    ...setEdits(source),
    ...conflictEdits(source),
    ...clauseEdits(source),
  ];
  const mutants = new Map<string, Mutant>();
  for (const { start, end, after } of edits.toSorted((a, b) => a.start - b.start)) {
    const mutated = text.slice(0, start) + after + text.slice(end);
    const lead = /^[,\s]*(?:--[^\n]*\s*)*/.exec(text.slice(start, end))![0].length;
    const before = text
      .slice(start, end)
      .replaceAll(/\s*--[^\n]*/g, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    const line = text.slice(0, start + (end > start + lead ? lead : 0)).split("\n").length;
    if (!mutants.has(mutated)) mutants.set(mutated, { text: mutated, line, before, after });
  }
  return [...mutants.values()];
}

const SWAPS: Readonly<Record<string, string>> = {
  ">=": ">",
  ">": ">=",
  "<=": "<",
  "<": "<=",
  "<>": "=",
  "=": "<>",
  and: "or",
  or: "and",
  greatest: "least",
  least: "greatest",
  min: "max",
  max: "min",
  bool_and: "bool_or",
  bool_or: "bool_and",
  true: "false",
  false: "true",
  asc: "desc",
  desc: "asc",
};

/** `timestamptz 'epoch'` is one constant. */
const TYPES = ["interval", "timestamptz", "timestamp", "date", "time"];

/** What one token says is turned around. */
function tokenEdits(source: Source): readonly Edit[] {
  const { tokens } = source;
  const assigned = new Set(assignmentsOf(source).flatMap((all) => all.map((one) => equalsOf(source, one))));
  return tokens.flatMap((token, at): Edit[] => {
    const to = (after: string) => [replace(source, { from: at, to: at + 1 }, after)];
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    const swapped = SWAPS[token.text];
    if (token.kind === "number") return to(numberAfter(token.text));
    if (token.kind === "string")
      return TYPES.includes(before?.text ?? "") ? [] : to(token.text === "''" ? "'mutant'" : "''");
    if (["+", "-", "*", "/"].includes(token.text) && isBinary(before, next))
      return to({ "+": "-", "-": "+", "*": "/", "/": "*" }[token.text]!);
    if (assigned.has(at) || isOfBetween(tokens, at) || token.kind === "name") return [];
    return swapped === undefined ? [] : to(swapped);
  });
}

function numberAfter(text: string): string {
  if (text === "0") return "1";
  if (text === "1") return "0";
  return String(Number(text) + 1);
}

/** Between two values; a star alone is all columns. */
function isBinary(before: Token | undefined, next: Token | undefined): boolean {
  const isValue = (token: Token | undefined) =>
    token !== undefined && (token.kind !== "symbol" || token.text === ")" || token.text === "(");
  const isLeft =
    isValue(before) && before!.text !== "(" && !["select", "by", "distinct"].includes(before!.text);
  return isLeft && isValue(next) && next!.text !== ")" && next!.text !== "from";
}

/** `coalesce` and the like give one of their arguments only. */
function callEdits(source: Source): readonly Edit[] {
  const { tokens } = source;
  return tokens.flatMap((token, at): Edit[] => {
    if (!["coalesce", "greatest", "least"].includes(token.text) || tokens[at + 1]?.text !== "(") return [];
    const closing = closingOf(tokens, at + 1);
    const whole = { from: at, to: closing + 1 };
    return partsOf(tokens, { from: at + 2, to: closing }, ",").map((part) =>
      replace(source, whole, `(${textOf(source, part)})`),
    );
  });
}

/** Each key of an order is turned around, `nulls first` as well; limits and `distinct` go. */
function orderEdits(source: Source): readonly Edit[] {
  const { tokens } = source;
  return tokens.flatMap((token, at): Edit[] => {
    const next = tokens[at + 1]?.text;
    if (token.text === "nulls")
      return [replace(source, { from: at + 1, to: at + 2 }, next === "first" ? "last" : "first")];
    if (token.text === "distinct" && tokens[at - 1]?.text === "select" && next !== "on")
      return [replace(source, { from: at, to: at + 1 }, "")];
    if (token.text === "limit") return [replace(source, spanFrom(tokens, at, ["for", "offset"]), "")];
    if (token.text !== "order" || next !== "by") return [];
    const keys = spanFrom(tokens, at + 2, ["limit", "for", "on conflict", "returning", "union", "offset"]);
    return partsOf(tokens, keys, ",").flatMap(({ from, to }) => {
      const words = tokens.slice(from, to).map(({ text }) => text);
      if (words.includes("asc") || words.includes("desc")) return [];
      const nulls = words.indexOf("nulls");
      const key = { from, to: nulls === -1 ? to : from + nulls };
      return [replace(source, key, `${textOf(source, key)} desc`)];
    });
  });
}

/** Each assignment of a `set` goes; the only one leaves the column as it is. */
function setEdits(source: Source): readonly Edit[] {
  const { tokens } = source;
  return assignmentsOf(source).flatMap((all): readonly Edit[] => {
    const [first] = all;
    if (first === undefined) return [];
    if (all.length === 1) {
      const before = tokens[first.from - 2]!;
      // `do update set` has no name before it, and `do nothing` says the same.
      if (before.text === "update") return [];
      const value = { from: equalsOf(source, first) + 1, to: first.to };
      return [replace(source, value, `${before.text}.${tokens[first.from]!.text}`)];
    }
    return all.map((one, index) => {
      const span =
        index === 0 ? { from: one.from, to: all[1]!.from } : { from: all[index - 1]!.to, to: one.to };
      return replace(source, span, "");
    });
  });
}

/** What is there already is left alone, or is a failure. */
function conflictEdits(source: Source): readonly Edit[] {
  const { tokens } = source;
  return tokens.flatMap((token, at): Edit[] => {
    if (token.text !== "on" || tokens[at + 1]?.text !== "conflict") return [];
    const whole = spanFrom(tokens, at, ["returning", "nothing"]);
    const isNothing = tokens[whole.to]?.text === "nothing";
    const clause = isNothing ? { from: at, to: whole.to + 1 } : whole;
    const does = tokens.findIndex(({ text }, index) => index > at && text === "do");
    const nothing = replace(source, { from: does, to: clause.to }, "do nothing");
    return [replace(source, clause, ""), ...(isNothing ? [] : [nothing])];
  });
}

/** Joins, unions, locks and rows to insert. */
function clauseEdits(source: Source): readonly Edit[] {
  const { tokens } = source;
  return tokens.flatMap((token, at): Edit[] => {
    const next = tokens[at + 1]?.text;
    if (token.text === "left" && next === "join") return [replace(source, { from: at, to: at + 1 }, "")];
    if (token.text === "union") {
      const isAll = next === "all";
      return [replace(source, { from: at, to: at + (isAll ? 2 : 1) }, isAll ? "union" : "union all")];
    }
    if (token.text === "skip" && next === "locked") return [replace(source, { from: at, to: at + 2 }, "")];
    if (token.text === "for" && ["update", "key", "share", "no"].includes(next ?? ""))
      return [replace(source, spanFrom(tokens, at, []), "")];
    if (token.text === "insert") return insertEdits(source, at);
    return [];
  });
}

/** What an `insert … select` without a condition writes is not written. */
function insertEdits(source: Source, at: number): Edit[] {
  const { tokens } = source;
  const { depth } = tokens[at]!;
  const from = tokens.findIndex(
    (token, index) => index > at && token.depth === depth && token.text === "from",
  );
  if (from === -1) return [];
  const rows = spanFrom(tokens, from, [
    "where",
    "order",
    "on conflict",
    "returning",
    "limit",
    "group",
    "union",
  ]);
  if (tokens[rows.to]?.text === "where") return [];
  const { end } = tokens[rows.to - 1]!;
  return [{ start: end, end, after: " where false" }];
}
