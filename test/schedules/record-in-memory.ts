/** The record of schedules without a store: the same pure functions as the one in the store, in the same order. */
import { measureArrival } from "../../src/products/schedules/calls/baseline.ts";
import type { ScheduleSettings } from "../../src/products/schedules/events/broadcasting.ts";
import {
  isMade,
  serviceOf,
  voyageOf,
  type CallRecord,
  expectedTime,
} from "../../src/products/schedules/calls/call-record.ts";
import type {
  FeedUpdate,
  CallStatement,
  CompleteScope,
} from "../../src/products/schedules/calls/call-statement.ts";
import { isNewlyCancelled, type CallChange } from "../../src/products/schedules/events/blank-sailing.ts";
import type { EventDraft } from "../../src/products/schedules/events/event-draft.ts";
import { newlyGone } from "../../src/products/schedules/calls/absence.ts";
import { touchesVoyage } from "../../src/products/schedules/calls/cancelled-voyage.ts";
import { voyagesOf } from "../../src/products/schedules/calls/voyages.ts";
import { eventsOf } from "../../src/products/schedules/events/draft-events.ts";
import { callEvents, nextDueMs, voyageDueMs } from "../../src/products/schedules/events/call-events.ts";
import { freeCallNumber } from "../../src/products/schedules/calls/call-working-set.ts";
import { matchCalls } from "../../src/products/schedules/calls/match-calls.ts";
import { missingFrom, whenReplaced } from "../../src/products/schedules/calls/missing-calls.ts";
import {
  firstRecord,
  nextRecord,
  nextRecordWhenDue,
  nextRecordWhenMissing,
  type Provenance,
} from "../../src/products/schedules/calls/next-call-record.ts";
import { measureServiceDay } from "../../src/products/schedules/reliability/reliability.ts";
import { portServiceKeyOf, mergeStatements } from "../../src/products/schedules/calls/merge-statements.ts";
import { DAY_MS } from "./statements.ts";

const REPLACED_MS_MAX = 3 * DAY_MS;

/** The same rule as port_call_list_in_scope.sql. */
function isWithin(record: CallRecord, scope: CompleteScope, atMs: number): boolean {
  const arrival = expectedTime(record.arrival);
  const callsAtMs = callsAt(record);
  const { fromMs } = scope.asked ?? scope;
  return (
    record.goneMs === null &&
    (scope.service === null || serviceOf(record) === scope.service) &&
    (scope.port === null || record.port === scope.port) &&
    ((scope.vessel ?? null) === null || record.vessel.imo === scope.vessel) &&
    callsAtMs > atMs &&
    callsAtMs >= fromMs &&
    (arrival === null || arrival.ms >= fromMs)
  );
}

function callsAt(record: CallRecord): number {
  return (expectedTime(record.departure) ?? expectedTime(record.arrival))?.ms ?? record.firstSeenMs;
}

function rowOf(record: CallRecord) {
  const [service, voyage] = [serviceOf(record), voyageOf(record)];
  const arrivalAt = expectedTime(record.arrival);
  return {
    id: record.id,
    service,
    voyage,
    callsAt: new Date(callsAt(record)),
    arrivalAt: arrivalAt && new Date(arrivalAt.ms),
  };
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

export type RecordInMemory = {
  ingest(update: FeedUpdate): readonly EventDraft[];
  processDue(nowMs: number): readonly EventDraft[];
  endDay(day: string): readonly EventDraft[];
  records(): readonly CallRecord[];
};

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
      const source: Provenance = {
        feed,
        atMs,
        isComplete: complete !== null && (complete.vessel ?? null) === null,
      };
      const changes = changesBy(state, calls, source, reliability.noticeMs);
      const drafts = applyChanges(state, changes, cutOffHours, atMs);
      if (complete === null) return drafts;
      const listed = new Set(changes.map(({ after }) => after.id));
      const missing = missingCalls(state, complete, listed, source, reliability.noticeMs);
      return [...drafts, ...applyChanges(state, missing, cutOffHours, atMs)];
    },
    processDue: (nowMs) => processDue(state, settings, nowMs),
    records: () => [...state.records.values()],
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
    const { id, carrier, port } = after;
    records.set(id, after);
    places.set(`${carrier} ${port}`, (places.get(`${carrier} ${port}`) ?? new Set()).add(id));
    carriers.set(carrier, (carriers.get(carrier) ?? new Set()).add(id));
  }
  const isVoyage = (change: CallChange) =>
    isNewlyCancelled(change) || touchesVoyage(change.before, change.after);
  const carrier = changes.find(isVoyage)?.after.carrier ?? "";
  const all = carrier === "" ? changes.map(({ after }) => after) : recordsOf(state, carriers.get(carrier));
  const { drafts, calls } = eventsOf(changes, all, cutOffHours, nowMs);
  for (const call of calls) keep(state, call, cutOffHours, nowMs);
  return drafts;
}

