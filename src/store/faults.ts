import pg from "pg";

import { StoreUnavailable } from "../model/errors.ts";

/**
 * Which errors of the database pass by themselves. SQLSTATE classes of PostgreSQL's appendix A:
 * 08 connection, 40 rolled back, 53 out of a resource (disk, connections), 55 not in the right state,
 * 57 the operator intervened, 58 the system failed, 25006 a standby that takes no writes.
 */
const PASSING_CLASSES = new Set(["08", "40", "53", "55", "57", "58"]);
const PASSING_STATES = new Set(["25006"]);

/**
 * What the driver threw, as the rest of the system sees it: `StoreUnavailable` when the same statement
 * may well succeed later, and the error itself when it is our fault or the data's.
 */
export function storeFault(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && !isPassing(error.code ?? "")) return error;
  return new StoreUnavailable("the database cannot be reached", { cause: error, inDoubt: isInDoubt(error) });
}

/** What a session is refused with before it begins: starting up or ending, and too many of them. */
const NOT_ADMITTED = new Set(["57P03", "53300"]);

/** What the server refused, it undid; what could not be connected, was never sent. */
function isInDoubt(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    // FATAL and PANIC end the session, and with it the word on what it had done.
    return error.severity !== "ERROR" && !NOT_ADMITTED.has(error.code ?? "");
  }
  return (error as { readonly syscall?: unknown } | null)?.syscall !== "connect";
}

function isPassing(state: string): boolean {
  return PASSING_CLASSES.has(state.slice(0, 2)) || PASSING_STATES.has(state);
}
