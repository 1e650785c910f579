/** One TypeScript file as the parser sees it, with what the scripts ask of it. */
import { type Comment, type Node, parseSync, type Program, visitorKeys } from "oxc-parser";

/** A file of the project: its path from the root with forward slashes, and its text. */
export type ProjectFile = { readonly path: string; readonly text: string };

export type Source = ProjectFile & { readonly program: Program; readonly comments: readonly Comment[] };

/** A stretch of text and the index where it starts. */
export type Piece = { readonly text: string; readonly start: number };

export type Import = { readonly target: string; readonly names: readonly string[]; readonly start: number };

/** @throws when the file does not parse: the compiler reports why */
export function parseSource({ path, text }: ProjectFile): Source {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`);
  return { path, text, program, comments };
}

/** Every node of the tree below `root`, parents first. */
export function* nodesIn(root: Node): Generator<Node> {
  yield root;
  for (const key of visitorKeys[root.type] ?? []) {
    const below = (root as unknown as Record<string, Node | (Node | null)[] | null>)[key] ?? [];
    for (const node of Array.isArray(below) ? below : [below]) if (node !== null) yield* nodesIn(node);
  }
}

/** String literals and templates, but no import paths. A template's `${…}` reads as one blank. */
export function* stringsIn(root: Node): Generator<Piece> {
  const paths = new Set<Node>();
  for (const node of nodesIn(root)) {
    if ("source" in node && node.source !== null) paths.add(node.source);
    if (node.type === "Literal" && typeof node.value === "string" && !paths.has(node))
      yield { text: node.value, start: node.start };
    if (node.type === "TemplateLiteral")
      yield { text: node.quasis.map(({ value }) => value.cooked ?? value.raw).join(" "), start: node.start };
  }
}

/** Static, dynamic and type imports, and what is exported from another file; `*` stands for every name. */
export function* importsIn(root: Node): Generator<Import> {
  for (const node of nodesIn(root)) {
    if (!("source" in node) || node.source === null) continue;
    const { source, start } = node;
    if (!("value" in source) || typeof source.value !== "string") continue;
    yield { target: source.value, names: namesOf(node), start };
  }
}

function namesOf(node: Node): readonly string[] {
  if (node.type === "ExportNamedDeclaration") return node.specifiers.map(({ local }) => nameOf(local));
  if (node.type === "TSImportType" && node.qualifier?.type === "Identifier") return [node.qualifier.name];
  if (node.type !== "ImportDeclaration") return ["*"];
  return node.specifiers.map((specifier) => {
    if (specifier.type === "ImportSpecifier") return nameOf(specifier.imported);
    return specifier.type === "ImportDefaultSpecifier" ? "default" : "*";
  });
}

/** The name of an identifier, or of one that is written as a string. */
export function nameOf(node: Node): string {
  if ("name" in node && typeof node.name === "string") return node.name;
  return node.type === "Literal" ? String(node.value) : "";
}

/** The line of an index, from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
