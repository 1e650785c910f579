/**
 * Which events are called for when feeds are fetched at some moments and the record is checked at others. Derived
 * from what feeds say (reporting.ts), not from their answers, and by the rules of docs/schedules.md:
 * calls are known by what they are in this world, and not by matching.
 */
import { DAY_MS } from "../../world/durations.ts";
import type { LinerCarrier, LinerFeed } from "../carriers.ts";
import { pageOf, vesselSchedulesOf } from "../vessel-schedules.ts";
import { feedOutageAt } from "../outages.ts";
import type { CallReport } from "../reporting.ts";
import { daysOf, queriesTo, type LinerTrade } from "../trade.ts";
import { blankSailings, cancelWithVoyage } from "./blank-sailings.ts";
import { isOver, callEvents } from "./call-events.ts";
import {
  expectedArrival,
  expectedDeparture,
  fixBaseline,
  departureCancellationOf,
  hasArrivedOrDeparted,
  isAbsent,
  isLostBy,
  cancellationOf,
  recordAbsence,
  recordReport,
  newKnownCall,
  settleClaims,
  stateOf,
  type KnownCall,
} from "./known-call.ts";
import { departureMsOf, missingCalls, scopeOf, type Missing } from "./missing.ts";
import { createReliabilityTracker } from "./reliability.ts";
import { callName, iso, type TrueEvent, type TruthOptions } from "./true-event.ts";

/** Each at a moment of its own. */
export type Step =
  | { readonly kind: "fetch"; readonly atMs: number; readonly feed: string }
  | { readonly kind: "check"; readonly atMs: number }
  | { readonly kind: "show"; readonly atMs: number };

export function truthOf(
  trade: LinerTrade,
  steps: readonly Step[],
  options: TruthOptions,
): readonly TrueEvent[] {
  const events: TrueEvent[] = [];
  const record = new Map<string, Map<string, KnownCall>>();
  const services = createReliabilityTracker(options);
  let workedOut: string | null = null;
  for (const step of steps) {
    if (step.kind === "fetch") {
      const [carrier, feed] = feedNamed(trade, step.feed);
      const calls = record.get(carrier.scac) ?? new Map<string, KnownCall>();
      record.set(carrier.scac, calls);
      events.push(...applyFetch(trade, carrier, feed, calls, options, step.atMs));
      continue;
    }
    const all = [...record.values()].flatMap((calls) => [...calls.values()]);
    if (step.kind === "show") {
      events.push(...all.flatMap((known) => shownState(known, step.atMs)));
      continue;
    }
    for (const calls of record.values()) events.push(...applyTime(calls, options, step.atMs));
    for (const known of all) {
      if (!isOver(known)) events.push(...callEvents(known, options.cutOffHours, step.atMs));
    }
    const yesterday = iso(step.atMs - DAY_MS).slice(0, 10);
    if (workedOut !== yesterday) events.push(...services.dayEnded(yesterday, all, step.atMs));
    workedOut = yesterday;
  }
  return events;
}

function feedNamed({ carriers }: LinerTrade, name: string): readonly [LinerCarrier, LinerFeed] {
  for (const carrier of carriers) {
    const feed = carrier.feeds.find((one) => one.name === name);
    if (feed !== undefined) return [carrier, feed];
  }
  throw new Error(`no feed is called ${name}`);
}

type CallsById = Map<string, KnownCall>;

