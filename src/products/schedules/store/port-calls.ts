/** Calls of vessels at ports as they are stored: a record as JSON, and beside it what they are found by. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import {
  portCallInsert,
  portCallListInScope,
  portCallLockMissing,
  portCallUpdate,
  type portCallLockDue,
} from "./port-calls.sql.ts";

/** A call with what it is found by; times are milliseconds since the epoch, days `YYYY-MM-DD`, `record` is JSON. */
export type PortCallRow = Parameters<typeof portCallInsert>[2]["calls"][number];

export type StoredCall = RowOf<typeof portCallLockDue>;

/** What finds a call: the number of the voyage on which it leaves or of that on which it came. */
export type CallKey = { readonly carrier: string; readonly voyage: string; readonly port: string };

export async function insertCalls(
  tx: Connection,
  cell: Cell,
  calls: readonly PortCallRow[],
  atMs: number,
): Promise<void> {
  if (calls.length === 0) return;
  await portCallInsert(tx, cell, { calls, at: atMs });
}

export async function updateCalls(
  tx: Connection,
  cell: Cell,
  calls: readonly PortCallRow[],
  atMs: number,
): Promise<void> {
  if (calls.length === 0) return;
  // Rows are locked in one order by all who write several.
  const sorted = calls.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await portCallUpdate(tx, cell, { calls: sorted, at: atMs });
}

/** The scope of a complete fetch: the calls of a carrier, of a service, port and vessel unless null, from a time on. */
export type CallScope = {
  readonly carrier: string;
  readonly service: string | null;
  readonly port: string | null;
  /** IMO number. */
  readonly vessel?: string | null;
  readonly fromMs: number;
  /** Calls that are over by then are not among them. */
  readonly atMs: number;
};

/** `callsAt` is when it leaves, else arrives. */
export type ScopedCall = RowOf<typeof portCallListInScope>;

/** A page of a scope's calls behind `behind`, by id. */
export function listScopedCalls(
  db: Connection,
  cell: Cell,
  { carrier, service, port, vessel = null, fromMs, atMs }: CallScope,
  behind: string | null,
  limit: number,
): Promise<readonly ScopedCall[]> {
  return portCallListInScope(db, cell, {
    carrier,
    service,
    port,
    from: new Date(fromMs),
    at: new Date(atMs),
    behind,
    limit,
    vessel,
  });
}

/** A call that a fetch left out, and whether another call of its vessel at the port about then replaces it. */
export type MissingCall = RowOf<typeof portCallLockMissing>;

/** Calls by id, locked. `nearMs` is how far the call that replaces one may be from it. */
export function lockMissingCalls(tx: Connection, cell: Cell, ids: readonly string[], nearMs: number) {
  return portCallLockMissing(tx, cell, { ids, apartS: nearMs / 1_000 });
}
