import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Cell } from "./cell.ts";
import { onShards, type Shards } from "./shards/on-shards.ts";
import { sqlTokens, type SqlToken } from "./sql-tokens.ts";

declare const types: unique symbol;

/** A prepared statement of one cell, with the types of its parameters and rows. */
export type Statement<
  Row extends object = object,
  Parameters extends readonly unknown[] = readonly unknown[],
> = {
  readonly name: string;
  readonly text: string;
  /** Whose tables it uses: it runs on the server that holds them. Without one, on the directory's. */
  readonly schema?: string;
  /** The text for tables that are elsewhere under other names (homes/homes.ts). */
  readonly onShards?: (shards: Shards) => string;
  /** Never there: it carries the types. */
  readonly [types]?: { readonly row: Row; readonly parameters: Parameters };
};

/** A row of a query. */
export type RowOf<Asked> = Asked extends (...given: never[]) => Promise<infer Answer>
  ? Readonly<NonNullable<Answer extends readonly (infer Row)[] ? Row : Answer>>
  : never;

/** A query of a file: `-- name: claim_due :many`, what it does, and its text; `@name` is a parameter. */
export type Query = {
  readonly name: string;
  /** Which rows it gives: all, the first, the first or null, none. */
  readonly gives: "many" | "one" | "maybe" | "exec";
  /** With `$1` for the first parameter. */
  readonly text: string;
  /** In the order in which the comment, or else the text, names them first. */
  readonly parameters: readonly string[];
};

const HEAD = /^-- name: (\w+) :(many|one|maybe|exec)$/gm;

/** The queries of a file, in their order. */
export function queriesIn(file: string): readonly Query[] {
  const heads = [...file.matchAll(HEAD)];
  return heads.map(({ 0: head, 1: name, 2: gives, index }, nth) => {
    const end = heads[nth + 1]?.index ?? file.length;
    const text = file
      .slice(index + head.length, end)
      .trim()
      .replace(/;$/, "");
    const parameters: string[] = [];
    const named = (word: string): string => {
      if (!parameters.includes(word)) parameters.push(word);
      return `$${parameters.indexOf(word) + 1}`;
    };
    const tokens = [...sqlTokens(text)];
    const used = new Set(
      tokens.flatMap(({ kind, text: word }, at) =>
        kind === "word" && tokens[at - 1]?.text === "@" ? word : [],
      ),
    );
    for (const { 1: word } of commentOf(text).matchAll(/@(\w+)/g)) if (used.has(word!)) named(word!);
    const numbered = tokens.map((token, at) => {
      if (token.text === "@" && tokens[at + 1]?.kind === "word") return "";
      return tokens[at - 1]?.text === "@" && token.kind === "word" ? named(token.text) : token.text;
    });
    return { name: name!, gives: gives as Query["gives"], text: numbered.join(""), parameters };
  });
}

/** The lines before a statement that say what it does. */
export function commentOf(text: string): string {
  return /^(?:--.*\n)*/.exec(text)![0];
}

/**
 * The queries of `<folder>/<file>.sql`, each as a prepared statement for each cell. Only the modules that
 * `npm run sql:types` writes call this: their functions have the types that PostgreSQL gives the statement.
 */
export function loadQueries(folder: string, file: string) {
  const found = queriesIn(readFileSync(join(folder, `${file}.sql`), "utf8"));
  const byName = new Map(found.map(({ name, text }) => [name, statementOf(name, text)]));
  // Their functions have the types.
  return (name: string) => byName.get(name) as (cell: Cell) => Statement<never>;
}

/** A text as a prepared statement for each cell. By itself for tables that only a manifest names (account-removal/). */
export function statementOf<Row extends object, Parameters extends readonly unknown[]>(
  name: string,
  text: string,
): (cell: Cell) => Statement<Row, Parameters> {
  const isOfDirectory = qualifiersOf(text).has("directory");
  const prepared = new Map<string, Statement<Row, Parameters>>();
  return (cell) => {
    let one = prepared.get(cell.schema);
    if (one === undefined) {
      const schema = isOfDirectory ? cell.directory : cell.schema;
      one = {
        name: `${name}@${schema}`,
        text: inSchemas(text, cell),
        schema,
        onShards: (shards: Shards) => inSchemas(onShards(text, shards), cell),
      };
      prepared.set(cell.schema, one);
    }
    return one;
  };
}

type Qualifier = "cell" | "directory";

/**
 * The text with the schemas of `cell.` and `directory.`, where these qualify a name: not in strings, comments
 * and quoted identifiers, and not behind another qualifier (`accounts.cell`).
 */
export function inSchemas(text: string, cell: Pick<Cell, "schema" | "directory">): string {
  const tokens = [...sqlTokens(text)];
  return tokens
    .map((token, index) => {
      const qualifier = qualifierAt(tokens, index);
      if (qualifier === null) return token.text;
      return `"${qualifier === "cell" ? cell.schema : cell.directory}"`;
    })
    .join("");
}

/** Whose names the statement uses; throws when it is both the directory's and a cell's: no server has both. */
function qualifiersOf(text: string): ReadonlySet<Qualifier> {
  const tokens = [...sqlTokens(text)];
  const found = new Set(tokens.flatMap((_, index) => qualifierAt(tokens, index) ?? []));
  if (found.size > 1) throw new Error(`a statement uses tables of a cell and of the directory: ${text}`);
  return found;
}

function qualifierAt(tokens: readonly SqlToken[], index: number): Qualifier | null {
  const { kind, text } = tokens[index]!;
  const isQualifier = tokens[index + 1]?.text === "." && tokens[index - 1]?.text !== ".";
  if (kind !== "word" || !isQualifier) return null;
  return text === "cell" || text === "directory" ? text : null;
}