function applyFetch(
  trade: LinerTrade,
  carrier: LinerCarrier,
  feed: LinerFeed,
  calls: CallsById,
  options: TruthOptions,
  nowMs: number,
): readonly TrueEvent[] {
  const outage = feedOutageAt(trade.seed, feed, nowMs)?.kind ?? null;
  if (outage !== null && outage !== "truncated") return [];
  const askedUntilMs = nowMs + feed.daysAhead * DAY_MS;
  const day = (ms: number): string => iso(ms).slice(0, 10);
  const until = feed.kind === "cs-port-schedules" ? null : day(askedUntilMs);
  const days = daysOf(day(nowMs - feed.daysBehind * DAY_MS), until, feed.daysAhead, nowMs);
  return queriesTo(carrier, feed).flatMap((question) => {
    const sheets = vesselSchedulesOf(trade.reports(carrier, feed, { ...question, ...days }, nowMs));
    const shown = outage === "truncated" ? pageOf(sheets, feed, 0) : sheets;
    const reports = shown.flat();
    const scope = shown.length === sheets.length ? scopeOf(reports, askedUntilMs, nowMs) : null;
    const isWhole = scope !== null && question.vessel === null;
    const fetch = { carrier, feed, calls, options, nowMs, isWhole };
    const updated = recordReports(reports, fetch);
    const events = raiseEvents(updated, calls, options, nowMs);
    if (scope === null) return events;
    const reported = new Set(updated.map(({ known }) => known));
    const isAsked = ({ call, facts }: KnownCall): boolean =>
      (question.service === null || call.service === question.service) &&
      (question.vessel === null || facts.get("vessel") === question.vessel) &&
      (question.port === null || call.port === question.port);
    const missing = missingCalls(
      [...calls.values()].filter(isAsked),
      reported,
      scope,
      question.port === null,
    );
    return [...events, ...markMissing(missing, fetch)];
  });
}

type FetchContext = {
  readonly carrier: LinerCarrier;
  readonly feed: LinerFeed;
  readonly calls: CallsById;
  readonly options: TruthOptions;
  readonly nowMs: number;
  readonly isWhole: boolean;
};

type ReportedCall = { readonly known: KnownCall; readonly isNew: boolean };

function recordReports(
  all: readonly CallReport[],
  { carrier, feed, calls, options, nowMs, isWhole }: FetchContext,
): readonly ReportedCall[] {
  return all.map((reports) => {
    const key = `${reports.call.id} ${reports.voyage.export}`;
    const before = calls.get(key);
    const known = before ?? newKnownCall(carrier, reports.call);
    calls.set(key, known);
    const expectedMs = expectedArrival(known);
    recordReport(known, feed.name, reports, nowMs, isWhole);
    fixBaseline(known, expectedMs, options.noticeMs, nowMs);
    return { known, isNew: before === undefined };
  });
}

function raiseEvents(
  updated: readonly ReportedCall[],
  calls: CallsById,
  options: TruthOptions,
  nowMs: number,
): readonly TrueEvent[] {
  const all = [...calls.values()];
  const known = new Set(updated.map((one) => one.known));
  const others = cancelWithVoyage([...known], all).filter((one) => !known.has(one));
  const news = [...updated, ...others.map((one) => ({ known: one, isNew: false }))];
  const blanked = blankSailings(news, all, nowMs);
  for (const one of news) noteReinstatement(one.known, nowMs);
  return [...blanked, ...news.flatMap((one) => callEvents(one.known, options.cutOffHours, nowMs))];
}

/** Which calls were cancelled when this was last checked. */
const cancelled = new WeakSet<KnownCall>();

function noteReinstatement(known: KnownCall, nowMs: number): void {
  if (departureCancellationOf(known) !== null) {
    cancelled.add(known);
    known.reinstatedMs = null;
  } else if (cancelled.delete(known)) known.reinstatedMs = nowMs;
}

function markMissing(
  missing: readonly Missing[],
  { feed, calls, options, nowMs, isWhole }: FetchContext,
): readonly TrueEvent[] {
  const marked: KnownCall[] = [];
  const changed: KnownCall[] = [];
  for (const { known, isSure } of missing) {
    const word = known.reports.get(feed.name);
    if (hasArrivedOrDeparted(known)) continue;
    marked.push(known);
    if (word === undefined || !recordAbsence(word, isSure, isWhole, nowMs)) continue;
    changed.push(known);
    fixBaseline(known, expectedArrival(known), options.noticeMs, nowMs);
  }
  const news = { marked, changed, missing: missing.map(({ known }) => known) };
  return loseCalls(news, calls, options, nowMs);
}

