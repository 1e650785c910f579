/** A call as it is known from what feeds have said of it by then (docs/schedules.md, "A call" and "Several feeds"). */
import { PLACES } from "../../world/places.ts";
import { DAY_MS, HOUR_MS } from "../../world/durations.ts";
import type { LinerCarrier } from "../carriers.ts";
import type { LinerCall } from "../round-voyages.ts";
import type { CallReport, ReportedTimes } from "../reporting.ts";

type Fact = { readonly value: string | number | null; readonly sinceMs: number };

/** What one feed has said, by fact, and since when it has been silent of the call in answers that were whole. */
export type FeedReport = {
  readonly facts: Map<string, Fact>;
  absentMs: number | null;
  /** One of those answers certainly had to contain it. */
  isAbsenceSure: boolean;
  /** A later one left it out as well. */
  isAbsenceRepeated: boolean;
  isWhole: boolean;
};

export type CancellationRaised = "suppressed" | "port_call" | "voyage";

export type KnownCall = {
  readonly carrier: LinerCarrier;
  readonly call: LinerCall;
  readonly reports: Map<string, FeedReport>;
  /** What is believed, of every fact that was ever said. */
  facts: ReadonlyMap<string, string | number | null>;
  /** The arrival that it is measured by; `open` until it is fixed, `never` where the call became known too late. */
  baseline: number | "open" | "never";
  raised: CancellationRaised | null;
  /** A feed has claimed an actual time that has yet to come. */
  hasClaims: boolean;
  /** It counts as gone. */
  isLost: boolean;
  /** How its voyage is cancelled by another call of it. */
  cancelledWith: "BLNK" | "SLID" | null;
  /** When a cancellation was last taken back, unless another one holds. */
  reinstatedMs: number | null;
  /** The departure that the next slip is counted from, and the last day of one. */
  departureMs: number | null;
  slippedOn: string;
  /** By code: the nearest of the hours before it that had come when it was last checked; null: none had. */
  readonly cutOffs: Map<string, { readonly nearest: number | null; readonly ms: number }>;
};

export function newKnownCall(carrier: LinerCarrier, call: LinerCall): KnownCall {
  return {
    carrier,
    call,
    reports: new Map(),
    facts: new Map(),
    baseline: "open",
    raised: null,
    hasClaims: false,
    isLost: false,
    cancelledWith: null,
    reinstatedMs: null,
    departureMs: null,
    slippedOn: "",
    cutOffs: new Map(),
  };
}

/** The feed says it; returns nothing that it does not take back is forgotten. */
export function recordReport(
  known: KnownCall,
  feed: string,
  said: CallReport,
  atMs: number,
  isWhole: boolean,
): void {
  const word: FeedReport = known.reports.get(feed) ?? {
    facts: new Map(),
    absentMs: null,
    isAbsenceSure: false,
    isAbsenceRepeated: false,
    isWhole: false,
  };
  known.reports.set(feed, word);
  word.absentMs = null;
  word.isAbsenceSure = false;
  word.isAbsenceRepeated = false;
  word.isWhole ||= isWhole;
  if (!isAbsent(known)) known.isLost = false;
  for (const [name, value] of factsOf(said, word, atMs)) {
    if (name.endsWith(" claimed") && value !== null) known.hasClaims = true;
    if (word.facts.get(name)?.value !== value) word.facts.set(name, { value, sinceMs: atMs });
  }
  mergeReports(known);
}

/** The feed leaves it out; false: that says nothing new. */
export function recordAbsence(word: FeedReport, isSure: boolean, isWhole: boolean, atMs: number): boolean {
  const before = JSON.stringify({ ...word, facts: null });
  word.isAbsenceSure ||= isSure;
  word.isAbsenceRepeated ||= word.absentMs !== null && atMs - word.absentMs >= HOUR_MS;
  word.absentMs ??= atMs;
  word.isWhole ||= isWhole;
  return JSON.stringify({ ...word, facts: null }) !== before;
}

/** No actual time lies further ahead. */
const AHEAD_MS_MAX = 15 * HOUR_MS;

