/** Telling a cell that moves, or a store that does, from a statement that is wrong: both find no table. */
import pg from "pg";

import type { Connection } from "./database.ts";
import { gone } from "./gone.sql.ts";
import type { Statement } from "./sql.ts";

/** No such table, schema or function. */
const MISSING: ReadonlySet<string | undefined> = new Set(["42P01", "3F000", "42883"]);

/** `pool` is for this question alone: statements that fail may hold all connections of another. */
export async function isGone(pool: pg.Pool, error: unknown, { schema, text }: Statement): Promise<boolean> {
  if (schema === undefined || !(error instanceof pg.DatabaseError) || !MISSING.has(error.code)) return false;
  const used = text.match(new RegExp(`"${schema}"\\.[a-z0-9_]+`, "g")) ?? [];
  const asking: Connection = {
    rows: async (statement, parameters) =>
      (await pool.query({ text: statement.text, values: [...parameters] })).rows,
  };
  try {
    return (await gone(asking, { number: 0, schema, directory: "" }, { schema, used })).gone;
  } catch {
    // Nobody knows: it is repeated, and fails again if it is wrong.
    return true;
  }
}
