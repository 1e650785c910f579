/**
 * Which events are called for when feeds are fetched at some moments and the record is checked at others. Derived
 * from what feeds say (reporting.ts), not from their answers, and by the rules of docs/schedules.md and
 * docs/schedule-feeds.md: calls are known by what they are in this world, and not by matching.
 */
import { DAY_MS } from "../../world/durations.ts";
import type { LinerCarrier, LinerFeed } from "../carriers.ts";
import { pageOf, vesselSchedulesOf } from "../vessel-schedules.ts";
import { feedOutageAt } from "../outages.ts";
import type { CallReport } from "../reporting.ts";
import { daysOf, queriesTo, type LinerTrade } from "../trade.ts";
import { blankSailings } from "./blank-sailings.ts";
import { isOver, callEvents } from "./call-events.ts";
import {
  expectedArrival,
  expectedDeparture,
  fixBaseline,
  hasArrivedOrDeparted,
  recordReport,
  isMissing,
  newKnownCall,
  type KnownCall,
} from "./known-call.ts";
import { createReliabilityTracker } from "./reliability.ts";
import { iso, type TrueEvent, type TruthOptions } from "./true-event.ts";

/** Each at a moment of its own. */
export type Step =
  | { readonly kind: "fetch"; readonly atMs: number; readonly feed: string }
  | { readonly kind: "check"; readonly atMs: number };

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
    const isWhole = shown.length === sheets.length && question.vessel === null;
    const scope = isWhole ? scopeOf(reports, askedUntilMs, nowMs) : null;
    const updated = recordReports(reports, { carrier, feed, calls, options, nowMs, isWhole: scope !== null });
    const events = raiseEvents(updated, calls, options, nowMs);
    if (scope === null) return events;
    const reported = new Set(updated.map(({ known }) => known));
    const isAsked = ({ call }: KnownCall): boolean =>
      (question.service === null || call.service === question.service) &&
      (question.port === null || call.port === question.port);
    const missing = missingCalls([...calls.values()].filter(isAsked), reported, scope).filter((known) =>
      isOmittedBy(known, feed),
    );
    return [...events, ...markMissing(missing, feed, calls, options, nowMs)];
  });
}

type Scope = { readonly fromMs: number; readonly toMs: number; readonly horizonMs: number };

const SLIDE_MS = 7 * DAY_MS;

/** What a whole answer was complete about; null: nothing may be concluded. */
function scopeOf(reports: readonly CallReport[], askedUntilMs: number, nowMs: number): Scope | null {
  const times = reports.flatMap(({ arrival, departure }) =>
    [arrival, departure].map(({ actual, estimated, planned }) => actual ?? estimated ?? planned ?? 0),
  );
  const lastMs = Math.max(...times);
  const horizonMs = askedUntilMs - SLIDE_MS;
  const fromMs = nowMs + DAY_MS;
  if (reports.length === 0 || lastMs <= fromMs || horizonMs <= fromMs) return null;
  return { fromMs, toMs: Math.min(horizonMs, lastMs - SLIDE_MS), horizonMs };
}

/** The calls that an answer should have contained and did not. */
function missingCalls(
  asked: readonly KnownCall[],
  reported: ReadonlySet<KnownCall>,
  { fromMs, toMs, horizonMs }: Scope,
): readonly KnownCall[] {
  const toCome = asked.filter(
    (known) =>
      departureMsOf(known) >= fromMs && (expectedArrival(known) ?? fromMs) >= fromMs && !isMissing(known),
  );
  const voyages = Map.groupBy(toCome, ({ call, facts }) => `${call.service} ${facts.get("export")}`);
  return [...voyages.values()].flatMap((voyage) => {
    const updated = voyage.filter((known) => reported.has(known));
    // Piece by piece it may be the horizon that it goes over.
    if (updated.length === 0 && voyage.some((known) => departureMsOf(known) > toMs)) return [];
    const untilMs = Math.max(toMs, Math.min(horizonMs, Math.max(...updated.map(departureMsOf))));
    return voyage.filter((known) => !reported.has(known) && departureMsOf(known) <= untilMs);
  });
}

function departureMsOf(known: KnownCall): number {
  return expectedDeparture(known) ?? expectedArrival(known) ?? 0;
}

/** The feed reported it until now. */
function isOmittedBy(known: KnownCall, feed: LinerFeed): boolean {
  const word = known.reports.get(feed.name);
  return word !== undefined && word.absentMs === null && !hasArrivedOrDeparted(known);
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
  const blanked = blankSailings(updated, [...calls.values()], nowMs);
  return [...blanked, ...updated.flatMap(({ known }) => callEvents(known, options.cutOffHours, nowMs))];
}

function markMissing(
  missing: readonly KnownCall[],
  feed: LinerFeed,
  calls: CallsById,
  options: TruthOptions,
  nowMs: number,
): readonly TrueEvent[] {
  const standIns = missing.filter((known) => isReplaced(known, missing, calls));
  for (const known of missing) {
    const word = known.reports.get(feed.name);
    if (word === undefined) continue;
    word.absentMs = nowMs;
    word.isWhole = true;
    fixBaseline(known, expectedArrival(known), options.noticeMs, nowMs);
  }
  // Made under another number: nothing is raised.
  for (const known of standIns) if (known.raised === null && isMissing(known)) known.raised = "suppressed";
  return raiseEvents(
    missing.map((known) => ({ known, isNew: false })),
    calls,
    options,
    nowMs,
  );
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
      !isMissing(other) &&
      !["BLNK", "SLID", "OMIT"].includes(String(other.facts.get("status"))),
  );
}
