/**
 * The record of schedules without a store: the same pure functions as `ingest` and `processDueCalls` use, in the same
 * order.
 */
import { measureArrival } from "../../src/products/schedules/calls/baseline.ts";
import type { ScheduleSettings } from "../../src/products/schedules/events/broadcasting.ts";
import {
  expectedTime,
  isMade,
  serviceOf,
  voyageOf,
  type CallRecord,
} from "../../src/products/schedules/calls/call-record.ts";
import type {
  FeedUpdate,
  CallStatement,
  CompleteScope,
} from "../../src/products/schedules/calls/call-statement.ts";
import {
  cancellationEvents,
  raisedCancellation,
  isNewlyCancelled,
  type CallChange,
} from "../../src/products/schedules/events/blank-sailing.ts";
import type { EventDraft } from "../../src/products/schedules/events/event-draft.ts";
import { callEvents, nextDueMs } from "../../src/products/schedules/events/call-events.ts";
import { freeCallNumber } from "../../src/products/schedules/calls/call-working-set.ts";
import { matchCalls } from "../../src/products/schedules/calls/match-calls.ts";
import { missingFrom } from "../../src/products/schedules/calls/missing-calls.ts";
import {
  firstRecord,
  nextRecord,
  nextRecordWhenMissing,
  type Provenance,
} from "../../src/products/schedules/calls/next-call-record.ts";
import { measureServiceDay } from "../../src/products/schedules/reliability/reliability.ts";
import { portServiceKeyOf, mergeStatements } from "../../src/products/schedules/calls/merge-statements.ts";
import { DAY_MS } from "./statements.ts";

export type RecordInMemory = {
  ingest(update: FeedUpdate): readonly EventDraft[];
  processDue(nowMs: number): readonly EventDraft[];
  endDay(day: string): readonly EventDraft[];
};

const REPLACED_MS_MAX = 3 * DAY_MS;

type State = {
  readonly records: Map<string, CallRecord>;
  /** Ids by carrier and port. */
  readonly places: Map<string, Set<string>>;
  /** Ids by carrier. */
  readonly carriers: Map<string, Set<string>>;
  readonly due: Map<string, number>;
  /** By carrier and service. */
  readonly references: Map<string, number | null>;
  ids: number;
};

export function recordInMemory(settings: ScheduleSettings): RecordInMemory {
  const { cutOffHours, reliability } = settings;
  const state: State = {
    records: new Map(),
    places: new Map(),
    carriers: new Map(),
    due: new Map(),
    references: new Map(),
    ids: 0,
  };
  return {
    ingest({ feed, atMs, calls, complete }) {
      const source: Provenance = { feed, atMs, isComplete: complete !== null };
      const changes = changesBy(state, calls, source, reliability.noticeMs);
      const drafts = applyChanges(state, changes, cutOffHours, atMs);
      if (complete === null) return drafts;
      const listed = new Set(changes.map(({ after }) => after.id));
      const missing = missingCalls(state, complete, listed, source, reliability.noticeMs);
      return [...drafts, ...applyChanges(state, missing, cutOffHours, atMs)];
    },
    processDue(nowMs) {
      const now = [...state.due].flatMap(([id, ms]) => (ms <= nowMs ? [id] : []));
      return now.flatMap((id) => processCall(state, state.records.get(id)!, cutOffHours, nowMs));
    },
    endDay: (day) => endDay(state, day, reliability),
  };
}

function recordsOf({ records }: State, ids: Iterable<string> = []): readonly CallRecord[] {
  return [...ids].map((id) => records.get(id)!);
}

function recordsAt(state: State, carrier: string, port: string): readonly CallRecord[] {
  return recordsOf(state, state.places.get(`${carrier} ${port}`));
}

function applyChanges(
  state: State,
  changes: readonly CallChange[],
  cutOffHours: readonly number[],
  nowMs: number,
): readonly EventDraft[] {
  const { records, places, carriers } = state;
  for (const { after } of changes) {
    records.set(after.id, after);
    const place = `${after.carrier} ${after.port}`;
    places.set(place, (places.get(place) ?? new Set()).add(after.id));
    carriers.set(after.carrier, (carriers.get(after.carrier) ?? new Set()).add(after.id));
  }
  const fresh = changes.filter(isNewlyCancelled).map(({ after }) => after);
  const carrier = fresh[0]?.carrier;
  const voyages = carrier === undefined ? [] : recordsOf(state, carriers.get(carrier));
  const cancellations = cancellationEvents(fresh, voyages, nowMs);
  const drafts = [...cancellations.drafts];
  for (const change of changes) {
    const { after } = change;
    const cancelled = cancellations.raised.get(after.id) ?? raisedCancellation(change, nowMs);
    const known: CallRecord = { ...after, raised: { ...after.raised, cancelled } };
    drafts.push(...processCall(state, known, cutOffHours, nowMs));
  }
  return drafts;
}

function processCall(
  { records, due }: State,
  known: CallRecord,
  cutOffHours: readonly number[],
  nowMs: number,
): readonly EventDraft[] {
  const { record, drafts } = callEvents(known, cutOffHours, nowMs);
  records.set(record.id, record);
  const dueMs = nextDueMs(record, cutOffHours, nowMs);
  if (dueMs === null) due.delete(record.id);
  else due.set(record.id, dueMs);
  return drafts;
}