/** What time alone changes: claimed times that have come, and calls that count as gone a day before their time. */
function applyTime(calls: CallsById, options: TruthOptions, nowMs: number): readonly TrueEvent[] {
  const all = [...calls.values()];
  const settled = all.filter((known) => {
    const expectedMs = expectedArrival(known);
    const isSettled = settleClaims(known, nowMs);
    if (isSettled) fixBaseline(known, expectedMs, options.noticeMs, nowMs);
    return isSettled;
  });
  const due = all.filter(
    (known) => isAbsent(known) && cancellationOf(known) === null && isLostBy(known, nowMs),
  );
  const late = [...new Set([...settled, ...due])];
  return late.length === 0
    ? []
    : loseCalls({ marked: late, changed: late, missing: late }, calls, options, nowMs);
}

/** `missing` from an answer, of which some are `marked`: not made yet; and `changed`: that says something new. */
type AbsentCalls = {
  readonly marked: readonly KnownCall[];
  readonly changed: readonly KnownCall[];
  readonly missing: readonly KnownCall[];
};

/** Marks calls gone that the absence of these shows to be gone. */
function loseCalls(
  { marked, missing, ...news }: AbsentCalls,
  calls: CallsById,
  options: TruthOptions,
  nowMs: number,
): readonly TrueEvent[] {
  const all = [...calls.values()];
  const changed = new Set(news.changed);
  // Made under another number: nothing is raised.
  const standIns = marked.filter(
    (known) => !known.isLost && isAbsent(known) && isReplaced(known, missing, calls),
  );
  for (const known of marked) {
    if (!standIns.includes(known)) known.isLost ||= isSurelyLost(known);
  }
  for (const known of standIns) {
    changed.add(known);
    known.isLost = true;
    known.raised ??= "suppressed";
  }
  const voyages = Map.groupBy(marked, ({ call, facts }) => `${call.service} ${facts.get("export")}`);
  for (const [name] of voyages) {
    const voyage = all.filter(({ call, facts }) => `${call.service} ${facts.get("export")}` === name);
    const absent = voyage.filter((known) => cancellationOf(known) === null && isLeftOut(known));
    const due = absent.filter((known) => isLostBy(known, nowMs));
    const isWhole =
      voyage.length > 1 && voyage.every((known) => absent.includes(known) || cancellationOf(known) !== null);
    const isGone = due.length > 0 || voyage.some((known) => known.isLost && known.raised !== "suppressed");
    for (const known of isWhole && isGone ? absent : due) {
      known.isLost = true;
      changed.add(known);
    }
  }
  return raiseEvents(
    [...changed].map((known) => ({ known, isNew: false })),
    calls,
    options,
    nowMs,
  );
}

function isLeftOut(known: KnownCall): boolean {
  return isAbsent(known) && !hasArrivedOrDeparted(known);
}

/** By its feeds' answers alone, whatever the time. */
function isSurelyLost(known: KnownCall): boolean {
  return isLostBy(known, Number.NEGATIVE_INFINITY);
}

/** Of calls to come. */
function shownState(known: KnownCall, nowMs: number): readonly TrueEvent[] {
  const ms = expectedDeparture(known);
  if (ms === null || ms <= nowMs) return [];
  const reinstated = known.reinstatedMs === null ? "never" : iso(known.reinstatedMs);
  const about = `${callName(known)} ${iso(ms)} ${stateOf(known)}, reinstated ${reinstated}`;
  return [{ atMs: nowMs, type: "call_state", about }];
}

const RENUMBERED_MS = 3 * DAY_MS;

/** The same vessel is to be at the same port about then, on a voyage with another number. */
function isReplaced(known: KnownCall, missing: readonly KnownCall[], calls: CallsById): boolean {
  const vessel = known.facts.get("vessel");
  if (String(vessel).includes("no number")) return false;
  return [...calls.values()].some(
    (other) =>
      other.call.port === known.call.port &&
      other.facts.get("vessel") === vessel &&
      (other.facts.get("export") !== known.facts.get("export") ||
        other.call.service !== known.call.service) &&
      Math.abs(departureMsOf(other) - departureMsOf(known)) <= RENUMBERED_MS &&
      !missing.includes(other) &&
      !other.isLost &&
      !["BLNK", "SLID", "OMIT"].includes(String(other.facts.get("status"))),
  );
}