function timesStated(
  what: string,
  { planned, estimated, actual }: ReportedTimes,
  { facts }: FeedReport,
  atMs: number,
): readonly [string, number | null][] {
  const claimed = actual !== null && actual > atMs + AHEAD_MS_MAX ? actual : null;
  const of = (which: string): Fact | undefined => facts.get(`${what} ${which}`);
  const expected = estimated ?? claimed;
  const stated: [string, number | null][] = [];
  const isReplanned =
    planned !== null &&
    of("planned") !== undefined &&
    (of("planned")?.value !== planned || (of("planned")?.sinceMs ?? 0) > (of("estimated")?.sinceMs ?? atMs));
  const unclaimed =
    claimed === null && typeof of("claimed")?.value === "number" ? of("claimed")?.value : null;
  if (expected !== null) stated.push([`${what} estimated`, expected]);
  else if (of("estimated") !== undefined && (isReplanned || unclaimed === of("estimated")?.value))
    stated.push([`${what} estimated`, null]);
  if (claimed !== null || unclaimed !== null) stated.push([`${what} claimed`, claimed]);
  if (planned !== null) stated.push([`${what} planned`, planned]);
  if (claimed === null && actual !== null) stated.push([`${what} actual`, actual]);
  return stated;
}

/** Times that were claimed too early count once they have come; false: none has. */
export function settleClaims(known: KnownCall, atMs: number): boolean {
  if (!known.hasClaims) return false;
  let isSettled = false;
  for (const { facts, absentMs } of known.reports.values()) {
    if (absentMs !== null) continue;
    for (const what of ["arrival", "departure"]) {
      const claimed = facts.get(`${what} claimed`)?.value;
      if (typeof claimed !== "number" || claimed > atMs) continue;
      facts.set(`${what} actual`, { value: claimed, sinceMs: atMs });
      facts.set(`${what} claimed`, { value: null, sinceMs: atMs });
      isSettled = true;
    }
  }
  if (isSettled) mergeReports(known);
  return isSettled;
}

function factsOf(
  { voyage, vessel, status, arrival, departure, cutOffs }: CallReport,
  word: FeedReport,
  atMs: number,
) {
  const { facts } = word;
  const stated: [string, string | number | null][] = [
    ["import", voyage.import],
    ["export", voyage.export],
    ["vessel", vessel.imo ?? `${vessel.name} (no number)`],
  ];
  for (const [what, times] of [["arrival", arrival] as const, ["departure", departure] as const]) {
    stated.push(...timesStated(what, times, word, atMs));
  }
  if (status !== null || facts.has("status")) stated.push(["status", status]);
  if (cutOffs !== null) {
    const listed = new Set(cutOffs.map(({ code }) => `cut-off ${code}`));
    for (const name of facts.keys()) {
      if (name.startsWith("cut-off ") && !listed.has(name)) stated.push([name, null]);
    }
    stated.push(...cutOffs.map(({ code, ms }): [string, number] => [`cut-off ${code}`, ms]));
  }
  return stated;
}

/** The word that changed last. */
function mergeReports(known: KnownCall): void {
  const newest = new Map<string, Fact>();
  for (const { facts } of known.reports.values()) {
    for (const [name, fact] of facts) {
      if (fact.sinceMs >= (newest.get(name)?.sinceMs ?? 0)) newest.set(name, fact);
    }
  }
  known.facts = new Map([...newest].map(([name, { value }]) => [name, value]));
}

export function timeOf(known: KnownCall, name: string): number | null {
  return (known.facts.get(name) ?? null) as number | null;
}

export function expectedArrival(known: KnownCall): number | null {
  return (
    timeOf(known, "arrival actual") ?? timeOf(known, "arrival estimated") ?? timeOf(known, "arrival planned")
  );
}

export function expectedDeparture(known: KnownCall): number | null {
  return (
    timeOf(known, "departure actual") ??
    timeOf(known, "departure estimated") ??
    timeOf(known, "departure planned")
  );
}

export function hasArrivedOrDeparted(known: KnownCall): boolean {
  return timeOf(known, "arrival actual") !== null || timeOf(known, "departure actual") !== null;
}

