/**
 * Takes in what a feed has told: statement by statement into the record, and what is news of it into broadcasts, both
 * in one transaction for each batch. What is repeated, because a fetch was or because a transaction was rolled back,
 * changes nothing and tells nothing.
 *
 *     told ─▶ batch ─▶ batch ─▶ … ─▶ what a complete fetch left out ─▶ batch ─▶ … ─▶ taken in
 *                └─ the store is away, or a crash: nothing of the batch; the next fetch tells again
 */
import type { Connection } from "../../../store/database.ts";
import { lockCallsByKey, lockCarriers, type CallKey } from "../store/port-calls.ts";
import { broadcast, type SchedulePorts, type ScheduleSettings } from "../events/broadcasting.ts";
import type { FeedUpdate, CallStatement } from "./call-statement.ts";
import { freeCallNumber, createWorkingSet, type CallWorkingSet } from "./call-working-set.ts";
import { matchCalls } from "./match-calls.ts";
import { markMissing } from "./missing-calls.ts";
import { firstRecord, nextRecord, type Provenance } from "./next-call-record.ts";
import { portServiceKeyOf, mergeStatements, voyageKeyOf } from "./merge-statements.ts";
import { draftEvents } from "../events/draft-events.ts";

/** What came of it. */
export type IngestResult = {
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
export async function ingest(
  ports: SchedulePorts,
  settings: ScheduleSettings,
  told: FeedUpdate,
): Promise<IngestResult> {
  const telling: Provenance = { feed: told.feed, atMs: told.atMs, isComplete: told.complete !== null };
  const ids = new Set<string>();
  let [added, changed, events] = [0, 0, 0];
  for (const batch of batchesOf(told.calls)) {
    const taken = await ports.database.transaction((tx) => ingestBatch(tx, ports, settings, telling, batch));
    if (taken.events > 0) ports.wake();
    for (const id of taken.ids) ids.add(id);
    added += taken.added;
    changed += taken.changed;
    events += taken.events;
  }
  const calls = ids.size;
  if (told.complete === null) return { calls, added, changed, missing: 0, events };
  const away = await markMissing(ports, settings, telling, told.complete, ids);
  return { calls, added, changed, missing: away.missing, events: events + away.events };
}

/** All that may be of one call, or of several of a voyage at a port. */
type Group = readonly CallStatement[];

/** Voyages stay whole, so that one that is blanked is told of with all of its calls. */
function batchesOf(calls: readonly CallStatement[]): readonly (readonly Group[])[] {
  const voyages = [...Map.groupBy(calls, voyageKeyOf)].toSorted(([one], [other]) => (one < other ? -1 : 1));
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
  const groups = [...Map.groupBy(voyage, portServiceKeyOf)];
  return groups.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}

type IngestedBatch = Omit<IngestResult, "calls" | "missing"> & { readonly ids: readonly string[] };

async function ingestBatch(
  tx: Connection,
  ports: SchedulePorts,
  settings: ScheduleSettings,
  telling: Provenance,
  groups: readonly Group[],
): Promise<IngestedBatch> {
  const [directory] = ports.cells;
  const carriers = [...new Set(groups.flatMap((group) => group.map(({ carrier }) => carrier)))];
  await lockCarriers(tx, directory, carriers);
  const known = createWorkingSet(await lockCallsByKey(tx, directory, keysOf(groups.flat())));
  for (const group of groups) ingestGroup(group, known, ports, settings, telling);
  const drafts = await draftEvents(tx, ports, settings, known, telling.atMs);
  const saved = await known.save(tx, directory, settings.cutOffHours, telling.atMs);
  await broadcast(tx, ports, drafts, telling.atMs);
  await ports.onCallsChanged?.(tx, known.changes(), telling.atMs);
  return { ...saved, events: drafts.length, ids: known.changes().map(({ after }) => after.id) };
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

function ingestGroup(
  group: Group,
  known: CallWorkingSet,
  { random }: SchedulePorts,
  { reliability: { noticeMs } }: ScheduleSettings,
  telling: Provenance,
): void {
  const [{ carrier, port } = { carrier: "", port: "" }] = group;
  for (const { statement, record } of matchCalls(mergeStatements(group), known.atPort(carrier, port))) {
    if (record !== null) known.put(nextRecord(record, statement, telling, noticeMs));
    else {
      const first = firstRecord({ id: random.uuid(telling.atMs), nth: 1 }, statement, telling, noticeMs);
      known.add({ ...first, nth: freeCallNumber(first, known.atPort(carrier, port)) });
    }
  }
}
