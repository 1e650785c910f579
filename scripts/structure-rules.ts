/** The rules of the house that neither the compiler nor the linter knows (docs/decisions, CONTRIBUTING.md). */
import { posix } from "node:path";

import type { Node } from "oxc-parser";

import { importProblem, type Layer, LAYERS, namesProduct } from "./layers.ts";
import {
  importsIn,
  lineAt,
  nameOf,
  nodesIn,
  parseSource,
  type Piece,
  type ProjectFile,
  type Source,
  stringsIn,
} from "./source.ts";

export type Finding = { readonly path: string; readonly line: number; readonly message: string };

type Problem = { readonly start: number; readonly message: string };

const BANNED_FILE_NAME = /(?:^|[/-])(?:utils?|helpers?|managers?|common|misc)(?=[./-])/;

const BANNED_NAME = /(?:Manager|Helper|Utils?)$/;

const STATEMENT =
  /^\s*(?:select\b[^\n]*\bfrom\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|with\s+\S+\s+as\s*\()/im;

/** They read a store before it has the shape that statements are written for. */
const MAY_HOLD_STATEMENTS: ReadonlySet<string> = new Set([
  "src/store/migrate.ts",
  "src/store/migration-state.ts",
  "src/store/migration-history.ts",
  "src/store/backup/take-backup.ts",
  "src/store/refuse-stranded.ts",
  // Of tables that only the catalogue names.
  "src/store/merge-cells.ts",
  // Of tables that only manifests name.
  "src/store/account-removal/remove-account.ts",
]);

const ROWS_CAST =
  "rows<…>(): npm run sql:types writes what a statement takes and gives to the module beside it";

/** What a package gives away has one entry. */
const MAY_EXPORT_ALL = /^packages\/receiver\/src\/index\.ts$/;

/** What is wrong with one file; empty when it follows the rules. */
export function findingsIn(file: ProjectFile, layers: readonly Layer[] = LAYERS): readonly Finding[] {
  const source = parseSource(file);
  const problems = [
    ...fileName(source),
    ...imports(source, layers),
    ...strings(source, layers),
    ...[...nodesIn(source.program)].flatMap((node) => nodeProblem(source.path, node) ?? []),
  ];
  return problems.map(({ start, message }) => ({
    path: file.path,
    line: lineAt(file.text, start),
    message,
  }));
}

function fileName({ path }: Source): readonly Problem[] {
  const name = BANNED_FILE_NAME.exec(path)?.[0].replace(/^[/-]/, "");
  return name === undefined
    ? []
    : [{ start: 0, message: `"${name}" says nothing: name the file after what it is for` }];
}

function imports({ path, program }: Source, layers: readonly Layer[]): readonly Problem[] {
  const ours = [...importsIn(program)].filter(({ target }) => /^\..*\.ts$/.test(target));
  return ours.flatMap(({ target, start }) => {
    const message = importProblem(layers, path, posix.join(posix.dirname(path), target));
    return message === null ? [] : [{ start, message }];
  });
}

function strings({ path, program }: Source, layers: readonly Layer[]): readonly Problem[] {
  return [...stringsIn(program)].flatMap((piece: Piece) => {
    if (namesProduct(layers, path, piece.text))
      return [{ start: piece.start, message: `"${piece.text}": take it from the product's manifest` }];
    if (!path.startsWith("src/") || MAY_HOLD_STATEMENTS.has(path) || !STATEMENT.test(piece.text)) return [];
    const message =
      "SQL in a string: make it a query of the .sql file of its table, in the store/ folder of what it is about";
    return [{ start: piece.start, message }];
  });
}

function nodeProblem(path: string, node: Node): Problem | null {
  const instead = insteadOf(path, node);
  return instead === null ? null : { start: node.start, message: instead };
}

/** What the linter has no rule for. */
function insteadOf(path: string, node: Node): string | null {
  switch (node.type) {
    case "NewExpression":
      return nameOf(node.callee) === "Date" && node.arguments.length === 0 && readsNoClock(path)
        ? "new Date(): take a Clock as an argument and ask nowMs()"
        : null;
    case "ExportAllDeclaration":
      return MAY_EXPORT_ALL.test(path) || node.exported !== null
        ? null
        : "export *: import from the file that has it";
    case "ImportDeclaration":
      return /^src\/(?!runtime\/builtins)/.test(path) &&
        /^node:(?:http|tls)$/.test(node.source.value) &&
        node.importKind !== "type"
        ? `${node.source.value} loads more than it needs: take it from runtime/builtins.ts`
        : null;
    case "ClassDeclaration":
    case "FunctionDeclaration":
    case "VariableDeclarator":
    case "TSTypeAliasDeclaration":
    case "TSInterfaceDeclaration": {
      const name = node.id === null ? "" : nameOf(node.id);
      return BANNED_NAME.test(name) ? `${name}: name what it does in the words of the field` : null;
    }
    case "CallExpression":
      if (path.startsWith("src/") && isRowsCast(node)) return ROWS_CAST;
      return path.startsWith("test/") ? testInstead(node) : null;
    case "Property":
      return path.startsWith("test/") ? testInstead(node) : null;
    default:
      return null;
  }
}

function isRowsCast({ callee, typeArguments }: Extract<Node, { type: "CallExpression" }>): boolean {
  return callee.type === "MemberExpression" && nameOf(callee.property) === "rows" && typeArguments !== null;
}

function readsNoClock(path: string): boolean {
  return /^(?:src|packages\/simulator)\//.test(path) && !path.startsWith("src/runtime/");
}

function testInstead(node: Extract<Node, { type: "CallExpression" | "Property" }>): string | null {
  const isCall = node.type === "CallExpression";
  const name = isCall
    ? node.callee.type === "MemberExpression"
      ? nameOf(node.callee.property)
      : ""
    : nameOf(node.key);
  const value = isCall ? node.arguments[0] : node.value;
  const literal = value?.type === "Literal" ? value.value : undefined;
  if (name === "only" && (isCall || literal === true)) return "only: run one test with --test-name-pattern";
  const gives = isCall ? value !== undefined && literal !== "" : literal !== true;
  return name === "skip" && !gives ? 'skip: give the reason as text: skip: condition ? "why" : false' : null;
}
