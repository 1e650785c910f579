import pg from "pg";

import { STORE_FAULTS, StoreUnavailable, type StoreFault } from "../model/errors.ts";

/** What a statement failed of: one of a bounded set, "other" where the statement or its data are at fault. */
export type DatabaseFault = StoreFault | "other";

/** SQLSTATEs of PostgreSQL's appendix A that tell more than their class does. */
const STATES: Readonly<Record<string, StoreFault>> = {
  "25006": "read_only",
  // No such database: somebody dropped or renamed it.
  "3D000": "access_denied",
  "42501": "access_denied",
  "53100": "disk_full",
  "53300": "too_many_connections",
  "57014": "contention",
  // Ours (migrations/cell/020_distributed.sql).
  BHMOV: "moved",
};

/** The classes of faults that pass by themselves, or once somebody has fixed the cause. */
const CLASSES: Readonly<Record<string, StoreFault>> = {
  "08": "unreachable",
  // Citus's own: what one server had computed for another is lost with it.
  CI: "unreachable",
  "28": "access_denied",
  "40": "contention",
  "53": "out_of_resources",
  "55": "contention",
  "57": "restarting",
  "58": "file_error",
};

/** A shard of Citus, which it removed some time after the cell had moved. */
const SHARD_GONE = /_\d+" does not exist$/;

/** What a coordinator of Citus says when it loses a server that takes part in a commit. */
const SERVER_LOST = /^(?:failure on connection marked as essential|could not commit transaction for shard)\b/;

/** The class of what the driver threw. What is no answer of the server's is a connection that is lost, or was never made. */
export function faultOf(error: unknown): DatabaseFault {
  if (!(error instanceof pg.DatabaseError)) return "unreachable";
  const state = error.code ?? "";
  // To a new session: the database takes none for now. To a statement: something that it needs is being changed.
  if (state === "55000" && error.severity === "FATAL") return "restarting";
  if (state === "42P01" && SHARD_GONE.test(error.message)) return "moved";
  if (state === "XX000" && SERVER_LOST.test(error.message)) return "unreachable";
  return STATES[state] ?? CLASSES[state.slice(0, 2)] ?? "other";
}

/**
 * What the driver threw, as the rest of the system sees it: `StoreUnavailable` when the same statement
 * may well succeed later, and the error itself when it is our fault or the data's.
 */
export function storeFault(error: unknown, reason: DatabaseFault = faultOf(error)): unknown {
  if (reason === "other") return error;
  return new StoreUnavailable(STORE_FAULTS[reason], {
    cause: error,
    commitUnknown: isCommitUnknown(error),
    reason,
  });
}

/** What a session is refused with before it begins: starting up or ending, too many of them, no right to one. */
const NOT_ADMITTED = /^(?:57P03|53300|28...|3D000|42501|55000)$/;

/** True when the server let no session begin: what was to be asked in it tells nothing. */
export function isNotAdmitted(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && error.severity === "FATAL" && NOT_ADMITTED.test(error.code ?? "")
  );
}

/** What the driver says when it gave up connecting, or waiting for a free connection. */
const NOT_CONNECTED =
  /^(?:timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/;

/** True when a coordinator of Citus lost the server that did the work, which may have committed. */
function isLostBehind({ code = "", message }: pg.DatabaseError): boolean {
  return /^(?:08|57P|CI)/.test(code) || (code === "XX000" && SERVER_LOST.test(message));
}

/** What the server refused, it undid; what could not be connected, was never sent. */
function isCommitUnknown(error: unknown): boolean {
  // FATAL and PANIC end the session, and with it the word on what it had done.
  if (error instanceof pg.DatabaseError) {
    return error.severity === "ERROR" ? isLostBehind(error) : !isNotAdmitted(error);
  }
  if (error instanceof Error && NOT_CONNECTED.test(error.message)) return false;
  return (error as { readonly syscall?: unknown } | null)?.syscall !== "connect";
}
