import { StoreUnavailable, type StoreFault } from "../model/errors.ts";

/**
 * What a failed statement says about its rows.
 *
 * - `unreachable`: nothing. The database did not answer, accepts no session, or the cell is moving.
 * - `server_fault`: the whole database may be at fault (a full disk), or one row (an unreadable page, a trigger,
 *   a time-out of a large batch).
 * - `refused`: the rows or the statement are at fault.
 */
export type FailureKind = "unreachable" | "server_fault" | "refused";

/** Faults of the session or of the whole cell, whatever the statement. */
const SESSION_FAULTS: ReadonlySet<StoreFault> = new Set([
  "unreachable",
  "restarting",
  "too_many_connections",
  "moved",
]);

export function classifyFailure(cause: unknown): FailureKind {
  if (!(cause instanceof StoreUnavailable)) return "refused";
  return cause.commitUnknown || SESSION_FAULTS.has(cause.reason) ? "unreachable" : "server_fault";
}

/**
 * Tries the halves of a failed batch in turn, and their halves, down to single items. Returns the items that
 * fail alone, or null when `attempt` cannot reach the database: then retry the untried items as one batch.
 */
export async function bisect<T>(
  items: readonly T[],
  attempt: (some: readonly T[]) => Promise<FailureKind | "done">,
): Promise<readonly T[] | null> {
  if (items.length === 1) return items;
  const half = items.length >> 1;
  const failing: T[] = [];
  for (const some of [items.slice(0, half), items.slice(half)]) {
    const kind = await attempt(some);
    if (kind === "done") continue;
    if (kind === "unreachable") return null;
    const found = await bisect(some, attempt);
    if (found === null) return null;
    failing.push(...found);
  }
  return failing;
}
