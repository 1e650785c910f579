/** A call as it is known from what feeds have said of it by then (docs/schedules.md, "A call" and "Several feeds"). */
import { PLACES } from "../../world/places.ts";
import { DAY_MS } from "../../world/durations.ts";
import type { LinerCarrier } from "../carriers.ts";
import type { LinerCall } from "../rounds.ts";
import type { Said } from "../telling.ts";

type Fact = { readonly value: string | number | null; readonly sinceMs: number };

/** What one feed has said, by fact, and since when it has been silent of the call in answers that were whole. */
export type Word = {
  readonly facts: Map<string, Fact>;
  absentMs: number | null;
  isWhole: boolean;
};

export type Cancelled = "silent" | "port_call" | "voyage";

export type KnownCall = {
  readonly carrier: LinerCarrier;
  readonly call: LinerCall;
  readonly words: Map<string, Word>;
  /** What is believed, of every fact that was ever said. */
  believed: ReadonlyMap<string, string | number | null>;
  /** The arrival that it is measured by; `open` until it is fixed, `never` where the call became known too late. */
  baseline: number | "open" | "never";
  told: Cancelled | null;
  /** The departure that the next slip is counted from, and the last day of one. */
  departureMs: number | null;
  slippedOn: string;
  /** By code: the nearest of the hours before it that had come when it was last looked at; null: none had. */
  readonly cutOffs: Map<string, number | null>;
};

export function newlyKnown(carrier: LinerCarrier, call: LinerCall): KnownCall {
  return {
    carrier,
    call,
    words: new Map(),
    believed: new Map(),
    baseline: "open",
    told: null,
    departureMs: null,
    slippedOn: "",
    cutOffs: new Map(),
  };
}

/** The feed says it; returns nothing that it does not take back is forgotten. */
export function hear(known: KnownCall, feed: string, said: Said, atMs: number, isWhole: boolean): void {
  const word: Word = known.words.get(feed) ?? { facts: new Map(), absentMs: null, isWhole: false };
  known.words.set(feed, word);
  word.absentMs = null;
  word.isWhole ||= isWhole;
  for (const [name, value] of factsIn(said, word)) {
    if (word.facts.get(name)?.value !== value) word.facts.set(name, { value, sinceMs: atMs });
  }
  believe(known);
}

function factsIn({ voyage, vessel, status, arrival, departure, cutOffs }: Said, { facts }: Word) {
  const said: [string, string | number | null][] = [
    ["import", voyage.import],
    ["export", voyage.export],
    ["vessel", vessel.imo ?? `${vessel.name} (no number)`],
  ];
  for (const [what, times] of [["arrival", arrival] as const, ["departure", departure] as const]) {
    for (const [which, ms] of Object.entries(times)) if (ms !== null) said.push([`${what} ${which}`, ms]);
  }
  if (status !== null || facts.has("status")) said.push(["status", status]);
  if (cutOffs !== null) {
    const listed = new Set(cutOffs.map(({ code }) => `cut-off ${code}`));
    for (const name of facts.keys()) {
      if (name.startsWith("cut-off ") && !listed.has(name)) said.push([name, null]);
    }
    said.push(...cutOffs.map(({ code, ms }): [string, number] => [`cut-off ${code}`, ms]));
  }
  return said;
}

/** The word that changed last. */
function believe(known: KnownCall): void {
  const newest = new Map<string, Fact>();
  for (const { facts } of known.words.values()) {
    for (const [name, fact] of facts) {
      if (fact.sinceMs >= (newest.get(name)?.sinceMs ?? 0)) newest.set(name, fact);
    }
  }
  known.believed = new Map([...newest].map(([name, { value }]) => [name, value]));
}

export function timeOf(known: KnownCall, name: string): number | null {
  return (known.believed.get(name) ?? null) as number | null;
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

export function hasComeOrLeft(known: KnownCall): boolean {
  return timeOf(known, "arrival actual") !== null || timeOf(known, "departure actual") !== null;
}

/** All feeds whose answers are whole, and which have told of it, leave it out. */
export function isGone({ words }: KnownCall): boolean {
  const whole = [...words.values()].filter((word) => word.isWhole);
  return whole.length > 0 && whole.every(({ absentMs }) => absentMs !== null);
}

/** Whether it is not made: with its voyage, or alone. */
export function cancellationOf(known: KnownCall): "voyage" | "port_call" | null {
  if (hasComeOrLeft(known)) return null;
  const status = known.believed.get("status");
  if (status === "BLNK" || status === "SLID") return "voyage";
  return status === "OMIT" || isGone(known) ? "port_call" : null;
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
