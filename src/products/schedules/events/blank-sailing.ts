/**
 * `blank_sailing` (spec 6.2: blank_sailing): a voyage is blanked, or one of its calls is left out. A voyage raises one
 * event, whichever of its calls is cancelled first. A cancellation that held when the call was first seen raises
 * none; one that is retracted and holds again raises another.
 */
import { utcText } from "../../../model/instant.ts";
import {
  cancellationOf,
  expectedTime,
  isMade,
  serviceOf,
  voyageOf,
  type CallRaised,
  type CallRecord,
} from "../calls/call-record.ts";
import { sameService } from "../calls/match-calls.ts";
import { companionTimesAt } from "../calls/port-time.ts";
import { callTimeMs } from "../calls/time-distance.ts";
import { portFields, reasonFields, voyageFields, type EventDraft } from "./event-draft.ts";

/** Calls that one event lists. */
const LISTED_MAX = 50;

/** A call before and after a transaction; `before` is null when it is first seen. */
export type CallChange = { readonly before: CallRecord | null; readonly after: CallRecord };

type RaisedCancellation = NonNullable<CallRaised["cancelled"]>;

/** Whether the call's cancellation may raise an event, once the other calls of its voyages are known. */
export function isNewlyCancelled({ before, after }: CallChange): boolean {
  if (before === null) return false;
  const cancellation = cancellationOf(after);
  if (cancellation === null) return false;
  const { cancelled } = after.raised;
  return cancelled === null || (cancelled.kind === "port_call" && cancellation === "voyage");
}

/** For a call that is not newly cancelled, the cancellation to record. */
export function raisedCancellation({ before, after }: CallChange, nowMs: number): CallRaised["cancelled"] {
  if (cancellationOf(after) === null) return null;
  return before === null ? { kind: "silent", sinceMs: nowMs } : after.raised.cancelled;
}

export type CancelledCalls = {
  readonly drafts: readonly EventDraft[];
  /** By the call's id. */
  readonly raised: ReadonlyMap<string, RaisedCancellation>;
};

/** The events of newly cancelled calls. `voyages`: all known calls of their voyages, in their present state. */
export function cancellationEvents(
  fresh: readonly CallRecord[],
  voyages: readonly CallRecord[],
  nowMs: number,
): CancelledCalls {
  const drafts: EventDraft[] = [];
  const raised = new Map<string, RaisedCancellation>();
  const raisedVoyages = new Set<string>();
  for (const call of fresh) {
    const number = cancelledVoyage(call, voyages);
    const { cancelled } = call.raised;
    if (number === null) {
      if (cancelled === null) drafts.push(omissionDraft(call, nowMs));
      raised.set(call.id, cancelled ?? { kind: "port_call", sinceMs: nowMs });
      continue;
    }
    raised.set(call.id, { kind: "voyage", sinceMs: nowMs });
    const others = callsOf(number, call, voyages);
    const voyage = JSON.stringify([call.carrier, serviceOf(call), number]);
    const isRaised = others.some((other) => other.raised.cancelled?.kind === "voyage");
    if (raisedVoyages.has(voyage) || isRaised) continue;
    raisedVoyages.add(voyage);
    drafts.push(blankingDraft(call, number, others, nowMs));
  }
  return { drafts, raised };
}

/**
 * The number of the voyage that is cancelled with the call; null: the call alone is. A call between two voyages
 * belongs to both: their other calls show which one is meant.
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

/** The calls that the vessel leaves on the voyage. */
function callsOf(number: string, { service }: CallRecord, voyages: readonly CallRecord[]) {
  return voyages.filter((one) => voyageOf(one) === number && sameService(one.service, service));
}

/** The calls that it also reaches on the voyage, as far as is known. */
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
    // The first call identifies the voyage; carriers' numbers have no bound.
    key: `blank_sailing:voyage:${first.id}:${nowMs}`,
  };
}

const REASONS: { readonly [status: string]: string } = { BLNK: "blanked", SLID: "slid", OMIT: "omitted" };

function reasonOf({ status, goneMs }: CallRecord): object {
  const reason = REASONS[status ?? ""];
  if (reason !== undefined) return { reason, status_code: status };
  return { reason: goneMs === null ? null : "missing", status_code: null };
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
