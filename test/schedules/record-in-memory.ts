/**
 * The record of schedules without a store: what is told, what is left out and what time brings, through the same pure
 * functions in the same order as taking in and keeping have them.
 */
import { measureArrival } from "../../src/products/schedules/calls/baseline.ts";
import type { ScheduleSettings } from "../../src/products/schedules/events/broadcasting.ts";
import {
  expectedTime,
  serviceOf,
  voyageOf,
  type CallRecord,
} from "../../src/products/schedules/calls/call-record.ts";
import type {
  FeedUpdate,
  CallStatement,
  CompleteScope,
} from "../../src/products/schedules/calls/call-statement.ts";
import { isMade } from "../../src/products/schedules/calls/cancellation.ts";
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
import { DAY_MS } from "./said.ts";

export type RecordInMemory = {
  takeIn(told: FeedUpdate): readonly EventDraft[];
  lookAtDue(nowMs: number): readonly EventDraft[];
  dayEnded(day: string): readonly EventDraft[];
};

const REPLACED_MS_MAX = 3 * DAY_MS;

export function recordInMemory({ cutOffHours, reliability }: ScheduleSettings): RecordInMemory {
  const records = new Map<string, CallRecord>();
  const places = new Map<string, Set<string>>();
  const carriers = new Map<string, Set<string>>();
  const due = new Map<string, number>();
  const references = new Map<string, number | null>();
  let ids = 0;

  const all = (of: Iterable<string>): readonly CallRecord[] => [...of].map((id) => records.get(id)!);
  const at = (carrier: string, port: string) => all(places.get(`${carrier} ${port}`) ?? []);

  const tellOf = (changes: readonly CallChange[], nowMs: number): readonly EventDraft[] => {
    for (const { after } of changes) {
      records.set(after.id, after);
      const place = `${after.carrier} ${after.port}`;
      places.set(place, (places.get(place) ?? new Set()).add(after.id));
      carriers.set(after.carrier, (carriers.get(after.carrier) ?? new Set()).add(after.id));
    }
    const fresh = changes.filter(isNewlyCancelled).map(({ after }) => after);
    const carrier = fresh[0]?.carrier;
    const voyages = carrier === undefined ? [] : all(carriers.get(carrier) ?? []);
    const cancelled = cancellationEvents(fresh, voyages, nowMs);
    const drafts = [...cancelled.drafts];
    for (const change of changes) {
      const told = cancelled.raised.get(change.after.id) ?? raisedCancellation(change, nowMs);
      const known = { ...change.after, told: { ...change.after.told, cancelled: told } };
      drafts.push(...look(known, nowMs));
    }
    return drafts;
  };

  const look = (known: CallRecord, nowMs: number): readonly EventDraft[] => {
    const { record, drafts } = callEvents(known, cutOffHours, nowMs);
    records.set(record.id, record);
    const nextMs = nextDueMs(record, cutOffHours, nowMs);
    if (nextMs === null) due.delete(record.id);
    else due.set(record.id, nextMs);
    return drafts;
  };

  const stated = (statements: readonly CallStatement[], telling: Provenance): readonly CallChange[] => {
    const changes = new Map<string, CallChange>();
    const groups = Map.groupBy(
      statements,
      (one) => `${one.carrier} ${portServiceKeyOf(one)} ${voyageOf(one)}`,
    );
    for (const group of groups.values()) {
      const { carrier, port } = group[0]!;
      const now = at(carrier, port).map((record) => changes.get(record.id)?.after ?? record);
      const added = [...changes.values()].flatMap(({ before, after }) =>
        before === null && after.carrier === carrier && after.port === port ? [after] : [],
      );
      const known = [...now, ...added];
      for (const { statement, record } of matchCalls(mergeStatements(group), known)) {
        if (record !== null) {
          const before = records.get(record.id) ?? null;
          const after = nextRecord(record, statement, telling, reliability.noticeMs);
          changes.set(record.id, { before, after });
          continue;
        }
        const id = `call-${(ids += 1)}`;
        const first = firstRecord({ id, nth: 1 }, statement, telling, reliability.noticeMs);
        const after = { ...first, nth: freeCallNumber(first, known) };
        changes.set(id, { before: null, after });
        known.push(after);
      }
    }
    return [...changes.values()];
  };

  const leftOutOf = (
    scope: CompleteScope,
    told: ReadonlySet<string>,
    telling: Provenance,
  ): readonly CallChange[] => {
    const calls = all(carriers.get(scope.carrier) ?? []).filter((one) => isWithin(one, scope, telling.atMs));
    const voyages = Map.groupBy(calls, (one) => `${serviceOf(one)} ${voyageOf(one) || one.id}`);
    const missing = [...voyages.values()].flatMap((voyage) =>
      all(missingFrom(voyage.map(rowOf), scope, told)),
    );
    const ofScope = new Set(missing.map(({ id }) => id));
    return missing.flatMap((before): CallChange[] => {
      const after = nextRecordWhenMissing(before, telling, reliability.noticeMs);
      if (isMade(before) || after === before) return [];
      const isSilent =
        after.goneMs !== null &&
        after.told.cancelled === null &&
        at(before.carrier, before.port).some((other) => !ofScope.has(other.id) && standsFor(other, before));
      const cancelled = { kind: "silent", sinceMs: telling.atMs } as const;
      return [{ before, after: isSilent ? { ...after, told: { ...after.told, cancelled } } : after }];
    });
  };

  return {
    takeIn({ feed, atMs, calls, complete }) {
      const telling: Provenance = { feed, atMs, isComplete: complete !== null };
      const changes = stated(calls, telling);
      const drafts = tellOf(changes, atMs);
      if (complete === null) return drafts;
      const told = new Set(changes.map(({ after }) => after.id));
      return [...drafts, ...tellOf(leftOutOf(complete, told, telling), atMs)];
    },
    lookAtDue(nowMs) {
      const now = [...due].flatMap(([id, ms]) => (ms <= nowMs ? [id] : []));
      return now.flatMap((id) => look(records.get(id)!, nowMs));
    },
    dayEnded(day) {
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
        const worked = measureServiceDay(window, day, reliability);
        references.set(name, worked.reference);
        return worked.draft ?? [];
      });
    },
  };
}

/** As the statements of the store have it: see port_calls_in_scope.sql. */
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

/** And port_calls_missing.sql. */
function standsFor(other: CallRecord, call: CallRecord): boolean {
  return (
    Math.abs(callsAt(other) - callsAt(call)) <= REPLACED_MS_MAX &&
    other.vessel.imo !== null &&
    other.vessel.imo === call.vessel.imo &&
    (voyageOf(other) !== voyageOf(call) || serviceOf(other) !== serviceOf(call)) &&
    other.goneMs === null &&
    !["OMIT", "BLNK", "SLID"].includes(other.status ?? "")
  );
}
