import type { Connection, Database } from "../../store/database.ts";
import { isCommitUnknown } from "../batch-writer.ts";

/** Something written in a transaction that has not ended yet. */
export type PendingWrite = {
  committed(): void;
  /** `unknown`: the connection was lost, and the transaction may have been committed. */
  rolledBack(unknown: boolean): void;
};

/**
 * Runs `work` in one transaction and tells everything in `pending` how it ended. When `work` resolves with
 * false, rolls back and returns false. Throws what `work` or the database throws.
 */
export async function commit<P extends PendingWrite>(
  database: Database,
  work: (tx: Connection, pending: P[]) => Promise<boolean>,
): Promise<readonly P[] | false> {
  const pending: P[] = [];
  try {
    await database.transaction(async (tx) => {
      // It runs again when the cell has moved; the first try is undone.
      for (const one of pending.splice(0)) one.rolledBack(false);
      if (!(await work(tx, pending))) throw new RollbackRequested();
    });
  } catch (cause) {
    for (const one of pending) one.rolledBack(isCommitUnknown(cause));
    if (cause instanceof RollbackRequested) return false;
    throw cause;
  }
  for (const one of pending) one.committed();
  return pending;
}

/** Rolls a transaction back without being a fault. */
class RollbackRequested extends Error {}
