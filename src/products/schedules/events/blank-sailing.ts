/**
 * `blank_sailing`: a voyage is blanked, or a call of it left out. A voyage is told of once, whichever of its calls
 * said so first; what held when a call was first seen is no news. What is taken back and comes again is told again.
 */
import { utcText } from "../../../model/instant.ts";
import { expectedTime, serviceOf, voyageOf, type CallRecord, type CallRaised } from "../calls/call-record.ts";
import { cancellationOf, isMade } from "../calls/cancellation.ts";
import { sameService } from "../calls/match-calls.ts";
import { callTimeMs } from "../calls/time-distance.ts";
import { companionTimesAt } from "../calls/port-time.ts";
import { portFields, reasonFields, voyageFields, type EventDraft } from "./event-draft.ts";

/** Calls of a voyage that an event lists. */
const LISTED_MAX = 50;

/** A call as it was, null when it is first seen, and as it is, all of one batch together. */
export type CallChange = { readonly before: CallRecord | null; readonly after: CallRecord };

/** Whether what has come of a call can only be told once the other calls of its voyages are known. */
export function isNewlyCancelled({ before, after }: CallChange): boolean {
  if (before === null) return false;
  const cancellation = cancellationOf(after);
  if (cancellation === null) return false;
  const told = after.told.cancelled;
  return told === null || (told.kind === "port_call" && cancellation === "voyage");
}

/** What is told of the cancellation of a call that is not fresh: that there is none, or what there was. */
export function raisedCancellation({ before, after }: CallChange, nowMs: number): CallRaised["cancelled"] {
  if (cancellationOf(after) === null) return null;
  return before === null ? { kind: "silent", sinceMs: nowMs } : after.told.cancelled;
}

export type CancelledCalls = {
  readonly drafts: readonly EventDraft[];
  /** By the call's id. */
  readonly raised: ReadonlyMap<string, NonNullable<CallRaised["cancelled"]>>;
};

/**
 * What is to be told of calls that are freshly cancelled. `voyages` are all calls known with a number of theirs, as
 * they are now.
 */
export function cancellationEvents(
  fresh: readonly CallRecord[],
  voyages: readonly CallRecord[],
  nowMs: number,
): CancelledCalls {
  const drafts: EventDraft[] = [];
  const told = new Map<string, NonNullable<CallRaised["cancelled"]>>();
  const toldVoyages = new Set<string>();
  for (const call of fresh) {
    const number = cancelledVoyage(call, voyages);
    if (number === null) {
      if (call.told.cancelled === null) drafts.push(omissionDraft(call, nowMs));
      told.set(call.id, call.told.cancelled ?? { kind: "port_call", sinceMs: nowMs });
      continue;
    }
    told.set(call.id, { kind: "voyage", sinceMs: nowMs });
    const others = callsOf(number, call, voyages);
    const name = JSON.stringify([call.carrier, serviceOf(call), number]);
    if (toldVoyages.has(name) || others.some((other) => other.told.cancelled?.kind === "voyage")) continue;
    toldVoyages.add(name);
    drafts.push(blankingDraft(call, number, others, nowMs));
  }
  return { drafts, raised: told };
}

/**
 * The number of the voyage that is cancelled with the call; null: the call alone is. Where one voyage ends and the
 * next begins, a call belongs to both: its other calls say which of them is meant.
 */
function cancelledVoyage(call: CallRecord, voyages: readonly CallRecord[]): string | null {
  const own = voyageOf(call);
  if (own === "") return null;
  if (cancellationOf(call) === "port_call") {
    const all = callsOf(own, call, voyages);
    const isWhole =
      call.goneMs !== null && all.length > 1 && all.every((one) => cancellationOf(one) !== null);
    return isWhole ? own : null;
  }
  const isBlanked = (number: string): boolean =>
    callsWhollyOn(number, call, voyages).some((one) => cancellationOf(one) === "voyage");
  const { import: came } = call.voyage;
  if (came === null || came === own || isBlanked(own)) return own;
  if (isBlanked(came)) return came;
  return callsWhollyOn(own, call, voyages).length === 0 ? own : null;
}

/** The calls from which the vessel leaves on the voyage. */
function callsOf(number: string, { service }: CallRecord, voyages: readonly CallRecord[]) {
  return voyages.filter((one) => voyageOf(one) === number && sameService(one.service, service));
}

/** Those at which it came on it as well, as far as is known. */
function callsWhollyOn(number: string, call: CallRecord, voyages: readonly CallRecord[]) {
  return callsOf(number, call, voyages).filter(
    ({ voyage }) => voyage.import === null || voyage.import === number,
  );
}

function omissionDraft(call: CallRecord, nowMs: number): EventDraft {
  return {
    type: "blank_sailing",
    data: {
      kind: "port_call",
      ...reasonOf(call),
      ...voyageFields(call),
      ...portFields(call),
      port_calls: [listedCall(call)],
      ...reasonFields(call),
      ...companionTimesAt(call.port, timeOf(call)),
    },
    key: `blank_sailing:${call.id}:${nowMs}`,
  };
}

function blankingDraft(
  call: CallRecord,
  number: string,
  calls: readonly CallRecord[],
  nowMs: number,
): EventDraft {
  const affected = (calls.length === 0 ? [call] : calls)
    .filter((one) => !isMade(one) && cancellationOf(one) !== null)
    .toSorted((one, other) => callTimeMs(one) - callTimeMs(other) || (one.id < other.id ? -1 : 1));
  const first = affected[0] ?? call;
  return {
    type: "blank_sailing",
    data: {
      kind: "voyage",
      ...reasonOf(call),
      ...voyageFields(call),
      voyage: number,
      port_calls: affected.slice(0, LISTED_MAX).map(listedCall),
      ...reasonFields(call),
      ...companionTimesAt(first.port, timeOf(first)),
    },
    // A call begins one voyage, and the names that carriers give are of any length.
    key: `blank_sailing:voyage:${first.id}:${nowMs}`,
  };
}

function reasonOf({ status, goneMs }: CallRecord): object {
  const codes = { BLNK: "blanked", SLID: "slid", OMIT: "omitted" } as const;
  const code = status === "BLNK" || status === "SLID" || status === "OMIT" ? status : null;
  const reason = code === null ? (goneMs === null ? null : "missing") : codes[code];
  return { reason, status_code: code };
}

function listedCall(call: CallRecord): object {
  const { port, portName, terminal, arrival, departure } = call;
  const [came, leaves] = [expectedTime(arrival), expectedTime(departure)];
  return {
    port,
    port_name: portName,
    terminal,
    arrival: came === null ? null : utcText(came.ms),
    departure: leaves === null ? null : utcText(leaves.ms),
  };
}

function timeOf({ arrival, departure }: CallRecord) {
  return expectedTime(departure) ?? expectedTime(arrival);
}
