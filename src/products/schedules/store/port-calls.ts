/** Calls of vessels at ports as they are stored: a record as JSON, and beside it what they are found by. */
import { boolArray, int4Array, textArray, timestampArray, uuidArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { pruneStep } from "../../../store/prune-step.ts";
import type { RowOf } from "../../../store/sql.ts";
import * as sql from "./statements.ts";

/** A call with what it is found by; times are milliseconds since the epoch. */
export type PortCallRow = {
  readonly id: string;
  readonly carrier: string;
  readonly service: string;
  readonly voyage: string;
  readonly importVoyage: string;
  readonly port: string;
  readonly nth: number;
  readonly vesselImo: string | null;
  readonly vesselName: string | null;
  readonly terminal: string | null;
  readonly status: string | null;
  readonly arrivalMs: number | null;
  readonly departureMs: number | null;
  readonly callsAtMs: number;
  /** JSON. */
  readonly record: string;
  readonly goneMs: number | null;
  readonly dueMs: number | null;
  /** `YYYY-MM-DD`. */
  readonly measuredOn: string | null;
  readonly onTime: boolean | null;
};

export type StoredCall = RowOf<typeof sql.portCallLockDue>;

/** Until the transaction ends, no other node ingests reports of these carriers. */
export async function lockCarriers(tx: Connection, cell: Cell, carriers: readonly string[]) {
  await tx.rows(sql.scheduleCarrierLock(cell), [textArray(carriers)]);
}

/** What finds a call: the number of the voyage on which it leaves or of that on which it came. */
export type CallKey = { readonly carrier: string; readonly voyage: string; readonly port: string };

/** All calls that any of the keys may mean, locked. */
export function lockCallsByKey(tx: Connection, cell: Cell, keys: readonly CallKey[]) {
  return tx.rows(sql.portCallLockByKey(cell), [
    textArray(keys.map(({ carrier }) => carrier)),
    textArray(keys.map(({ voyage }) => voyage)),
    textArray(keys.map(({ port }) => port)),
  ]);
}

/** All calls of voyages, locked. */
export function lockCallsOfVoyages(
  tx: Connection,
  cell: Cell,
  voyages: readonly Omit<CallKey, "port">[],
): Promise<readonly StoredCall[]> {
  const carriers = textArray(voyages.map(({ carrier }) => carrier));
  const numbers = textArray(voyages.map(({ voyage }) => voyage));
  return tx.rows(sql.portCallLockOfVoyages(cell), [carriers, numbers]);
}

export async function insertCalls(
  tx: Connection,
  cell: Cell,
  calls: readonly PortCallRow[],
  atMs: number,
): Promise<void> {
  if (calls.length === 0) return;
  await tx.rows(sql.portCallInsert(cell), [...columnsOf(calls), new Date(atMs)]);
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
  await tx.rows(sql.portCallUpdate(cell), [...columnsOf(sorted), new Date(atMs)]);
}

function columnsOf(calls: readonly PortCallRow[]) {
  return [
    uuidArray(calls.map(({ id }) => id)),
    textArray(calls.map(({ carrier }) => carrier)),
    textArray(calls.map(({ service }) => service)),
    textArray(calls.map(({ voyage }) => voyage)),
    textArray(calls.map(({ importVoyage }) => importVoyage)),
    textArray(calls.map(({ port }) => port)),
    int4Array(calls.map(({ nth }) => nth)),
    textArray(calls.map(({ vesselImo }) => vesselImo)),
    textArray(calls.map(({ vesselName }) => vesselName)),
    textArray(calls.map(({ terminal }) => terminal)),
    textArray(calls.map(({ status }) => status)),
    timestampArray(calls.map(({ arrivalMs }) => arrivalMs)),
    timestampArray(calls.map(({ departureMs }) => departureMs)),
    timestampArray(calls.map(({ callsAtMs }) => callsAtMs)),
    textArray(calls.map(({ record }) => record)),
    timestampArray(calls.map(({ goneMs }) => goneMs)),
    timestampArray(calls.map(({ dueMs }) => dueMs)),
    textArray(calls.map(({ measuredOn }) => measuredOn)),
    boolArray(calls.map(({ onTime }) => onTime)),
  ] as const;
}

/** The calls that time alone has changed, the longest due first, locked; skips what other nodes hold. */
export function lockDueCalls(tx: Connection, cell: Cell, atMs: number, limit: number) {
  return tx.rows(sql.portCallLockDue(cell), [new Date(atMs), limit]);
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
export type ScopedCall = RowOf<typeof sql.portCallListInScope>;

/** A page of a scope's calls behind `behind`, by id. */
export function listScopedCalls(
  db: Connection,
  cell: Cell,
  { carrier, service, port, vessel = null, fromMs, atMs }: CallScope,
  behind: string | null,
  limit: number,
): Promise<readonly ScopedCall[]> {
  const scope = [carrier, service, port, new Date(fromMs), new Date(atMs)] as const;
  return db.rows(sql.portCallListInScope(cell), [...scope, behind, limit, vessel]);
}

/** A call that a fetch left out, and whether another call of its vessel at the port about then replaces it. */
export type MissingCall = RowOf<typeof sql.portCallLockMissing>;

/** Calls by id, locked. `nearMs` is how far the call that replaces one may be from it. */
export function lockMissingCalls(tx: Connection, cell: Cell, ids: readonly string[], nearMs: number) {
  return tx.rows(sql.portCallLockMissing(cell), [uuidArray(ids), nearMs / 1_000]);
}

/** Deletes calls that were over before then; true when there are more. */
export function pruneCalls(db: Connection, cell: Cell, beforeMs: number) {
  return pruneStep(db, sql.portCallPrune(cell), new Date(beforeMs));
}

export async function countCalls(db: Connection, cell: Cell): Promise<number> {
  return (await db.rows(sql.portCallCount(cell), []))[0]!.count;
}