function keep({ records, due }: State, record: CallRecord, cutOffHours: readonly number[], nowMs: number) {
  records.set(record.id, record);
  const dueMs = nextDueMs(record, cutOffHours, nowMs);
  if (dueMs === null) due.delete(record.id);
  else due.set(record.id, dueMs);
}

function processDue(
  state: State,
  { cutOffHours, reliability: { noticeMs } }: ScheduleSettings,
  nowMs: number,
): readonly EventDraft[] {
  const isDue = (record: CallRecord) => (voyageDueMs(record) ?? Number.POSITIVE_INFINITY) <= nowMs;
  const due = recordsOf(
    state,
    [...state.due].flatMap(([id, ms]) => (ms <= nowMs ? [id] : [])),
  );
  const drafts = due
    .filter((one) => !isDue(one))
    .flatMap((one) => {
      const events = callEvents(one, cutOffHours, nowMs);
      keep(state, events.record, cutOffHours, nowMs);
      return events.drafts;
    });
  for (const late of Map.groupBy(due.filter(isDue), ({ carrier }) => carrier).values()) {
    const ids = new Set(late.map(({ id }) => id));
    const changes = late.map((before): CallChange => ({
      before,
      after: settleReplaced(state, before, nextRecordWhenDue(before, noticeMs, nowMs), ids, nowMs),
    }));
    drafts.push(...applyChanges(state, withLost(state, changes, nowMs), cutOffHours, nowMs));
  }
  return drafts;
}

/** The changes, and the calls that their voyages lose. */
function withLost(state: State, changes: readonly CallChange[], nowMs: number): readonly CallChange[] {
  const all = new Map(changes.map((change) => [change.after.id, change]));
  const carriers = new Set(changes.map(({ after }) => after.carrier));
  const now = [...carriers].flatMap((carrier) =>
    recordsOf(state, state.carriers.get(carrier)).map((one) => all.get(one.id)?.after ?? one),
  );
  const voyages = voyagesOf(
    changes.map(({ after }) => after),
    now,
  );
  for (const call of voyages.flatMap((voyage) => newlyGone(voyage, nowMs))) {
    const before = all.get(call.id)?.before ?? call;
    all.set(call.id, { before, after: { ...call, goneMs: nowMs, reinstatedMs: null } });
  }
  return [...all.values()];
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
  const leftOut = [...voyages.values()].flatMap((voyage) => missingFrom(voyage.map(rowOf), scope, listed));
  const ids = new Set(leftOut.map(({ id }) => id));
  const changes = leftOut.flatMap(({ id, isSure }): readonly CallChange[] => {
    const before = state.records.get(id)!;
    if (isMade(before)) return [];
    const missing = nextRecordWhenMissing(before, source, isSure, noticeMs);
    const after = settleReplaced(state, before, missing, ids, source.atMs);
    return [{ before, after }];
  });
  return withLost(state, changes, source.atMs).filter(({ before, after }) => after !== before);
}

function settleReplaced(
  state: State,
  before: CallRecord,
  after: CallRecord,
  ids: ReadonlySet<string>,
  atMs: number,
): CallRecord {
  const others = recordsAt(state, after.carrier, after.port);
  const isReplaced = others.some((one) => !ids.has(one.id) && replaces(one, after));
  return isReplaced ? whenReplaced(before, after, atMs) : after;
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
