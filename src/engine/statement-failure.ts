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
  if (cause.commitUnknown || SESSION_FAULTS.has(cause.reason)) return "unreachable";
  // Of one account, whatever the others are.
  return cause.reason === "account_closed" ? "refused" : "server_fault";
}

/** True when the statement or transaction that threw this may have been committed. */
export function isCommitUnknown(cause: unknown): boolean {
  return cause instanceof StoreUnavailable && cause.commitUnknown;
}
