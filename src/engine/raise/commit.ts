import { StoreUnavailable } from "../../model/errors.ts";
import type { Connection, Database } from "../../store/database.ts";

/** Something written in a transaction that has yet to end. */
export type PendingWrite = {
  committed(): void;
  /** `unknown`: the connection was lost, and it may have been committed all the same. */
  rolledBack(unknown: boolean): void;
};

/**
 * Runs `work` in one transaction and tells whatever it put into `pending` how that ended. False when
 * `work` answers false: then everything is rolled back. Throws what `work` or the database throws.
 */
export async function commit<P extends PendingWrite>(
  database: Database,
  work: (tx: Connection, pending: P[]) => Promise<boolean>,
): Promise<readonly P[] | false> {
  const pending: P[] = [];
  try {
    await database.transaction(async (tx) => {
      if (!(await work(tx, pending))) throw new RollbackRequested();
    });
  } catch (cause) {
    for (const one of pending) one.rolledBack(cause instanceof StoreUnavailable && cause.commitUnknown);
    if (cause instanceof RollbackRequested) return false;
    throw cause;
  }
  for (const one of pending) one.committed();
  return pending;
}

/** Rolls a transaction back without being a fault. */
class RollbackRequested extends Error {}
