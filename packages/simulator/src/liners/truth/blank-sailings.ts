/** `blank_sailing`, as docs/schedules.md calls for it when a feed reported something, or was no longer said, of calls. */
import {
  cancellationOf,
  departureCancellationOf,
  expectedArrival,
  hasArrivedOrDeparted,
  timeOf,
  ownVoyageStatus,
  type KnownCall,
} from "./known-call.ts";
import type { TrueEvent } from "./true-event.ts";

/** `news`: calls that one answer is about, first seen by it or known before; `all`: the carrier's. */
export function blankSailings(
  news: readonly { readonly known: KnownCall; readonly isNew: boolean }[],
  all: readonly KnownCall[],
  nowMs: number,
): readonly TrueEvent[] {
  const fresh: KnownCall[] = [];
  for (const { known, isNew } of news) {
    const cancellation = cancellationOf(known);
    if (cancellation === null) known.raised = null;
    else if (isNew) known.raised = "suppressed";
    else if (known.raised === null || (known.raised === "port_call" && cancellation === "voyage"))
      fresh.push(known);
  }
  if (fresh.length === 0) return [];
  const events: TrueEvent[] = [];
  const raisedBefore = new Set(all.filter(({ raised }) => raised === "voyage"));
  // The call that the carrier itself cancels gives the reason.
  const isOwn = (known: KnownCall) =>
    cancellationOf(known) === "port_call" || ownVoyageStatus(known) !== null;
  fresh.sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
  const now = new Map<KnownCall, NonNullable<KnownCall["raised"]>>();
  const voyagesNow = new Set<string>();
  for (const known of fresh) {
    const voyage = voyageOf(known, all);
    now.set(known, voyage === null ? "port_call" : "voyage");
    if (voyage === null) {
      if (known.raised === null) events.push(event(nowMs, "port_call", known, numberOf(known), [known]));
      continue;
    }
    const calls = callsOf(voyage, known, all);
    const name = `${known.call.service} ${voyage}`;
    if (voyagesNow.has(name) || calls.some((call) => raisedBefore.has(call))) continue;
    voyagesNow.add(name);
    const listed = calls.filter(
      (call) => departureCancellationOf(call) !== null && !hasArrivedOrDeparted(call),
    );
    events.push(event(nowMs, "voyage", known, voyage, listed.length === 0 ? [known] : listed));
  }
  for (const [known, raised] of now) known.raised = raised;
  return events;
}

/**
 * Cancels calls with their voyage where another call of it says so, and reinstates them; `calls`: whose voyages. The
 * calls that this changes.
 */
export function cancelWithVoyage(
  calls: readonly KnownCall[],
  all: readonly KnownCall[],
): readonly KnownCall[] {
  const voyages = new Map(calls.map((known) => [`${known.call.service} ${numberOf(known)}`, known]));
  return [...voyages.values()].flatMap((first) => {
    const voyage = callsOf(numberOf(first), first, all);
    const hasSailed = voyage.some((known) => timeOf(known, "departure actual") !== null);
    const statuses = voyage.flatMap((known) => {
      const own = ownVoyageStatus(known);
      return own !== null && voyageOf(known, all) === numberOf(known) ? [own] : [];
    });
    const status = hasSailed ? null : statuses.includes("BLNK") ? "BLNK" : (statuses[0] ?? null);
    return voyage.filter((known) => {
      const isSame = known.cancelledWith === status;
      known.cancelledWith = status;
      return !isSame;
    });
  });
}

/** The voyage that is not made with the call; null: the call alone is not. */
function voyageOf(known: KnownCall, all: readonly KnownCall[]): string | null {
  const leaves = numberOf(known);
  const came = known.facts.get("import") as string;
  if (cancellationOf(known) === "port_call") {
    const calls = callsOf(leaves, known, all);
    const isWhole = calls.length > 1 && calls.every((call) => cancellationOf(call) !== null);
    return known.isLost && isWhole ? leaves : null;
  }
  if (came === leaves) return leaves;
  const others = (number: string) =>
    callsOf(number, known, all).filter(({ facts }) => facts.get("import") === number);
  const isBlanked = (number: string): boolean =>
    others(number).some((call) => ownVoyageStatus(call) !== null);
  if (isBlanked(leaves)) return leaves;
  if (isBlanked(came)) return came;
  return others(leaves).length === 0 ? leaves : null;
}

function numberOf({ facts }: KnownCall): string {
  return facts.get("export") as string;
}

/** Those from which the vessel leaves on the voyage. */
function callsOf(number: string, { call }: KnownCall, all: readonly KnownCall[]): readonly KnownCall[] {
  return all.filter((one) => one.call.service === call.service && numberOf(one) === number);
}

function event(
  atMs: number,
  kind: "voyage" | "port_call",
  known: KnownCall,
  voyage: string,
  calls: readonly KnownCall[],
): TrueEvent {
  const reasons: Readonly<Record<string, string>> = { BLNK: "blanked", SLID: "slid", OMIT: "omitted" };
  const own = reasons[String(known.facts.get("status"))];
  const reason = own ?? (known.isLost ? "missing" : (reasons[String(known.cancelledWith)] ?? "missing"));
  const ports = calls
    .toSorted((one, other) => (expectedArrival(one) ?? 0) - (expectedArrival(other) ?? 0))
    .map(({ call }) => call.port);
  const about = `${kind} ${reason} ${known.carrier.scac} ${known.call.service} ${voyage} ${ports.join("-")}`;
  return { atMs, type: "blank_sailing", about };
}
