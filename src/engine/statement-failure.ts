import { StoreUnavailable, type StoreFault } from "../model/errors.ts";

/**
 * What a failed statement says of the rows that it was about.
 *
 * - `unreachable`: nothing. The database did not answer, or takes nobody in.
 * - `answered`: something. The server failed the statement for a reason that may be the database's as a whole (a
 *   full disk) or one row's (a page that cannot be read, a trigger, a time-out that a large batch never meets).
 * - `refused`: the rows, or the statement, are at fault.
 */
export type FailureKind = "unreachable" | "server_fault" | "refused";

/** Reasons that concern the session, whatever it asks for. */
const SESSION_FAULTS: ReadonlySet<StoreFault> = new Set([
  "unreachable",
  "restarting",
  "too_many_connections",
]);

export function classifyFailure(cause: unknown): FailureKind {
  if (!(cause instanceof StoreUnavailable)) return "refused";
  return cause.commitUnknown || SESSION_FAULTS.has(cause.reason) ? "unreachable" : "server_fault";
}

/**
 * Tries the halves of what was refused as a whole, and theirs, one after the other, down to single items. Returns the
 * items that fail alone, or null once `attempt` cannot reach the database: what was not tried by then must be tried
 * again as a whole.
 */
export async function bisect<T>(
  items: readonly T[],
  attempt: (some: readonly T[]) => Promise<FailureKind | "done">,
): Promise<readonly T[] | null> {
  if (items.length === 1) return items;
  const half = items.length >> 1;
  const failing: T[] = [];
  for (const some of [items.slice(0, half), items.slice(half)]) {
    const verdict = await attempt(some);
    if (verdict === "done") continue;
    if (verdict === "unreachable") return null;
    const found = await bisect(some, attempt);
    if (found === null) return null;
    failing.push(...found);
  }
  return failing;
}
