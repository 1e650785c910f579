/**
 * What feeds have said of a call, and the facts that follow. Every feed has its own word on each fact, and that which
 * changed last is believed: a feed that goes on repeating what another has overtaken is no news, and the facts do
 * not depend on which of several feeds was heard first.
 */
import type { CallFacts, FeedReport, FactValue } from "./call-record.ts";
import type { CallStatement, CallTime, CallTimes, CutOff } from "./call-statement.ts";
import { withKnownParts, withPartsOf } from "./vessel-parts.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";

export type FeedReports = { readonly [feed: string]: FeedReport };

type ReportedFacts = FeedReport["said"];

/** A fact's name in a word: `arrival.planned`, `cutOff.DCO`, `vessel` … */
type FactName = string;

const CUT_OFF = "cutOff.";
const EMPTY_REPORT: FeedReport = { said: {}, goneMs: null, isComplete: false };

/** What a feed has said once it has made the statement; the same object where that is nothing new. */
export function nextReport(
  before: FeedReport | null,
  statement: CallStatement,
  told: { readonly atMs: number; readonly isComplete: boolean },
): FeedReport {
  const { said, goneMs, isComplete } = before ?? EMPTY_REPORT;
  const news = statedFacts(said, statement).filter(([name, value]) =>
    isNewValue(said[name], value, told.atMs),
  );
  const complete = isComplete || told.isComplete;
  if (before !== null && news.length === 0 && goneMs === null && complete === isComplete) return before;
  const changed = news.map(([name, value]): [FactName, FactValue] => [name, { value, sinceMs: told.atMs }]);
  return { said: { ...said, ...Object.fromEntries(changed) }, goneMs: null, isComplete: complete };
}

/** All that the statement says, and what it takes back; a null is nothing said, unless it was said before. */
function statedFacts(
  said: ReportedFacts,
  statement: CallStatement,
): readonly (readonly [FactName, unknown])[] {
  const { service, voyage, arrival, departure, cutOffs } = statement;
  const before = said["vessel"]?.value as CallStatement["vessel"] | undefined;
  const vessel = before === undefined ? statement.vessel : withKnownParts(statement.vessel, before);
  const kept = {
    "service.code": service.code,
    "service.name": service.name,
    "service.universal": service.universal,
    "voyage.import": voyage.import,
    "voyage.export": voyage.export,
    vessel: vessel.imo === null && vessel.name === null && !vessel.isDummy ? null : vessel,
    portName: statement.portName,
    terminal: statement.terminal,
    reference: statement.reference,
    ...timesBy("arrival", arrival),
    ...timesBy("departure", departure),
  };
  const taken = { status: statement.status, delayReason: statement.delayReason, remark: statement.remark };
  return [
    ...Object.entries(kept).filter(([, value]) => value !== null),
    ...Object.entries(taken).filter(([name, value]) => value !== null || said[name] !== undefined),
    ...(cutOffs === null ? [] : statedCutOffs(said, cutOffs)),
  ];
}

function timesBy(
  what: "arrival" | "departure",
  times: CallTimes,
): { readonly [name: FactName]: CallTime | null } {
  const { planned, estimated, actual } = times;
  return { [`${what}.planned`]: planned, [`${what}.estimated`]: estimated, [`${what}.actual`]: actual };
}

/** Codes of cut-offs kept of one feed; the standard knows fifteen, and more than so many are made up each time. */
const CUT_OFF_CODES_MAX = 100;

/** A list of cut-offs is the whole list: what is no longer in it is taken back. */
function statedCutOffs(
  said: ReportedFacts,
  cutOffs: readonly CutOff[],
): readonly (readonly [FactName, unknown])[] {
  const known = Object.keys(said).filter((name) => name.startsWith(CUT_OFF));
  const now = new Map(cutOffs.map(({ code, at }): [FactName, CallTime] => [`${CUT_OFF}${code}`, at]));
  const added = [...now].filter(([name]) => !known.includes(name));
  return [
    ...known.map((name) => [name, now.get(name) ?? null] as const),
    ...added.slice(0, Math.max(0, CUT_OFF_CODES_MAX - known.length)),
  ];
}

