/**
 * Takes in what a feed has told: statement by statement into the record, and what is news of it into broadcasts, both
 * in one transaction for each batch. What is repeated, because a fetch was or because a transaction was rolled back,
 * changes nothing and tells nothing.
 *
 *     told ─▶ batch ─▶ batch ─▶ … ─▶ what a complete fetch left out ─▶ batch ─▶ … ─▶ taken in
 *                └─ the store is away, or a crash: nothing of the batch; the next fetch tells again
 */
import type { Connection } from "../../../store/database.ts";
import { callsFor, lockCarriers, type CallKey } from "../store/port-calls.ts";
import { broadcast, type SchedulePorts, type ScheduleSettings } from "../events/broadcasting.ts";
import type { CallsTold, CallStatement } from "./call-statement.ts";
import { freeNumber, knownCalls, type KnownCalls } from "./known-calls.ts";
import { matchCalls } from "./matching.ts";
import { takeAway } from "./missing.ts";
import { firstRecord, recordAfter, type Telling } from "./record-after.ts";
import { callGroupOf, statedCalls, voyageGroupOf } from "./stated-calls.ts";
import { tellings } from "../events/tellings.ts";

/** What came of it. */
export type TakenIn = {
  /** Calls that were told of, each once. */
  readonly calls: number;
  readonly added: number;
  /** Calls that are known otherwise than before. */
  readonly changed: number;
  /** Calls that a complete fetch left out. */
  readonly missing: number;
  /** Events for every account that takes them. */
  readonly events: number;
};

/** Statements of one transaction, and those of one voyage more. */
const BATCH_MAX = 500;

/** Throws `StoreUnavailable`; what has been taken in by then stays, and all of it may be taken in again. */
export async function takeIn(
  ports: SchedulePorts,
  settings: ScheduleSettings,
  told: CallsTold,
): Promise<TakenIn> {
  const telling: Telling = { feed: told.feed, atMs: told.atMs, isComplete: told.complete !== null };
  const ids = new Set<string>();
  let [added, changed, events] = [0, 0, 0];
  for (const batch of batchesOf(told.calls)) {
    const taken = await ports.database.transaction((tx) => takeBatch(tx, ports, settings, telling, batch));
    if (taken.events > 0) ports.wake();
    for (const id of taken.ids) ids.add(id);
    added += taken.added;
    changed += taken.changed;
    events += taken.events;
  }
  const calls = ids.size;
  if (told.complete === null) return { calls, added, changed, missing: 0, events };
  const away = await takeAway(ports, settings, telling, told.complete, ids);
  return { calls, added, changed, missing: away.missing, events: events + away.events };
}

/** All that may be of one call, or of several of a voyage at a port. */
type Group = readonly CallStatement[];

/** Voyages stay whole, so that one that is blanked is told of with all of its calls. */
function batchesOf(calls: readonly CallStatement[]): readonly (readonly Group[])[] {
  const voyages = [...Map.groupBy(calls, voyageGroupOf)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const batches: Group[][] = [];
  let room = 0;
  for (const [, voyage] of voyages) {
    if (room <= 0) {
      batches.push([]);
      room = BATCH_MAX;
    }
    batches.at(-1)!.push(...groupsOf(voyage));
    room -= voyage.length;
  }
  return batches;
}

/** In one order, however they were told. */
function groupsOf(voyage: readonly CallStatement[]): readonly Group[] {
  const groups = [...Map.groupBy(voyage, callGroupOf)];
  return groups.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}

type TakenBatch = Omit<TakenIn, "calls" | "missing"> & { readonly ids: readonly string[] };

async function takeBatch(
  tx: Connection,
  ports: SchedulePorts,
  settings: ScheduleSettings,
  telling: Telling,
  groups: readonly Group[],
): Promise<TakenBatch> {
  const [directory] = ports.cells;
  const carriers = [...new Set(groups.flatMap((group) => group.map(({ carrier }) => carrier)))];
  await lockCarriers(tx, directory, carriers);
  const known = knownCalls(await callsFor(tx, directory, keysOf(groups.flat())));
  for (const group of groups) takeGroup(group, known, ports, settings, telling);
  const drafts = await tellings(tx, ports, settings, known, telling.atMs);
  const saved = await known.save(tx, directory, settings.cutOffHours, telling.atMs);
  await broadcast(tx, ports, drafts, telling.atMs);
  await ports.callsChanged?.(tx, known.touched(), telling.atMs);
  return { ...saved, events: drafts.length, ids: known.touched().map(({ after }) => after.id) };
}

function keysOf(statements: readonly CallStatement[]): readonly CallKey[] {
  const keys = new Map<string, CallKey>();
  for (const { carrier, port, voyage } of statements) {
    const numbers = [voyage.export, voyage.import].filter((number) => number !== null);
    for (const number of numbers.length === 0 ? [""] : numbers) {
      keys.set(JSON.stringify([carrier, number, port]), { carrier, voyage: number, port });
    }
  }
  return [...keys.values()];
}

function takeGroup(
  group: Group,
  known: KnownCalls,
  { random }: SchedulePorts,
  { reliability: { noticeMs } }: ScheduleSettings,
  telling: Telling,
): void {
  const [{ carrier, port } = { carrier: "", port: "" }] = group;
  for (const { statement, record } of matchCalls(statedCalls(group), known.at(carrier, port))) {
    if (record !== null) known.put(recordAfter(record, statement, telling, noticeMs));
    else {
      const first = firstRecord({ id: random.uuid(telling.atMs), nth: 1 }, statement, telling, noticeMs);
      known.add({ ...first, nth: freeNumber(first, known.at(carrier, port)) });
    }
  }
}