function changesBy(
  state: State,
  statements: readonly CallStatement[],
  source: Provenance,
  noticeMs: number,
): readonly CallChange[] {
  const changes = new Map<string, CallChange>();
  const groups = Map.groupBy(statements, (one) => `${one.carrier} ${portServiceKeyOf(one)} ${voyageOf(one)}`);
  for (const group of groups.values()) {
    const { carrier, port } = group[0]!;
    const now = recordsAt(state, carrier, port).map((record) => changes.get(record.id)?.after ?? record);
    const added = [...changes.values()].flatMap(({ before, after }) =>
      before === null && after.carrier === carrier && after.port === port ? [after] : [],
    );
    const known = [...now, ...added];
    for (const { statement, record } of matchCalls(mergeStatements(group), known)) {
      if (record !== null) {
        const before = state.records.get(record.id) ?? null;
        changes.set(record.id, { before, after: nextRecord(record, statement, source, noticeMs) });
        continue;
      }
      const id = `call-${(state.ids += 1)}`;
      const first = firstRecord({ id, nth: 1 }, statement, source, noticeMs);
      const after = { ...first, nth: freeCallNumber(first, known) };
      changes.set(id, { before: null, after });
      known.push(after);
    }
  }
  return [...changes.values()];
}

function missingCalls(
  state: State,
  scope: CompleteScope,
  listed: ReadonlySet<string>,
  source: Provenance,
  noticeMs: number,
): readonly CallChange[] {
  const all = recordsOf(state, state.carriers.get(scope.carrier));
  const calls = all.filter((one) => isWithin(one, scope, source.atMs));
  const voyages = Map.groupBy(calls, (one) => `${serviceOf(one)} ${voyageOf(one) || one.id}`);
  const missing = [...voyages.values()].flatMap((voyage) =>
    recordsOf(state, missingFrom(voyage.map(rowOf), scope, listed)),
  );
  const ids = new Set(missing.map(({ id }) => id));
  return missing.flatMap((before): CallChange[] => {
    const after = nextRecordWhenMissing(before, source, noticeMs);
    if (isMade(before) || after === before) return [];
    const isSilent =
      after.goneMs !== null &&
      after.raised.cancelled === null &&
      recordsAt(state, before.carrier, before.port).some((one) => !ids.has(one.id) && replaces(one, before));
    const cancelled = { kind: "silent", sinceMs: source.atMs } as const;
    return [{ before, after: isSilent ? { ...after, raised: { ...after.raised, cancelled } } : after }];
  });
}

function endDay(
  { records, references }: State,
  day: string,
  reliability: ScheduleSettings["reliability"],
): readonly EventDraft[] {
  const after = new Date(Date.parse(day) - reliability.windowDays * DAY_MS).toISOString().slice(0, 10);
  const services = Map.groupBy(
    [...records.values()].flatMap((record) => {
      const measured = measureArrival(record);
      const counts = measured !== null && measured.on > after && measured.on <= day;
      return counts ? [{ ...measured, carrier: record.carrier, service: serviceOf(record) }] : [];
    }),
    ({ carrier, service }) => `${carrier} ${service}`,
  );
  return [...services].flatMap(([name, calls]) => {
    const { carrier, service } = calls[0]!;
    const onTime = calls.filter((call) => call.onTime).length;
    const reference = references.get(name) ?? null;
    const window = { carrier, service, onTime, measured: calls.length, reference };
    const result = measureServiceDay(window, day, reliability);
    references.set(name, result.reference);
    return result.draft ?? [];
  });
}

/** The same rule as port_call_list_in_scope.sql. */
function isWithin(record: CallRecord, scope: CompleteScope, atMs: number): boolean {
  const arrival = expectedTime(record.arrival);
  const callsAtMs = callsAt(record);
  return (
    record.goneMs === null &&
    (scope.service === null || serviceOf(record) === scope.service) &&
    (scope.port === null || record.port === scope.port) &&
    callsAtMs > atMs &&
    callsAtMs >= scope.fromMs &&
    (arrival === null || arrival.ms >= scope.fromMs)
  );
}

function callsAt(record: CallRecord): number {
  return (expectedTime(record.departure) ?? expectedTime(record.arrival))?.ms ?? record.firstSeenMs;
}

function rowOf(record: CallRecord) {
  const [service, voyage] = [serviceOf(record), voyageOf(record)];
  return { id: record.id, service, voyage, callsAt: new Date(callsAt(record)) };
}

/** The same rule as port_call_lock_missing.sql. */
function replaces(other: CallRecord, call: CallRecord): boolean {
  return (
    Math.abs(callsAt(other) - callsAt(call)) <= REPLACED_MS_MAX &&
    other.vessel.imo !== null &&
    other.vessel.imo === call.vessel.imo &&
    (voyageOf(other) !== voyageOf(call) || serviceOf(other) !== serviceOf(call)) &&
    other.goneMs === null &&
    !["OMIT", "BLNK", "SLID"].includes(other.status ?? "")
  );
}
