import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import type { Cell } from "./cell.ts";

/**
 * The statements, one file each in `sql/`, each one operation. A statement names its tables as
 * `cell.deliveries` or `directory.accounts`; the qualifier is replaced here by the schema, once per
 * cell, so that the same text serves every cell as a prepared statement of its own.
 */
export type Statement = { readonly name: string; readonly text: string };

const root = join(import.meta.dirname, "..");

const texts = new Map(
  globSync("**/store/**/*.sql", { cwd: root, exclude: ["store/migrations/**"] }).map((file) => [
    basename(file, ".sql"),
    readFileSync(join(root, file), "utf8"),
  ]),
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
