/** Calls of vessels at ports as they are stored: a record as JSON, and beside it what they are found by. */
import { boolArray, int4Array, textArray, timestampArray, uuidArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
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

export type StoredCall = { readonly id: string; readonly record: string; readonly dueAt: Date | null };

/** Until the transaction ends, no other node ingests reports of these carriers. */
export async function lockCarriers(
  tx: Connection,
  directory: Cell,
  carriers: readonly string[],
): Promise<void> {
  await tx.rows(sql.scheduleCarrierLock(directory), [textArray(carriers)]);
}

/** What finds a call: the number of the voyage on which it leaves or of that on which it came. */
export type CallKey = { readonly carrier: string; readonly voyage: string; readonly port: string };

/** All calls that any of the keys may mean, locked. */
export function lockCallsByKey(
  tx: Connection,
  directory: Cell,
  keys: readonly CallKey[],
): Promise<readonly StoredCall[]> {
  return tx.rows(sql.portCallLockByKey(directory), [
    textArray(keys.map(({ carrier }) => carrier)),
    textArray(keys.map(({ voyage }) => voyage)),
    textArray(keys.map(({ port }) => port)),
  ]);
}

/** The calls of voyages, as JSON. */
export async function readCallsOfVoyages(
  connection: Connection,
  directory: Cell,
  voyages: readonly Omit<CallKey, "port">[],
): Promise<readonly string[]> {
  const rows = await connection.rows(sql.portCallListOfVoyages(directory), [
    textArray(voyages.map(({ carrier }) => carrier)),
    textArray(voyages.map(({ voyage }) => voyage)),
  ]);
  return rows.map(({ record }) => record);
}

export async function insertCalls(
  tx: Connection,
  directory: Cell,
  calls: readonly PortCallRow[],
  atMs: number,
): Promise<void> {
  if (calls.length === 0) return;
  await tx.rows(sql.portCallInsert(directory), [...columnsOf(calls), new Date(atMs)]);
}

export async function updateCalls(
  tx: Connection,
  directory: Cell,
  calls: readonly PortCallRow[],
  atMs: number,
): Promise<void> {
  if (calls.length === 0) return;
  // Rows are locked in one order by all who write several.
  const sorted = calls.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await tx.rows(sql.portCallUpdate(directory), [...columnsOf(sorted), new Date(atMs)]);
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
export function lockDueCalls(
  tx: Connection,
  directory: Cell,
  atMs: number,
  limit: number,
): Promise<readonly StoredCall[]> {
  return tx.rows(sql.portCallLockDue(directory), [new Date(atMs), limit]);
}

/** What a complete fetch was about: the calls of a carrier, of a service and a port unless null, from a time on. */
export type CallScope = {
  readonly carrier: string;
  readonly service: string | null;
  readonly port: string | null;
  readonly fromMs: number;
  /** Calls that are over by then are not among them. */
  readonly atMs: number;
};

export type ScopedCall = {
  readonly id: string;
  readonly service: string;
  readonly voyage: string;
  /** When it leaves, else arrives. */
  readonly callsAt: Date;
};

/** A page of a scope's calls behind `behind`, by id. */
export function listScopedCalls(
  connection: Connection,
  directory: Cell,
  { carrier, service, port, fromMs, atMs }: CallScope,
  behind: string | null,
  limit: number,
): Promise<readonly ScopedCall[]> {
  return connection.rows(sql.portCallListInScope(directory), [
    carrier,
    service,
    port,
    new Date(fromMs),
    new Date(atMs),
    behind,
    limit,
  ]);
}

/** A call that a fetch left out, and whether another call of its vessel at the port about then stands for it. */
export type MissingCall = StoredCall & { readonly isReplaced: boolean };

/** Calls by id, locked. `nearMs` is how far the call that replaces one may be from it. */
export function lockMissingCalls(
  tx: Connection,
  directory: Cell,
  ids: readonly string[],
  nearMs: number,
): Promise<readonly MissingCall[]> {
  return tx.rows(sql.portCallLockMissing(directory), [uuidArray(ids), nearMs / 1_000]);
}

const PRUNED_A_STEP_MAX = 2_000;

/** Deletes calls that were over before then; true when there are more. */
export async function pruneCalls(
  connection: Connection,
  directory: Cell,
  beforeMs: number,
): Promise<boolean> {
  const [gone] = await connection.rows(sql.portCallPrune(directory), [new Date(beforeMs), PRUNED_A_STEP_MAX]);
  return gone!.count === PRUNED_A_STEP_MAX;
}

export async function countCalls(connection: Connection, directory: Cell): Promise<number> {
  const [counted] = await connection.rows(sql.portCallCount(directory), []);
  return counted!.count;
}
