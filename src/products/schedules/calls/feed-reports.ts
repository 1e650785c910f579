/**
 * What feeds say of a call, and the facts that follow. Each feed has its own report of each fact; the report that
 * changed last counts. So a feed that repeats what another has overtaken changes nothing, and the order in which
 * feeds are polled does not matter.
 */
import { HOUR_MS } from "../../../runtime/durations.ts";
import type { CallFacts, CallRecord, FeedReport, FactValue } from "./call-record.ts";
import type { CallStatement, CallTime, CutOff } from "./call-statement.ts";
import { withKnownParts } from "./merge-statements.ts";

export type FeedReports = CallRecord["reports"];

type ReportedFacts = FeedReport["said"];

/** `arrival.planned`, `cutOff.DCO`, `vessel` … */
type FactName = string;
type StatedFact = readonly [FactName, unknown];

const CUT_OFF = "cutOff.";
const EMPTY_REPORT: FeedReport = { said: {}, goneMs: null, isComplete: false };

/** A feed's report after the statement; the same object if the statement changes nothing. */
export function nextReport(
  before: FeedReport | null,
  statement: CallStatement,
  fetch: { readonly atMs: number; readonly isComplete: boolean },
): FeedReport {
  const { said, goneMs, isComplete } = before ?? EMPTY_REPORT;
  const changes = statedFacts(said, statement)
    .filter(([name, value]) => isNewValue(said[name], value, fetch.atMs))
    .map(([name, value]): [FactName, FactValue] => [name, { value, sinceMs: fetch.atMs }]);
  const complete = isComplete || fetch.isComplete;
  if (before !== null && changes.length === 0 && goneMs === null && complete === isComplete) return before;
  return { said: { ...said, ...Object.fromEntries(changes) }, goneMs: null, isComplete: complete };
}

/** What every statement is whole in; one that leaves out another fact does not retract it. */
const RETRACTABLE: readonly FactName[] = ["status", "delayReason", "remark"];

/** All that the statement says or retracts. */
function statedFacts(said: ReportedFacts, statement: CallStatement): readonly StatedFact[] {
  const { vessel, cutOffs } = statement;
  const known = said["vessel"]?.value as CallStatement["vessel"] | undefined;
  const isUnnamed = vessel.imo === null && vessel.name === null && !vessel.isDummy;
  const named = known === undefined ? vessel : withKnownParts(vessel, known);
  const facts = factsIn({ ...statement, vessel: isUnnamed ? null : named });
  return [
    ...facts.filter(
      ([name, value]) => value !== null || (RETRACTABLE.includes(name) && said[name] !== undefined),
    ),
    ...withdrawnTimes(said, statement),
    ...(cutOffs === null ? [] : statedCutOffs(said, cutOffs)),
  ];
}

/**
 * What a statement withdraws of a move's times: a claimed time that it no longer states; and an estimate that it no
 * longer states, if that was a claimed time, or if the plan has moved since it was made.
 */
function withdrawnTimes(said: ReportedFacts, statement: CallStatement): readonly StatedFact[] {
  return (["arrival", "departure"] as const).flatMap((move) => {
    const { planned, estimated, claimed = null } = statement[move];
    const [plan, estimate, claim] = [
      said[`${move}.planned`],
      said[`${move}.estimated`],
      said[`${move}.claimed`],
    ];
    const isUnclaimed = claimed === null && (claim?.value ?? null) !== null;
    const isReplanned =
      planned !== null &&
      plan !== undefined &&
      (!sameValue(plan.value, planned) || plan.sinceMs > (estimate?.sinceMs ?? plan.sinceMs));
    const isDropped = estimated === null && (estimate?.value ?? null) !== null;
    const isOld = isReplanned || (isUnclaimed && sameValue(estimate?.value, claim?.value));
    return [
      ...(isUnclaimed ? [[`${move}.claimed`, null] as const] : []),
      ...(isDropped && isOld ? [[`${move}.estimated`, null] as const] : []),
    ];
  });
}

/** When a claimed time comes; null: no feed states one. A feed that leaves the call out claims nothing of it. */
export function claimDueMs(reports: FeedReports): number | null {
  const listed = Object.values(reports).filter(({ goneMs }) => goneMs === null);
  const times = listed.flatMap(({ said }) => CLAIMS.flatMap((name) => timeIn(said[name])));
  return times.length === 0 ? null : Math.min(...times);
}

/** The reports once claimed times that have come count as actual; the same object if none has. */
export function withClaims(reports: FeedReports, atMs: number): FeedReports {
  if ((claimDueMs(reports) ?? Number.POSITIVE_INFINITY) > atMs) return reports;
  const settled = Object.entries(reports).map(([feed, report]) => {
    if (report.goneMs !== null) return [feed, report] as const;
    const come = CLAIMS.filter((name) => timeIn(report.said[name]).some((ms) => ms <= atMs));
    const facts = come.flatMap((name) => [
      [name.replace("claimed", "actual"), { value: report.said[name]!.value, sinceMs: atMs }],
      [name, { value: null, sinceMs: atMs }],
    ]);
    return [feed, { ...report, said: { ...report.said, ...Object.fromEntries(facts) } }] as const;
  });
  return Object.fromEntries(settled);
}

