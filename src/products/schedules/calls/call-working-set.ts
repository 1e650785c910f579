/**
 * The calls of one transaction, before and after it. The transaction holds the row of their carrier, so that no other
 * one adds calls to their voyages.
 */
import type { Connection } from "../../../store/database.ts";
import type { Cell } from "../../../store/cell.ts";
import type { CallChange } from "../events/blank-sailing.ts";
import { nextDueMs } from "../events/call-events.ts";
import { insertCalls, updateCalls, type StoredCall } from "../store/port-calls.ts";
import { serviceOf, voyageOf, type CallRecord } from "./call-record.ts";
import { callRowOf, readCallRecord } from "./call-row.ts";
import { portCallLockOfVoyages } from "../store/port-calls.sql.ts";

type Entry = {
  readonly stored: StoredCall | null;
  readonly before: CallRecord | null;
  after: CallRecord;
};

export type CallWorkingSet = {
  /** The present records of a carrier's calls at a port. */
  atPort(carrier: string, port: string): readonly CallRecord[];
  /** The present records of all calls in the set. */
  all(): readonly CallRecord[];
  /** The present record of a call in the set. */
  get(id: string): CallRecord;
  /** Adds calls as they are stored; those in the set stay. */
  load(stored: readonly StoredCall[]): void;
  add(record: CallRecord): void;
  put(record: CallRecord): void;
  /** The calls that were added or put, each once. */
  changes(): readonly CallChange[];
  /** Writes what has changed; counts the new calls and the changed ones. */
  save(
    tx: Connection,
    cell: Cell,
    hoursBefore: readonly number[],
    atMs: number,
  ): Promise<{ readonly added: number; readonly changed: number }>;
};

export function createWorkingSet(stored: readonly StoredCall[]): CallWorkingSet {
  const calls = new Map<string, Entry>();
  const places = new Map<string, string[]>();
  const touched = new Set<string>();
  const keep = (entry: Entry): void => {
    const { id, carrier, port } = entry.after;
    calls.set(id, entry);
    const place = `${carrier} ${port}`;
    const ids = places.get(place) ?? [];
    ids.push(id);
    places.set(place, ids);
  };
  const load: CallWorkingSet["load"] = (added) => {
    for (const one of added) {
      if (calls.has(one.id)) continue;
      const record = readCallRecord(one.record);
      keep({ stored: one, before: record, after: record });
    }
  };
  load(stored);
  const entriesOf = (ids: Iterable<string>): readonly Entry[] => [...ids].map((id) => calls.get(id)!);
  const atPort: CallWorkingSet["atPort"] = (carrier, port) =>
    entriesOf(places.get(`${carrier} ${port}`) ?? []).map(({ after }) => after);

  return {
    atPort,
    all: () => [...calls.values()].map(({ after }) => after),
    get: (id) => calls.get(id)!.after,
    load,
    add(record) {
      keep({ stored: null, before: null, after: record });
      touched.add(record.id);
    },
    put(record) {
      const entry = calls.get(record.id)!;
      entry.after = isSameVoyage(entry.after, record)
        ? record
        : { ...record, nth: freeCallNumber(record, atPort(record.carrier, record.port)) };
      touched.add(record.id);
    },
    changes: () => entriesOf(touched).map(({ before, after }) => ({ before, after })),
    async save(tx, cell, hoursBefore, atMs) {
      const rows = entriesOf(touched).flatMap(({ stored: old, after }) => {
        const row = callRowOf(after, nextDueMs(after, hoursBefore, atMs));
        const isSame =
          old !== null && old.record === row.record && (old.dueAt?.getTime() ?? null) === row.dueMs;
        return isSame ? [] : [{ row, isNew: old === null }];
      });
      const added = rows.filter(({ isNew }) => isNew).map(({ row }) => row);
      const changed = rows.filter(({ isNew }) => !isNew).map(({ row }) => row);
      await updateCalls(tx, cell, changed, atMs);
      await insertCalls(tx, cell, added, atMs);
      return { added: added.length, changed: changed.length };
    },
  };
}

/** Adds all calls of the calls' voyages to the set, of those on which they leave and of those on which they come. */
export async function loadVoyages(
  tx: Connection,
  cell: Cell,
  known: CallWorkingSet,
  calls: readonly CallRecord[],
): Promise<void> {
  const wanted = new Map<string, { readonly carrier: string; readonly voyage: string }>();
  for (const { carrier, voyage } of calls) {
    for (const number of [voyageOf({ voyage }), voyage.import ?? ""]) {
      if (number !== "") wanted.set(JSON.stringify([carrier, number]), { carrier, voyage: number });
    }
  }
  if (wanted.size > 0) known.load(await portCallLockOfVoyages(tx, cell, [...wanted.values()]));
}

/** The least `nth` that no other call of the voyage at the port has. */
export function freeCallNumber(
  call: VoyageCall & { readonly id: string },
  others: readonly CallRecord[],
): number {
  const ofVoyage = others.filter((one) => one.id !== call.id && isSameVoyage(one, call));
  const used = new Set(ofVoyage.map(({ nth }) => nth));
  let nth = 1;
  while (used.has(nth)) nth += 1;
  return nth;
}

type VoyageCall = Pick<CallRecord, "service" | "voyage">;

function isSameVoyage(one: VoyageCall, other: VoyageCall): boolean {
  return voyageOf(one) === voyageOf(other) && serviceOf(one) === serviceOf(other);
}

/** Calls of one transaction; the last voyage may exceed it. */
const BATCH_MAX = 500;

/** Voyages stay whole, so that the event of a blanked one lists all of its calls. */
export function batchesOf<Call>(
  voyages: readonly (readonly Call[])[],
): readonly (readonly (readonly Call[])[])[] {
  const batches: (readonly Call[])[][] = [];
  let capacity = 0;
  for (const voyage of voyages.filter(({ length }) => length > 0)) {
    if (capacity <= 0) {
      batches.push([]);
      capacity = BATCH_MAX;
    }
    batches.at(-1)!.push(voyage);
    capacity -= voyage.length;
  }
  return batches;
}
