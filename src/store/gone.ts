/** Telling a cell that moves from a statement that is wrong: both find no table (moves/move-cell.ts). */
import pg from "pg";

import { textArray } from "./binary.ts";
import type { Statement } from "./sql.ts";
import * as sql from "./statements.ts";

/** No such table, schema or function. */
const MISSING: ReadonlySet<string | undefined> = new Set(["42P01", "3F000", "42883"]);

/** `pool` is for this question alone: statements that fail may hold all connections of another. */
export async function isGone(pool: pg.Pool, error: unknown, { schema, text }: Statement): Promise<boolean> {
  if (schema === undefined || !(error instanceof pg.DatabaseError) || !MISSING.has(error.code)) return false;
  const used = text.match(new RegExp(`"${schema}"\\.[a-z0-9_]+`, "g")) ?? [];
  const { text: question } = sql.gone({ number: 0, schema, directory: "" });
  try {
    const { rows } = await pool.query<{ gone: boolean }>(question, [schema, textArray(used)]);
    return rows[0]!.gone;
  } catch {
    // Nobody knows: it is repeated, and fails again if it is wrong.
    return true;
  }
}
