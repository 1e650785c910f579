/** A source as it counts its own steps (`counted.ts`). */
import type { CallExpression, Node } from "oxc-parser";

import { nodesIn, parseSource, type ProjectFile } from "../../scripts/source.ts";

/** By the name of the global; `counted.ts` sets it. */
const PROLOG = '"use strict";const $counted=globalThis[Symbol.for("boathook.counted")];';
const COUNT = "$counted.steps++";

/** What comes before the character at an index, and how many characters of the text it takes the place of. */
type Edit = { close: string; open: string; replaced: number };

/** Lines stay. */
export function countingText(file: ProjectFile): string {
  const edits = new Map<number, Edit>();
  const edit = (at: number): Edit =>
    edits.getOrInsertComputed(at, () => ({ close: "", open: "", replaced: 0 }));
  const around = ({ start, end }: Node, open: string, close: string): void => {
    edit(start).open += open;
    // Parents come first, and what is inside closes first.
    edit(end).close = close + edit(end).close;
  };
  const optional = new Set<Node>();
  for (const node of nodesIn(parseSource(file).program)) {
    if (node.type === "ChainExpression") for (const link of linksOf(node.expression)) optional.add(link);
    const body = repeatedIn(node);
    if (body?.type === "BlockStatement") edit(body.start + 1).open += `${COUNT};`;
    else if (body !== null && node.type === "ArrowFunctionExpression") around(body, `(${COUNT},`, ")");
    else if (body !== null) around(body, `{${COUNT};`, "}");
    for (const copied of copiedIn(node)) around(copied, "$counted.all(", ")");
    if (node.type !== "CallExpression" || optional.has(node) || node.callee.type !== "MemberExpression")
      continue;
    const { object, property } = node.callee;
    const name = file.text.slice(property.start, property.end);
    if (object.type === "Super") continue;
    if (COPYING.has(name)) around(node, "$counted.list(", ")");
    if (PASSING.has(name)) around(object, "$counted.all(", ")");
    if (!SEARCHING.has(name)) continue;
    edit(node.start).open += "$counted.find(";
    const found = edit(object.end);
    found.close += `,"${name}",`;
    found.replaced = file.text.indexOf("(", property.end) + 1 - object.end;
  }
  return edited(file.text, edits);
}

function edited(text: string, edits: ReadonlyMap<number, Edit>): string {
  let [written, from] = [PROLOG, 0];
  for (const [at, { close, open, replaced }] of [...edits].toSorted(([one], [other]) => one - other)) {
    written += text.slice(from, at) + close + open;
    written += "\n".repeat(text.slice(at, at + replaced).split("\n").length - 1);
    from = at + replaced;
  }
  return written + text.slice(from);
}

/** Methods whose result is a copy; that go through all of what they are called on; that may end early. */
const COPYING = new Set("concat flat slice split toReversed toSorted toSpliced with".split(" "));
const PASSING = new Set(
  "fill join normalize replaceAll reverse shift sort splice toLowerCase toUpperCase unshift".split(" "),
);
const SEARCHING = new Set("includes indexOf lastIndexOf".split(" "));

/** Functions that go through all of their first argument. */
const GLOBALS =
  /^(?:Object\.(?:assign|entries|fromEntries|keys|values)|Array\.from|Buffer\.(?:concat|from)|JSON\.parse|Set|Map)$/;

/** The body of a function or a loop. */
function repeatedIn(node: Node): Node | null {
  return /Function|^(?:For|While|DoWhile)/.test(node.type) && "body" in node
    ? (node.body as Node | null)
    : null;
}

/** The expressions of a node that are gone through as a whole. */
function copiedIn(node: Node): readonly Node[] {
  if (node.type === "SpreadElement") return [node.argument];
  if (node.type === "CallExpression" || node.type === "NewExpression") {
    const { callee } = node as CallExpression;
    const [first] = node.arguments;
    return first !== undefined && first.type !== "SpreadElement" && GLOBALS.test(nameOf(callee))
      ? [first]
      : [];
  }
  if (node.type !== "VariableDeclarator" || node.init === null) return [];
  const parts =
    node.id.type === "ArrayPattern"
      ? node.id.elements
      : node.id.type === "ObjectPattern"
        ? node.id.properties
        : [];
  return parts.some((part) => part?.type === "RestElement") ? [node.init] : [];
}

function nameOf(node: Node): string {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.computed) return "";
  return `${nameOf(node.object)}.${nameOf(node.property)}`;
}

/** What a chain with `?.` may leave out as a whole. */
function* linksOf(node: Node): Generator<Node> {
  yield node;
  if (node.type === "CallExpression") yield* linksOf(node.callee);
  if (node.type === "MemberExpression") yield* linksOf(node.object);
  if (node.type === "TSNonNullExpression") yield* linksOf(node.expression);
}
