/**
 * Which errors of the database pass by themselves. SQLSTATE classes of PostgreSQL's appendix A:
 * 08 connection, 40 rolled back, 53 out of a resource (disk, connections), 55 not in the right state,
 * 57 the operator intervened, 58 the system failed, 25006 a standby that takes no writes.
 */
const PASSING_CLASSES = new Set(["08", "40", "53", "55", "57", "58"]);
const PASSING_STATES = new Set(["25006"]);

/** True when the same statement may well succeed later; false when it is our fault or the data's. */
export function isPassing(error: unknown): boolean {
  const state = sqlState(error);
  // Without an SQLSTATE the server did not answer: the connection failed, or never came about.
  if (state === null) return true;
  return PASSING_CLASSES.has(state.slice(0, 2)) || PASSING_STATES.has(state);
}

function sqlState(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}
