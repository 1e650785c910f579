import type { Node, Program } from "oxc-parser";

import { lineAt, nameOf, nodesIn } from "../source.ts";

export type FunctionLines = {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly lines: number;
};

/** Functions that have a name: declarations, methods, and what a variable or property holds. Closures count. */
export function functionsIn(path: string, text: string, program: Program): readonly FunctionLines[] {
  return [...nodesIn(program)].flatMap((node) => {
    const named = namedFunction(node);
    if (named === null) return [];
    const line = lineAt(text, named.body.start);
    return [{ path, name: named.name, line, lines: lineAt(text, named.body.end) - line + 1 }];
  });
}

function namedFunction(node: Node): { readonly name: string; readonly body: Node } | null {
  switch (node.type) {
    case "FunctionDeclaration":
      return node.id === null ? null : { name: node.id.name, body: node };
    case "VariableDeclarator":
      return isFunction(node.init) ? { name: nameOf(node.id), body: node.init } : null;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return isFunction(node.value) ? { name: nameOf(node.key), body: node.value } : null;
    default:
      return null;
  }
}

function isFunction(node: Node | null): node is Node {
  return node?.type === "FunctionExpression" || node?.type === "ArrowFunctionExpression";
}
