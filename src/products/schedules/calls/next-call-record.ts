/** A call's next record: after a statement, and after a complete fetch that leaves the call out. */
import { absentReport, goneSince } from "./absence.ts";
import { nextBaseline } from "./baseline.ts";
import {
  departureCancellationOf,
  FEEDS_MAX,
  HISTORY_MAX,
  type CallFacts,
  type CallRecord,
  type CallRaised,
  type FeedReport,
  type TrackedFact,
} from "./call-record.ts";
import type { CallStatement } from "./call-statement.ts";
import { factsIn, factsOf, sameValue, nextReport, withClaims, type FeedReports } from "./feed-reports.ts";

/** The fetch or push that a statement comes from; complete: it leaves out only calls that are gone. */
export type Provenance = { readonly feed: string; readonly atMs: number; readonly isComplete: boolean };

const NOTHING_RAISED: CallRaised = { cancelled: null, departure: null, slippedOn: null, cutOffs: {} };

/** The record of a call that the statement makes known. */
export function firstRecord(
  { id, nth }: Pick<CallRecord, "id" | "nth">,
  statement: CallStatement,
  source: Provenance,
  noticeMs: number,
): CallRecord {
  const reports = { [source.feed]: nextReport(null, statement, source) };
  const facts = factsOf(reports);
  return {
    id,
    carrier: statement.carrier,
    port: statement.port,
    nth,
    firstSeenMs: source.atMs,
    goneMs: null,
    voyageStatus: null,
    reinstatedMs: null,
    ...facts,
    history: {},
    reports,
    baseline: nextBaseline(null, facts, noticeMs, source.atMs),
    raised: NOTHING_RAISED,
  };
}

/** The same object if the statement changes nothing. */
export function nextRecord(
  before: CallRecord,
  statement: CallStatement,
  source: Provenance,
  noticeMs: number,
): CallRecord {
  const last = before.reports[source.feed];
  const report = nextReport(last ?? null, statement, source);
  if (report === last) return before;
  return withReports(before, withReport(before.reports, source.feed, report), noticeMs, source.atMs);
}

/**
 * The record after a complete fetch of the feed that leaves the call out; sure: it certainly covers the call. A feed
 * that is not in `feeds` no longer counts as complete: it will never leave the call out.
 */
export function nextRecordWhenMissing(
  before: CallRecord,
  source: Provenance,
  isSure: boolean,
  noticeMs: number,
  feeds: ReadonlySet<string> | null = null,
): CallRecord {
  const { feed, atMs } = source;
  const report = before.reports[feed];
  if (report === undefined) return before;
  const former = Object.entries(before.reports).filter(
    ([name, { isComplete }]) => isComplete && feeds !== null && !feeds.has(name),
  );
  const absent = absentReport(report, isSure, source);
  if (absent === report && former.length === 0) return before;
  const reports = {
    ...before.reports,
    ...Object.fromEntries(former.map(([name, one]) => [name, { ...one, isComplete: false }])),
    [feed]: absent,
  };
  return withReports(before, reports, noticeMs, atMs);
}

/** The record once claimed times that have come count; the same object if none has. */
export function nextRecordWhenDue(before: CallRecord, noticeMs: number, atMs: number): CallRecord {
  const reports = withClaims(before.reports, atMs);
  return reports === before.reports ? before : withReports(before, reports, noticeMs, atMs);
}

function withReports(before: CallRecord, reports: FeedReports, noticeMs: number, atMs: number): CallRecord {
  const facts = factsOf(reports);
  const next: CallRecord = {
    ...before,
    ...facts,
    goneMs: goneSince(before.goneMs, reports, atMs),
    history: nextHistory(before, facts, atMs),
    reports,
    baseline: nextBaseline(before, facts, noticeMs, atMs),
  };
  return withReinstatement(before, next, atMs);
}

/** The next record with the time at which a cancellation of the one before was withdrawn. */
export function withReinstatement(before: CallRecord, next: CallRecord, atMs: number): CallRecord {
  const [was, is] = [departureCancellationOf(before), departureCancellationOf(next)];
  if (is !== null && next.reinstatedMs !== null) return { ...next, reinstatedMs: null };
  return was !== null && is === null ? { ...next, reinstatedMs: atMs } : next;
}

/** Of too many feeds, drops the one whose report has not changed for longest. */
function withReport(reports: FeedReports, feed: string, report: FeedReport): FeedReports {
  const kept = Object.entries(reports)
    .filter(([name]) => name !== feed)
    .toSorted(([, one], [, other]) => lastChangeMs(other) - lastChangeMs(one))
    .slice(0, FEEDS_MAX - 1)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { ...Object.fromEntries(kept), [feed]: report };
}

function lastChangeMs({ said }: FeedReport): number {
  return Math.max(0, ...Object.values(said).map(({ sinceMs }) => sinceMs));
}

function nextHistory(before: CallRecord, facts: CallFacts, atMs: number): CallRecord["history"] {
  const old = trackedFacts(before);
  const now = trackedFacts(facts);
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (fact) => !sameValue(old.get(fact) ?? null, now.get(fact) ?? null),
  );
  if (changed.length === 0) return before.history;
  const added = changed.map((fact) => {
    const past = before.history[fact] ?? [{ value: old.get(fact) ?? null, sinceMs: before.firstSeenMs }];
    return [fact, [...past, { value: now.get(fact) ?? null, sinceMs: atMs }].slice(-HISTORY_MAX)] as const;
  });
  return { ...before.history, ...Object.fromEntries(added) };
}

function trackedFacts(facts: CallFacts): ReadonlyMap<TrackedFact, unknown> {
  const cutOffs = facts.cutOffs.map(({ code, at }) => [`cutOff.${code}`, at] as const);
  const all = [...factsIn(facts), ...cutOffs] as readonly (readonly [TrackedFact, unknown])[];
  return new Map(all.filter(([name]) => TRACKED.test(name)));
}

/** {@link TrackedFact} */
const TRACKED = /^(vessel|terminal|status|(arrival|departure|cutOff)\..*)$/;
