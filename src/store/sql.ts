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

/**
 * A query of a file: `-- name: claim_due :many`, what it does, and its text. `@name` is a parameter. So are rows:
 * `@calls (id uuid, port text null, place ordinality) as call` names their columns, which may be null, and which counts
 * them; `@calls as other` is the same rows once more. What queries share is a part: `-- part: delivery_record`, what it
 * is, and its text, which stands wherever a query or a later part says `@@delivery_record`.
 */
export type Query = {
  readonly name: string;
  /** Which rows it gives: all, the first, the first or null, none. */
  readonly gives: "many" | "one" | "maybe" | "exec";
  /** With `$1` for the first parameter. */
  readonly text: string;
  readonly parameters: readonly QueryParameter[];
};

export type QueryParameter = {
  readonly name: string;
  /** The object of which it is a field (`@behind.id`). */
  readonly of?: string;
  /** The rows of which it is a column, and whether that may be null. */
  readonly rows?: string;
  readonly isNull?: boolean;
};

const HEAD = /^-- (?:name: (\w+) :(many|one|maybe|exec)|part: (\w+))$/gm;

/** A comment or a string, or a parameter: its object, its columns and its alias. */
const PARAMETER = /--[^\n]*|'[^']*'|@(?:(\w+)\.)?(\w+)(?: \(([^()@]*)\))?(?: as (\w+))?/g;

/** The queries of a file, in their order. */
export function queriesIn(file: string): readonly Query[] {
  const heads = [...file.matchAll(HEAD)];
  const parts = new Map<string, string>();
  return heads.flatMap(({ 0: head, 1: name, 2: gives, 3: part, index }, nth) => {
    const end = heads[nth + 1]?.index ?? file.length;
    const written = withParts(
      file
        .slice(index + head.length, end)
        .trim()
        .replace(/;$/, ""),
      parts,
    );
    if (part === undefined) return { name: name!, gives: gives as Query["gives"], ...numbered(written) };
    parts.set(part, written.slice(commentOf(written).length));
    return [];
  });
}

function withParts(written: string, parts: ReadonlyMap<string, string>): string {
  return written.replaceAll(/@@(\w+)/g, (_, name: string) => {
    const part = parts.get(name);
    if (part === undefined) throw new Error(`no part ${name} stands above`);
    return part;
  });
}

function numbered(written: string): Pick<Query, "text" | "parameters"> {
  const parameters: QueryParameter[] = [];
  const numberOf = (one: QueryParameter): string => {
    const known = parameters.findIndex(
      ({ name, of, rows }) => name === one.name && of === one.of && rows === one.rows,
    );
    return `$${known === -1 ? parameters.push(one) : known + 1}`;
  };
  const tables = new Map<string, string>();
  const text = written.replace(
    PARAMETER,
    (all: string, of?: string, word?: string, columns?: string, alias?: string) => {
      if (word === undefined) return all;
      if (of !== undefined) return all.replace(`@${of}.${word}`, numberOf({ name: word, of }));
      const table = columns ?? tables.get(word);
      if (table === undefined) return all.replace(`@${word}`, numberOf({ name: word }));
      tables.set(word, table);
      return unnest(word, alias ?? word, table, numberOf);
    },
  );
  return { text, parameters };
}

function unnest(
  rows: string,
  alias: string,
  table: string,
  numberOf: (one: QueryParameter) => string,
): string {
  const columns = table.split(",").map((column) => column.trim().split(" "));
  const arrays = columns.flatMap(([name, type, isNull]) => {
    if (type === "ordinality") return [];
    const field = name!.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return `${numberOf({ name: field, rows, isNull: isNull === "null" })}::${type}[]`;
  });
  const ordinality = arrays.length < columns.length ? " with ordinality" : "";
  return `unnest(${arrays.join(", ")})${ordinality} as ${alias} (${columns.map(([name]) => name).join(", ")})`;
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
  // Read now, so that the statements are those of the modules that run; their texts are taken apart when one is needed.
  const text = readFileSync(join(folder, `${file}.sql`), "utf8");
  let byName: ReadonlyMap<string, (cell: Cell) => Statement> | null = null;
  return (name: string) => {
    let one: ((cell: Cell) => Statement) | undefined;
    // Their functions have the types.
    return (cell: Cell): Statement<never> => {
      byName ??= new Map(queriesIn(text).map((query) => [query.name, statementOf(query.name, query.text)]));
      one ??= byName.get(name)!;
      return one(cell) as Statement<never>;
    };
  };
}

/** A text as a prepared statement for each cell. By itself for tables that only a manifest names (account-removal/). */
export function statementOf<Row extends object, Parameters extends readonly unknown[]>(
  name: string,
  text: string,
): (cell: Cell) => Statement<Row, Parameters> {
  const prepared = new Map<string, Statement<Row, Parameters>>();
  return (cell) => {
    let one = prepared.get(cell.schema);
    if (one === undefined) {
      const schema = qualifiersOf(text).has("directory") ? cell.directory : cell.schema;
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
