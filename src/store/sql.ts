import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Cell } from "./cell.ts";
import { sqlTokens } from "./sql-tokens.ts";

declare const types: unique symbol;

/** A prepared statement of one cell, with the types of its parameters and rows. */
export type Statement<
  Row extends object = object,
  Parameters extends readonly unknown[] = readonly unknown[],
> = {
  readonly name: string;
  readonly text: string;
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
  const text = readFileSync(join(folder, `${name}.sql`), "utf8");
  const prepared = new Map<string, Statement<Row, Parameters>>();
  return (cell) => {
    let one = prepared.get(cell.schema);
    if (one === undefined) {
      one = { name: `${name}@${cell.schema}`, text: inSchemas(text, cell) };
      prepared.set(cell.schema, one);
    }
    return one;
  };
}

/**
 * The text with the schemas of `cell.` and `directory.`, where these qualify a name: not in strings, comments
 * and quoted identifiers, and not behind another qualifier (`accounts.cell`).
 */
export function inSchemas(text: string, cell: Pick<Cell, "schema" | "directory">): string {
  const tokens = [...sqlTokens(text)];
  return tokens
    .map((token, index) => {
      const isQualifier = tokens[index + 1]?.text === "." && tokens[index - 1]?.text !== ".";
      if (token.kind !== "word" || !isQualifier) return token.text;
      if (token.text === "cell") return `"${cell.schema}"`;
      return token.text === "directory" ? `"${cell.directory}"` : token.text;
    })
    .join("");
}
