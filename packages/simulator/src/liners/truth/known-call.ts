/** A call as it is known from what feeds have said of it by then (docs/schedules.md, "A call" and "Several feeds"). */
import { PLACES } from "../../world/places.ts";
import { DAY_MS } from "../../world/durations.ts";
import type { LinerCarrier } from "../carriers.ts";
import type { LinerCall } from "../round-voyages.ts";
import type { CallReport } from "../reporting.ts";

type Fact = { readonly value: string | number | null; readonly sinceMs: number };

/** What one feed has said, by fact, and since when it has been silent of the call in answers that were whole. */
export type FeedReport = {
  readonly facts: Map<string, Fact>;
  absentMs: number | null;
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
  /** The departure that the next slip is counted from, and the last day of one. */
  departureMs: number | null;
  slippedOn: string;
  /** By code: the nearest of the hours before it that had come when it was last checked; null: none had. */
  readonly cutOffs: Map<string, number | null>;
};

export function newKnownCall(carrier: LinerCarrier, call: LinerCall): KnownCall {
  return {
    carrier,
    call,
    reports: new Map(),
    facts: new Map(),
    baseline: "open",
    raised: null,
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
  const word: FeedReport = known.reports.get(feed) ?? { facts: new Map(), absentMs: null, isWhole: false };
  known.reports.set(feed, word);
  word.absentMs = null;
  word.isWhole ||= isWhole;
  for (const [name, value] of factsOf(said, word)) {
    if (word.facts.get(name)?.value !== value) word.facts.set(name, { value, sinceMs: atMs });
  }
  mergeReports(known);
}

function factsOf({ voyage, vessel, status, arrival, departure, cutOffs }: CallReport, { facts }: FeedReport) {
  const stated: [string, string | number | null][] = [
    ["import", voyage.import],
    ["export", voyage.export],
    ["vessel", vessel.imo ?? `${vessel.name} (no number)`],
  ];
  for (const [what, times] of [["arrival", arrival] as const, ["departure", departure] as const]) {
    for (const [which, ms] of Object.entries(times)) if (ms !== null) stated.push([`${what} ${which}`, ms]);
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
export function isMissing({ reports }: KnownCall): boolean {
  const whole = [...reports.values()].filter((word) => word.isWhole);
  return whole.length > 0 && whole.every(({ absentMs }) => absentMs !== null);
}

/** Whether it is not made: with its voyage, or alone. */
export function cancellationOf(known: KnownCall): "voyage" | "port_call" | null {
  if (hasArrivedOrDeparted(known)) return null;
  const status = known.facts.get("status");
  if (status === "BLNK" || status === "SLID") return "voyage";
  return status === "OMIT" || isMissing(known) ? "port_call" : null;
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