/** All feeds that reported it, and whose answers are whole, leave it out. */
export function isAbsent({ reports }: KnownCall): boolean {
  let isAny = false;
  for (const { isWhole, absentMs } of reports.values()) {
    if (isWhole && absentMs === null) return false;
    isAny ||= isWhole;
  }
  return isAny;
}

/** What the absence shows by then: whether it is gone, or counts as gone a day before its time. */
export function isLostBy(known: KnownCall, atMs: number): boolean {
  if (!isAbsent(known) || hasArrivedOrDeparted(known)) return false;
  const whole = [...known.reports.values()].filter((word) => word.isWhole);
  const times = whole.map(({ absentMs }) => absentMs as number);
  const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
  const isSure = whole.some((word) => word.isAbsenceSure);
  const isRepeated = lastMs - firstMs >= HOUR_MS || whole.some((word) => word.isAbsenceRepeated);
  if (isSure && isRepeated) return true;
  const dayBeforeMs = (expectedDeparture(known) ?? expectedArrival(known) ?? 0) - DAY_MS;
  return (isSure || isRepeated) && lastMs <= dayBeforeMs && dayBeforeMs <= atMs;
}

/** The state that the search shows of its departure. */
export function stateOf(known: KnownCall): string {
  const cancellation = departureCancellationOf(known);
  const status = known.facts.get("status");
  if (cancellation === "voyage") {
    return (status === "BLNK" || status === "SLID" ? status : known.cancelledWith) === "SLID"
      ? "slid"
      : "blanked";
  }
  if (cancellation === "port_call") return status === "OMIT" ? "omitted" : "missing";
  if (timeOf(known, "departure actual") !== null) return "departed";
  if (timeOf(known, "arrival actual") !== null) return "arrived";
  return [...known.reports.values()].some(({ absentMs }) => absentMs !== null) ? "uncertain" : "expected";
}

/** Whether it is not made: with its voyage, or alone. */
export function cancellationOf(known: KnownCall): "voyage" | "port_call" | null {
  if (hasArrivedOrDeparted(known)) return null;
  if (ownVoyageStatus(known) !== null) return "voyage";
  if (known.facts.get("status") === "OMIT" || known.isLost) return "port_call";
  return known.cancelledWith !== null && known.facts.get("import") === known.facts.get("export")
    ? "voyage"
    : null;
}

/** Whether the vessel does not leave it on the voyage. */
export function departureCancellationOf(known: KnownCall): "voyage" | "port_call" | null {
  const isLeft = timeOf(known, "departure actual") !== null;
  return cancellationOf(known) ?? (known.cancelledWith !== null && !isLeft ? "voyage" : null);
}

export function ownVoyageStatus(known: KnownCall): "BLNK" | "SLID" | null {
  const status = known.facts.get("status");
  return !hasArrivedOrDeparted(known) && (status === "BLNK" || status === "SLID") ? status : null;
}

/** The arrival that was expected before, and what comes of it now that something was said. */
export function fixBaseline(
  known: KnownCall,
  beforeMs: number | null,
  noticeMs: number,
  nowMs: number,
): void {
  if (known.baseline !== "open") return;
  const expectedMs = expectedArrival(known);
  const isNear = expectedMs !== null && expectedMs - nowMs < noticeMs;
  if (beforeMs === null) {
    if (isNear) known.baseline = "never";
  } else if (isNear || beforeMs - nowMs < noticeMs) known.baseline = beforeMs;
}

export type Measured = { readonly day: string; readonly onTime: boolean };

/** Null: it has not arrived, or is not measured. */
export function measured(known: KnownCall): Measured | null {
  const { baseline, call } = known;
  const arrivedMs = timeOf(known, "arrival actual");
  if (arrivedMs === null || typeof baseline === "string") return null;
  const { zone } = PLACES[call.port];
  const dayOf = (ms: number): string =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString();
  const day = dayOf(arrivedMs);
  const apart = Math.abs(Date.parse(day) - Date.parse(dayOf(baseline))) / DAY_MS;
  return { day, onTime: apart <= 1 };
}
