/**
 * The calls that one transaction is about: as they were found, and as they become. Whoever has them holds the row of
 * their carrier, so that no other call of their voyages can come about meanwhile.
 */
import type { Connection } from "../../../store/database.ts";
import type { Cell } from "../../../store/cell.ts";
import { insertCalls, updateCalls, type StoredCall } from "../store/port-calls.ts";
import { serviceOf, voyageOf, type CallRecord } from "./call-record.ts";
import type { CallChange } from "../events/blank-sailing.ts";
import { nextDueMs } from "../events/call-events.ts";
import { callKeyOf } from "./next-call-record.ts";
import { readCallRecord, callRowOf } from "./call-row.ts";

type Entry = {
  readonly stored: StoredCall | null;
  readonly before: CallRecord | null;
  after: CallRecord;
};

export type CallWorkingSet = {
  /** The calls of a carrier at a port, as they are by now. */
  atPort(carrier: string, port: string): readonly CallRecord[];
  /** One of those that there are, by its id. */
  get(id: string): CallRecord;
  add(record: CallRecord): void;
  put(record: CallRecord): void;
  /** The calls that have been added or put, each once. */
  changes(): readonly CallChange[];
  /** Writes what has changed; returns how many calls are new, and how many are known otherwise than before. */
  save(
    tx: Connection,
    directory: Cell,
    hoursBefore: readonly number[],
    atMs: number,
  ): Promise<{ readonly added: number; readonly changed: number }>;
};

export function createWorkingSet(stored: readonly StoredCall[]): CallWorkingSet {
  const calls = new Map<string, Entry>();
  const places = new Map<string, string[]>();
  const touched = new Set<string>();
  const keep = (known: Entry): void => {
    const { id, carrier, port } = known.after;
    calls.set(id, known);
    const place = `${carrier} ${port}`;
    const there = places.get(place) ?? [];
    there.push(id);
    places.set(place, there);
  };
  for (const one of stored) {
    const record = readCallRecord(one.record);
    keep({ stored: one, before: record, after: record });
  }
  const all = (ids: Iterable<string>): readonly Entry[] => [...ids].map((id) => calls.get(id)!);

  const at: CallWorkingSet["atPort"] = (carrier, port) =>
    all(places.get(`${carrier} ${port}`) ?? []).map(({ after }) => after);

  return {
    atPort: at,
    get: (id) => calls.get(id)!.after,
    add(record) {
      keep({ stored: null, before: null, after: record });
      touched.add(record.id);
    },
    put(record) {
      const known = calls.get(record.id)!;
      const isMoved = callKeyOf(known.after) !== callKeyOf(record);
      known.after = isMoved
        ? { ...record, nth: freeCallNumber(record, at(record.carrier, record.port)) }
        : record;
      touched.add(record.id);
    },
    changes: () => all(touched).map(({ before, after }) => ({ before, after })),
    async save(tx, directory, hoursBefore, atMs) {
      const news = all(touched).flatMap(({ stored: one, after }) => {
        const row = callRowOf(after, nextDueMs(after, hoursBefore, atMs));
        const isSame =
          one !== null && one.record === row.record && (one.dueAt?.getTime() ?? null) === row.dueMs;
        return isSame ? [] : [{ row, isNew: one === null }];
      });
      const added = news.filter(({ isNew }) => isNew).map(({ row }) => row);
      const changed = news.filter(({ isNew }) => !isNew).map(({ row }) => row);
      await updateCalls(tx, directory, changed, atMs);
      await insertCalls(tx, directory, added, atMs);
      return { added: added.length, changed: changed.length };
    },
  };
}

/** The least number that no other call of the voyage at the port has. */
export function freeCallNumber(
  call: Pick<CallRecord, "id" | "service" | "voyage">,
  others: readonly CallRecord[],
): number {
  const [voyage, service] = [voyageOf(call), serviceOf(call)];
  const ofVoyage = others.filter(
    (one) => one.id !== call.id && voyageOf(one) === voyage && serviceOf(one) === service,
  );
  const taken = new Set(ofVoyage.map(({ nth }) => nth));
  let nth = 1;
  while (taken.has(nth)) nth += 1;
  return nth;
}