const CLAIMS = ["arrival.claimed", "departure.claimed"] as const;

function timeIn(fact: FactValue | undefined): readonly number[] {
  const at = (fact?.value ?? null) as CallTime | null;
  return at === null ? [] : [at.ms];
}

type Facts = Omit<CallFacts, "vessel" | "cutOffs"> & { readonly vessel: CallFacts["vessel"] | null };

/** By name, without the cut-offs. */
export function factsIn(facts: Facts): readonly StatedFact[] {
  const { service, voyage, arrival, departure } = facts;
  const { vessel, portName, terminal, reference, status, delayReason, remark } = facts;
  return [
    ...Object.entries({ service, voyage, arrival, departure }).flatMap(([what, parts]) =>
      Object.entries(parts).map(([part, value]): StatedFact => [`${what}.${part}`, value]),
    ),
    ...Object.entries({ vessel, portName, terminal, reference, status, delayReason, remark }),
  ];
}

/** Codes of cut-offs kept of one feed. The standard knows fifteen; a feed with more than this invents them. */
const CUT_OFF_CODES_MAX = 100;

/** A list of cut-offs is whole: a code that it no longer has is retracted. */
function statedCutOffs(said: ReportedFacts, cutOffs: readonly CutOff[]): readonly StatedFact[] {
  const known = Object.keys(said).filter((name) => name.startsWith(CUT_OFF));
  const now = new Map(cutOffs.map(({ code, at }): [FactName, CallTime] => [`${CUT_OFF}${code}`, at]));
  const added = [...now].filter(([name]) => !known.includes(name));
  return [
    ...known.map((name) => [name, now.get(name) ?? null] as const),
    ...added.slice(0, Math.max(0, CUT_OFF_CODES_MAX - known.length)),
  ];
}

/** A value that was ingested that much after a newer one, by a clock that was ahead, is no older than it. */
const CLOCK_SKEW_MS_MAX = HOUR_MS;

function isNewValue(before: FactValue | undefined, value: unknown, atMs: number): boolean {
  if (before === undefined) return true;
  const olderMs = before.sinceMs - atMs;
  if (sameValue(before.value, value) || (olderMs > 0 && olderMs <= CLOCK_SKEW_MS_MAX)) return false;
  // Of two values at one time either will do, if it is always the same one.
  return olderMs !== 0 || rankOf(value) > rankOf(before.value);
}

/** Nulls rank lowest. */
function rankOf(value: unknown): string {
  return valueText(value).replaceAll(":null", ": ");
}

/** One instant is the same value at every offset from UTC. */
export function sameValue(one: unknown, other: unknown): boolean {
  return valueText(one) === valueText(other);
}

function valueText(value: unknown): string {
  const isTime = typeof value === "object" && value !== null && "ms" in value;
  return JSON.stringify(isTime ? value.ms : value);
}

/** The facts that follow from the reports of all feeds. */
export function factsOf(reports: FeedReports): CallFacts {
  const newest = new Map<FactName, { readonly feed: string; readonly fact: FactValue }>();
  for (const [feed, { said }] of Object.entries(reports)) {
    for (const [name, fact] of Object.entries(said)) {
      const other = newest.get(name);
      const isNewer =
        other === undefined ||
        fact.sinceMs > other.fact.sinceMs ||
        (fact.sinceMs === other.fact.sinceMs && feed > other.feed);
      if (isNewer) newest.set(name, { feed, fact });
    }
  }
  const fact = (name: FactName): unknown => newest.get(name)?.fact.value ?? null;
  const parts = (what: string, ...names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, fact(`${what}.${name}`)]));
  const cutOffs = [...newest.keys()]
    .filter((name) => name.startsWith(CUT_OFF) && fact(name) !== null)
    .map((name) => ({ code: name.slice(CUT_OFF.length), at: fact(name) }))
    .toSorted((one, other) => (one.code < other.code ? -1 : 1));
  return {
    service: parts("service", "code", "name", "universal"),
    voyage: parts("voyage", "import", "export"),
    vessel: vesselOf(reports, fact("vessel") as CallFacts["vessel"] | null),
    portName: fact("portName"),
    terminal: fact("terminal"),
    reference: fact("reference"),
    status: fact("status"),
    arrival: parts("arrival", "planned", "estimated", "actual"),
    departure: parts("departure", "planned", "estimated", "actual"),
    cutOffs,
    delayReason: fact("delayReason"),
    remark: fact("remark"),
  } as unknown as CallFacts;
}

/** The vessel of the newest report, with what other reports know of the same one, the newer before the older. */
function vesselOf(reports: FeedReports, newest: CallFacts["vessel"] | null): CallFacts["vessel"] {
  if (newest === null) return { imo: null, name: null, isDummy: false };
  return Object.entries(reports)
    .flatMap(([feed, { said }]) => (said["vessel"] === undefined ? [] : [{ feed, ...said["vessel"] }]))
    .toSorted((one, other) => other.sinceMs - one.sinceMs || (one.feed > other.feed ? -1 : 1))
    .map(({ value }) => value as CallFacts["vessel"])
    .reduce(withKnownParts, newest);
}
