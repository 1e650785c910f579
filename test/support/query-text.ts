import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Cell } from "../../src/store/cell.ts";
import { inSchemas, queriesIn } from "../../src/store/sql.ts";

const SOURCE = join(import.meta.dirname, "..", "..", "src");

/** The text of a query of `src/<file>` on a cell, to ask PostgreSQL about it. */
export function queryText(file: string, name: string, cell: Cell): string {
  const found = queriesIn(readFileSync(join(SOURCE, file), "utf8")).find((query) => query.name === name);
  if (found === undefined) throw new Error(`${file} has no query ${name}`);
  return inSchemas(found.text, cell);
}
