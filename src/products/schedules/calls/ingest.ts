/**
 * Ingests what a feed says: its statements into the record, and the changes into events, both in one transaction for
 * each batch. A repeated update, after a repeated fetch or a rollback, changes nothing and raises nothing.
 *
 *     update ─▶ batch ─▶ batch ─▶ … ─▶ calls that a complete fetch leaves out ─▶ batch ─▶ … ─▶ ingested
 *                 └─ no database, or a crash: nothing of the batch; the next fetch repeats it
 */
import { createPause } from "../../../runtime/time-slices.ts";
import type { Connection } from "../../../store/database.ts";
import type { SchedulePorts, ScheduleSettings } from "../events/broadcasting.ts";
import { saveWithEvents } from "../events/draft-events.ts";
import type { CallKey } from "../store/port-calls.ts";
import { scheduleCarrierLock, portCallLockByKey } from "../store/port-calls.sql.ts";
import { saveRoutings } from "../store/routings.ts";
import type { CallRecord } from "./call-record.ts";
import type { FeedUpdate, CallStatement } from "./call-statement.ts";
import { batchesOf, freeCallNumber, createWorkingSet, type CallWorkingSet } from "./call-working-set.ts";
import { matchCalls } from "./match-calls.ts";
import { portServiceKeyOf, mergeStatements, voyageKeyOf } from "./merge-statements.ts";
import { markMissing } from "./missing-calls.ts";
import { firstRecord, nextRecord, type Provenance } from "./next-call-record.ts";

export type IngestResult = {
  /** Calls that the update states, each once. */
  readonly calls: number;
  readonly added: number;
  readonly changed: number;
  /** Calls that a complete fetch leaves out. */
  readonly missing: number;
  /** Each is raised for every account with endpoints for it. */
  readonly events: number;
};

/** Throws `StoreUnavailable`; the batches ingested by then stay, and you may ingest the whole update again. */
export async function ingest(
  ports: SchedulePorts,
  settings: ScheduleSettings,
  update: FeedUpdate,
): Promise<IngestResult> {
  const { feed, atMs, complete, routings } = update;
  const source: Provenance = {
    feed,
    atMs,
    isComplete: complete !== null && (complete.vessel ?? null) === null,
  };
  const ids = new Set<string>();
  let [added, changed, events] = [0, 0, 0];
  for (const voyages of batchesOf(voyagesOf(update.calls))) {
    const groups = voyages.flatMap(groupsOfVoyage);
    const result = await ports.database.transaction((tx) => ingestBatch(tx, ports, settings, source, groups));
    if (result.ids.length > 0) ports.wake();
    for (const id of result.ids) ids.add(id);
    added += result.added;
    changed += result.changed;
    events += result.events;
  }
  if (routings !== undefined) {
    await ports.database.transaction((tx) => saveRoutings(tx, ports.cell, feed, routings, atMs));
  }
  const calls = ids.size;
  if (complete === null) return { calls, added, changed, missing: 0, events };
  const marked = await markMissing(ports, settings, source, complete, ids);
  return { calls, added, changed, missing: marked.missing, events: events + marked.events };
}

/** The statements of one voyage's calls at one port, most often of one call. */
type Group = readonly CallStatement[];

/** Repeated statements count once. */
const voyagesOf = (calls: readonly CallStatement[]): readonly Group[] =>
  sortedGroups([...new Set(calls)], voyageKeyOf);

const groupsOfVoyage = (voyage: Group): readonly Group[] => sortedGroups(voyage, portServiceKeyOf);

/** What an ingest would make of the update if nothing were known, before its events are drafted. */
export function firstRecordsOf(
  { feed, atMs, calls }: FeedUpdate,
  ports: Pick<SchedulePorts, "random">,
  settings: Pick<ScheduleSettings, "reliability">,
): readonly CallRecord[] {
  const known = createWorkingSet([]);
  const source = { feed, atMs, isComplete: false };
  for (const group of voyagesOf(calls).flatMap(groupsOfVoyage))
    ingestGroup(group, known, ports, settings, source);
  return known.all();
}

/** By key, whatever the order of the statements. */
function sortedGroups(calls: Group, keyOf: (call: CallStatement) => string): readonly Group[] {
  const groups = [...Map.groupBy(calls, keyOf)];
  return groups.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}

type IngestedBatch = Omit<IngestResult, "calls" | "missing"> & { readonly ids: readonly string[] };

async function ingestBatch(
  tx: Connection,
  ports: SchedulePorts,
  settings: ScheduleSettings,
  source: Provenance,
  groups: readonly Group[],
): Promise<IngestedBatch> {
  const { cell } = ports;
  const carriers = [...new Set(groups.flatMap((group) => group.map(({ carrier }) => carrier)))];
  await scheduleCarrierLock(tx, cell, carriers);
  const known = createWorkingSet(await portCallLockByKey(tx, cell, keysOf(groups.flat())));
  const pause = createPause(ports.clock);
  for (const group of groups) {
    ingestGroup(group, known, ports, settings, source);
    await pause();
  }
  const saved = await saveWithEvents(tx, ports, settings, known, source.atMs);
  return { ...saved, ids: known.changes().map(({ after }) => after.id) };
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
  { random }: Pick<SchedulePorts, "random">,
  { reliability: { noticeMs } }: Pick<ScheduleSettings, "reliability">,
  source: Provenance,
): void {
  const [{ carrier, port } = { carrier: "", port: "" }] = group;
  for (const { statement, record } of matchCalls(mergeStatements(group), known.atPort(carrier, port))) {
    if (record !== null) known.put(nextRecord(record, statement, source, noticeMs));
    else {
      const first = firstRecord({ id: random.uuid(source.atMs), nth: 1 }, statement, source, noticeMs);
      known.add({ ...first, nth: freeCallNumber(first, known.atPort(carrier, port)) });
    }
  }
}
