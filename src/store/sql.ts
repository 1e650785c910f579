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

/** A row of a statement. */
export type RowOf<Prepared> = Prepared extends (cell: Cell) => Statement<infer Row> ? Readonly<Row> : never;

/**
 * The statement `<folder>/<name>.sql`, as a prepared statement for each cell. Only the files that
 * `npm run sql:types` writes call this: they name the types that PostgreSQL gives the statement.
 */
export function statement<Row extends object, Parameters extends readonly unknown[]>(
  folder: string,
  name: string,
): (cell: Cell) => Statement<Row, Parameters> {
  return statementOf(name, readFileSync(join(folder, `${name}.sql`), "utf8"));
}

/** The same of a text: for tables that only a product's manifest names (account-removal/remove-account.ts). */
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
