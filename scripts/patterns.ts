/** Every regular expression of the source, and whether its time can grow faster than its input. */
import type { Node } from "oxc-parser";
import { check, type Diagnostics } from "recheck";

import { lineAt, nameOf, nodesIn, parseSource, type ProjectFile, type Source } from "./source.ts";

export type Pattern = {
  readonly path: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
};

/** Literals, arguments of `RegExp`, and the `pattern` of schemas. What only a run knows counts as the letter x. */
export function patternsIn(file: ProjectFile): readonly Pattern[] {
  const source = parseSource(file);
  return [...nodesIn(source.program)].flatMap((node) => {
    const found = patternAt(source, node);
    return found === null ? [] : [{ path: file.path, line: lineAt(file.text, node.start), ...found }];
  });
}

type Expression = Pick<Pattern, "source" | "flags">;

function patternAt(source: Source, node: Node): Expression | null {
  if (node.type === "Literal" && "regex" in node) {
    return { source: node.regex.pattern, flags: node.regex.flags };
  }
  if (node.type === "Property" && nameOf(node.key) === "pattern" && node.value.type === "Literal") {
    return typeof node.value.value === "string" ? { source: node.value.value, flags: "u" } : null;
  }
  const isMade = node.type === "NewExpression" || node.type === "CallExpression";
  if (!isMade || nameOf(node.callee) !== "RegExp") return null;
  const [pattern, flags] = node.arguments;
  return pattern === undefined
    ? null
    : { source: folded(source, pattern), flags: flags === undefined ? "" : folded(source, flags) };
}

/** The text that an expression stands for, as far as the file alone tells. */
function folded(source: Source, node: Node): string {
  switch (node.type) {
    case "Literal":
      return "regex" in node ? node.regex.pattern : String(node.value);
    case "TemplateLiteral":
      return node.quasis
        .map(({ value }, at) => (value.cooked ?? value.raw) + foldedOrNone(source, node.expressions[at]))
        .join("");
    case "TaggedTemplateExpression":
      return node.quasi.quasis
        .map(({ value }, at) => value.raw + foldedOrNone(source, node.quasi.expressions[at]))
        .join("");
    case "MemberExpression":
      return nameOf(node.property) === "source" ? folded(source, node.object) : UNKNOWN;
    case "Identifier": {
      const value = constantOf(source, node.name);
      return value === null ? UNKNOWN : folded(source, value);
    }
    case "BinaryExpression": {
      const [left, right] = [folded(source, node.left), folded(source, node.right)];
      return /^\d+\+\d+$/.test(`${left}+${right}`) ? String(Number(left) + Number(right)) : left + right;
    }
    default:
      return UNKNOWN;
  }
}

const UNKNOWN = "x";

function foldedOrNone(source: Source, node: Node | undefined): string {
  return node === undefined ? "" : folded(source, node);
}

function constantOf({ program }: Source, name: string): Node | null {
  for (const node of nodesIn(program)) {
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.id.name === name) {
      return node.init;
    }
  }
  return null;
}

/** Null: its time grows no faster than its input. Else why not, or why nobody knows. */
export async function slownessOf({ source, flags }: Expression): Promise<string | null> {
  if (isPlainlyLinear(source, flags)) return null;
  const verdict: Diagnostics = await check(source, flags, {
    checker: "automaton",
    maxNFASize: NFA_STATES_MAX,
    timeout: DECIDE_MS_MAX,
  });
  if (verdict.status === "safe") return null;
  if (verdict.status === "vulnerable") return `${verdict.complexity.summary}: ${verdict.attack.pattern}`;
  return `nobody can tell: ${verdict.error.kind}`;
}

const NFA_STATES_MAX = 200_000;
const DECIDE_MS_MAX = 60_000;

/**
 * Most patterns need no automaton: nothing in them repeats without end, or one simple piece does behind `^`. The
 * bounded repeats, multiplied, are the ways that a matcher can try at one place.
 */
function isPlainlyLinear(source: string, flags: string): boolean {
  const plain = source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gs, "x").replaceAll(/\((?:\?:|\?<\w+>)/g, "(");
  // Look-arounds and references back leave a question mark or a digit behind; groups that repeat may repeat in themselves.
  if (/\(\?|\)[*+{]/.test(plain) || /\\[1-9k]/.test(source)) return false;
  const unbounded = plain.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  const isAnchored = source.startsWith("^") && !flags.includes("m") && !plain.includes("|");
  const ways = [...plain.matchAll(/\{(\d+)(?:,(\d+))?\}|\?/g)].map(([, least, most]) =>
    least === undefined ? 2 : Number(most ?? least) - Number(least) + 1,
  );
  const isBounded = ways.reduce((product, one) => product * one, 1) <= WAYS_MAX;
  return isBounded && (unbounded === 0 || (unbounded === 1 && isAnchored));
}

const WAYS_MAX = 10_000;