function isNewValue(before: FactValue | undefined, value: unknown, atMs: number): boolean {
  if (before === undefined) return true;
  const olderMs = before.sinceMs - atMs;
  if (sameValue(before.value, value) || (olderMs > 0 && olderMs <= CLOCK_SKEW_MS_MAX)) return false;
  // Of two that one feed says at one time either will do, as long as it is always the same.
  return olderMs !== 0 || rankOf(value) > rankOf(before.value);
}

/** What is left out comes before all that can be said. */
function rankOf(value: unknown): string {
  return textOf(value).replaceAll(":null", ": ");
}

/** What is taken in that much later than something newer was told by a clock that was ahead: it is no older. */
const CLOCK_SKEW_MS_MAX = HOUR_MS;

/** A time is the same however far from UTC it was written. */
export function sameValue(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

function textOf(value: unknown): string {
  const isTime = typeof value === "object" && value !== null && "ms" in value;
  return JSON.stringify(isTime ? value.ms : value);
}

/** The facts that follow from the words of all feeds. */
export function factsOf(words: FeedReports): CallFacts {
  const newest = new Map<FactName, { readonly feed: string; readonly past: FactValue }>();
  for (const [feed, { said }] of Object.entries(words)) {
    for (const [name, past] of Object.entries(said)) {
      const other = newest.get(name);
      const isNewer =
        other === undefined ||
        past.sinceMs > other.past.sinceMs ||
        (past.sinceMs === other.past.sinceMs && feed > other.feed);
      if (isNewer) newest.set(name, { feed, past });
    }
  }
  const fact = (name: FactName): unknown => newest.get(name)?.past.value ?? null;
  const times = (what: "arrival" | "departure") => ({
    planned: fact(`${what}.planned`),
    estimated: fact(`${what}.estimated`),
    actual: fact(`${what}.actual`),
  });
  const cutOffs = [...newest.keys()]
    .filter((name) => name.startsWith(CUT_OFF) && fact(name) !== null)
    .map((name) => ({ code: name.slice(CUT_OFF.length), at: fact(name) }))
    .toSorted((one, other) => (one.code < other.code ? -1 : 1));
  return {
    service: {
      code: fact("service.code"),
      name: fact("service.name"),
      universal: fact("service.universal"),
    },
    voyage: { import: fact("voyage.import"), export: fact("voyage.export") },
    vessel: vesselOf(words, fact("vessel")),
    portName: fact("portName"),
    terminal: fact("terminal"),
    reference: fact("reference"),
    status: fact("status"),
    arrival: times("arrival"),
    departure: times("departure"),
    cutOffs,
    delayReason: fact("delayReason"),
    remark: fact("remark"),
  } as CallFacts;
}

/** The vessel that is believed, with what other feeds know of the same one. */
function vesselOf(words: FeedReports, believed: unknown): CallFacts["vessel"] {
  if (believed === null) return { imo: null, name: null, isDummy: false };
  const said = Object.entries(words).flatMap(([feed, word]) => {
    const past = word.said["vessel"];
    return past === undefined ? [] : [{ feed, ...past }];
  });
  const newestFirst = said.toSorted(
    (one, other) => other.sinceMs - one.sinceMs || (one.feed > other.feed ? -1 : 1),
  );
  return withPartsOf(
    believed as CallFacts["vessel"],
    newestFirst.map(({ value }) => value as CallFacts["vessel"]),
  );
}

/**
 * Since when the call is gone: it is missing from a complete fetch of every feed whose fetches are complete. Null:
 * it is not.
 */
export function missingSinceMs(words: FeedReports): number | null {
  const complete = Object.values(words).filter(({ isComplete }) => isComplete);
  const times = complete.map(({ goneMs }) => goneMs);
  return times.length === 0 || times.includes(null) ? null : Math.max(...times.map(Number));
}
