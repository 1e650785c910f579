import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Cell } from "./cell.ts";

/**
 * The statements, one file each in `sql/`, each one operation. A statement names its tables as
 * `cell.deliveries` or `directory.accounts`; the qualifier is replaced here by the schema, once per
 * cell, so that the same text serves every cell as a prepared statement of its own.
 */
export type Statement = { readonly name: string; readonly text: string };

const folder = join(import.meta.dirname, "sql");

const texts = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => [file.slice(0, -".sql".length), readFileSync(join(folder, file), "utf8")]),
);

const prepared = new Map<string, Statement>();

/** The statement `sql/<name>.sql` for one cell. Throws when there is no such file: a bug of ours. */
export function statement(name: string, cell: Cell): Statement {
  const key = `${name}@${cell.schema}`;
  const known = prepared.get(key);
  if (known !== undefined) return known;
  const text = texts.get(name);
  if (text === undefined) throw new Error(`there is no statement ${name}.sql`);
  const made = {
    name: key,
    text: text
      .replaceAll(/\bcell\./g, `"${cell.schema}".`)
      .replaceAll(/\bdirectory\./g, `"${cell.directory}".`),
  };
  prepared.set(key, made);
  return made;
}
