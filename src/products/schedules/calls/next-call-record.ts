/** A call after a statement, and after a complete fetch that did not tell of it any more. */
import { nextBaseline } from "./baseline.ts";
import {
  FEEDS_MAX,
  HISTORY_MAX,
  serviceOf,
  voyageOf,
  type CallFacts,
  type CallRecord,
  type CallRaised,
  type FeedReport,
  type TrackedFact,
} from "./call-record.ts";
import type { CallStatement, CallTimes } from "./call-statement.ts";
import { factsOf, missingSinceMs, sameValue, nextReport, type FeedReports } from "./feed-reports.ts";

/** Who says it, when, and whether in a fetch that was complete. */
export type Provenance = { readonly feed: string; readonly atMs: number; readonly isComplete: boolean };

/** A call that has not been told of before. */
export type NewCall = { readonly id: string; readonly nth: number };

export const NOTHING_RAISED: CallRaised = { cancelled: null, departure: null, slippedOn: null, cutOffs: {} };

/** The record of a call that becomes known by the statement. */
export function firstRecord(
  { id, nth }: NewCall,
  statement: CallStatement,
  telling: Provenance,
  noticeMs: number,
): CallRecord {
  const words = { [telling.feed]: nextReport(null, statement, telling) };
  const facts = factsOf(words);
  return {
    id,
    carrier: statement.carrier,
    port: statement.port,
    nth,
    firstSeenMs: telling.atMs,
    goneMs: null,
    ...facts,
    history: {},
    words,
    baseline: nextBaseline(null, facts, noticeMs, telling.atMs),
    told: NOTHING_RAISED,
  };
}

/** The record once the statement has been made too; the same object where it says nothing new. */
export function nextRecord(
  before: CallRecord,
  statement: CallStatement,
  telling: Provenance,
  noticeMs: number,
): CallRecord {
  const word = nextReport(before.words[telling.feed] ?? null, statement, telling);
  if (word === before.words[telling.feed]) return before;
  return withReports(before, withReport(before.words, telling.feed, word), noticeMs, telling.atMs);
}

/**
 * The record once a complete fetch of the feed did not tell of the call. Feeds that are not among `feeds` are no longer
 * waited for: they will never leave it out.
 */
export function nextRecordWhenMissing(
  before: CallRecord,
  { feed, atMs }: Provenance,
  noticeMs: number,
  feeds: ReadonlySet<string> | null = null,
): CallRecord {
  const word = before.words[feed];
  if (word === undefined) return before;
  const former = Object.entries(before.words).filter(
    ([name, { isComplete }]) => isComplete && feeds !== null && !feeds.has(name),
  );
  if (word.goneMs !== null && former.length === 0) return before;
  const words = {
    ...before.words,
    ...Object.fromEntries(former.map(([name, one]) => [name, { ...one, isComplete: false }])),
    [feed]: { ...word, goneMs: word.goneMs ?? atMs, isComplete: true },
  };
  return withReports(before, words, noticeMs, atMs);
}

function withReports(before: CallRecord, words: FeedReports, noticeMs: number, atMs: number): CallRecord {
  const facts = factsOf(words);
  return {
    ...before,
    ...facts,
    goneMs: missingSinceMs(words),
    history: nextHistory(before, facts, atMs),
    words,
    baseline: nextBaseline(before, facts, noticeMs, atMs),
  };
}

/** Of too many feeds the one goes that has said nothing new for longest. */
function withReport(words: FeedReports, feed: string, word: FeedReport): FeedReports {
  const others = Object.entries(words).filter(([name]) => name !== feed);
  const kept = others
    .toSorted(([, one], [, other]) => lastChangeMs(other) - lastChangeMs(one))
    .slice(0, FEEDS_MAX - 1)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { ...Object.fromEntries(kept), [feed]: word };
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
  const { vessel, terminal, status, arrival, departure, cutOffs } = facts;
  return new Map<TrackedFact, unknown>([
    ["vessel", vessel],
    ["terminal", terminal],
    ["status", status],
    ...timesOf("arrival", arrival),
    ...timesOf("departure", departure),
    ...cutOffs.map(({ code, at }) => [`cutOff.${code}`, at] as const),
  ]);
}

function timesOf(what: "arrival" | "departure", times: CallTimes): readonly [TrackedFact, unknown][] {
  return (["planned", "estimated", "actual"] as const).map((which) => [`${what}.${which}`, times[which]]);
}

/** What a call is found by, beside its carrier and port. */
export function callKeyOf(facts: Pick<CallFacts, "service" | "voyage">): string {
  return JSON.stringify([voyageOf(facts), serviceOf(facts)]);
}
