/** Who imports what, and in which circles. */
import { posix } from "node:path";

import type { Program } from "oxc-parser";

import { importsIn, nameOf, nodesIn } from "../source.ts";

/** `*` stands for every name of the file. */
export type Use = { readonly from: string; readonly to: string; readonly names: readonly string[] };

/** The imports of one file that lead to another of the same project. */
export function usesIn(path: string, program: Program): readonly Use[] {
  return [...importsIn(program)]
    .filter(({ target }) => /^\..*\.ts$/.test(target))
    .map(({ target, names }) => ({ from: path, to: posix.join(posix.dirname(path), target), names }));
}

export function exportedNames(program: Program): readonly string[] {
  return program.body.flatMap((node) => {
    if (node.type === "ExportDefaultDeclaration") return ["default"];
    if (node.type !== "ExportNamedDeclaration") return [];
    const { declaration, specifiers } = node;
    if (declaration === null) return specifiers.map(({ exported }) => nameOf(exported));
    if (declaration.type !== "VariableDeclaration")
      return declaration.id === null ? [] : [nameOf(declaration.id)];
    return declaration.declarations.flatMap(({ id }) =>
      id.type === "Identifier"
        ? [id.name]
        : [...nodesIn(id)].flatMap((part) => (part.type === "Property" ? [nameOf(part.value)] : [])),
    );
  });
}

/** The strongly connected components of more than one file (Tarjan's algorithm), each sorted. */
export function circlesOf(uses: readonly Use[]): readonly (readonly string[])[] {
  const targets = Map.groupBy(uses, ({ from }) => from);
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const lower = (path: string, to: number) => lowest.set(path, Math.min(lowest.get(path) ?? to, to));

  const visit = (path: string) => {
    const index = indexes.size;
    indexes.set(path, index);
    lower(path, index);
    open.push(path);
    for (const { to } of targets.get(path) ?? []) {
      if (!indexes.has(to)) {
        visit(to);
        lower(path, lowest.get(to) ?? index);
      } else if (open.includes(to)) lower(path, indexes.get(to) ?? index);
    }
    if (lowest.get(path) !== index) return;
    const circle = open.splice(open.indexOf(path));
    if (circle.length > 1) circles.push(circle.toSorted());
  };
  for (const path of targets.keys()) if (!indexes.has(path)) visit(path);
  return circles.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
}
