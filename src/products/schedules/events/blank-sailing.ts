/**
 * `blank_sailing` (spec 6.2: blank_sailing): a voyage is blanked, or one of its calls is left out. A voyage raises one
 * event, whichever of its calls is cancelled first. A cancellation that held when the call was first seen raises
 * none; one that is retracted and holds again raises another.
 */
import { utcText } from "../../../model/instant.ts";
import {
  cancellationOf,
  departureCancellationOf,
  expectedTime,
  isMade,
  serviceOf,
  type CallRaised,
  type CallRecord,
} from "../calls/call-record.ts";
import { cancelledVoyage } from "../calls/cancelled-voyage.ts";
import { companionTimesAt } from "../calls/port-time.ts";
import { callTimeMs } from "../calls/time-distance.ts";
import { callsOfVoyage } from "../calls/voyages.ts";
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
      if (cancelled === null) drafts.push(cancellationDraft(call, null, [call], nowMs));
      raised.set(call.id, cancelled ?? { kind: "port_call", sinceMs: nowMs });
      continue;
    }
    raised.set(call.id, { kind: "voyage", sinceMs: nowMs });
    const others = callsOfVoyage(call, voyages, number);
    const voyage = JSON.stringify([call.carrier, others[0]?.id ?? [serviceOf(call), number]]);
    const isRaised = others.some((other) => other.raised.cancelled?.kind === "voyage");
    if (raisedVoyages.has(voyage) || isRaised) continue;
    raisedVoyages.add(voyage);
    drafts.push(cancellationDraft(call, number, others.length === 0 ? [call] : others, nowMs));
  }
  return { drafts, raised };
}

/** `voyage`: the number of the voyage that is cancelled; null: the call alone. `calls`: all that may be affected. */
function cancellationDraft(
  call: CallRecord,
  voyage: string | null,
  calls: readonly CallRecord[],
  nowMs: number,
): EventDraft {
  const affected = calls
    .filter((one) => !isMade(one) && departureCancellationOf(one) !== null)
    .toSorted((one, other) => callTimeMs(one) - callTimeMs(other) || (one.id < other.id ? -1 : 1));
  const first = affected[0] ?? call;
  return {
    type: "blank_sailing",
    data: {
      kind: voyage === null ? "port_call" : "voyage",
      ...reasonOf(call),
      ...voyageFields(call),
      ...(voyage === null ? portFields(call) : { voyage }),
      port_calls: affected.slice(0, LISTED_MAX).map(listedCall),
      ...reasonFields(call),
      ...companionTimesAt(first.port, timeOf(first)),
    },
    // The first call identifies the voyage; carriers' numbers have no bound.
    key: `blank_sailing:${voyage === null ? "" : "voyage:"}${first.id}:${nowMs}`,
  };
}

const REASONS: { readonly [status: string]: string } = { BLNK: "blanked", SLID: "slid", OMIT: "omitted" };

function reasonOf({ status: own, voyageStatus, goneMs }: CallRecord): object {
  const status = REASONS[own ?? ""] === undefined && goneMs === null ? (voyageStatus ?? null) : own;
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
