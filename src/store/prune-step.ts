import type { Connection } from "./database.ts";
import type { Statement } from "./sql.ts";

/** Rows changed by one statement of pruning, so that none holds its locks for long. */
export const ROWS_PER_STEP_MAX = 2_000;

/** Runs a statement that changes at most so many rows from before that time or day; true when there are more. */
export async function pruneStep<Before extends Date | string>(
  db: Connection,
  statement: Statement<{ count: number }, [Before, number]>,
  before: NoInfer<Before>,
): Promise<boolean> {
  const [changed] = await db.rows(statement, [before, ROWS_PER_STEP_MAX]);
  return changed!.count === ROWS_PER_STEP_MAX;
}
