/** A call in the public routes. */
import { utcText } from "../../../model/instant.ts";
import { isUncertain } from "../calls/absence.ts";
import {
  cancellationOf,
  departureCancellationOf,
  expectedTime,
  type CallRecord,
  type Cancellation,
} from "../calls/call-record.ts";
import type { CallTime } from "../calls/call-statement.ts";
import { cutOffName } from "../events/cut-offs.ts";
import { portFields, reasonFields, voyageFields } from "../events/event-draft.ts";
import { companionTimesAt } from "../calls/port-time.ts";

export const CALL_STATES = [
  "expected",
  "uncertain",
  "arrived",
  "departed",
  "blanked",
  "slid",
  "omitted",
  "missing",
] as const;
export type CallState = (typeof CALL_STATES)[number];

const STANDING = ["expected", "uncertain", "arrived", "departed"] as const;
type NotMade = Exclude<CallState, (typeof STANDING)[number]>;

export function isNotMade(state: CallState): state is NotMade {
  return !(STANDING as readonly CallState[]).includes(state);
}

export function callState(record: CallRecord): CallState {
  return stateAfter(record, cancellationOf(record));
}

/** The state of the call as the start of a sailing: its vessel may come and not leave on the voyage. */
export function departureState(record: CallRecord): CallState {
  return stateAfter(record, departureCancellationOf(record));
}

function stateAfter(record: CallRecord, cancellation: Cancellation): CallState {
  const { status, voyageStatus = null } = record;
  switch (cancellation) {
    case "voyage":
      return (status === "BLNK" || status === "SLID" ? status : voyageStatus) === "SLID" ? "slid" : "blanked";
    case "port_call":
      return status === "OMIT" ? "omitted" : "missing";
    case null:
      if (record.departure.actual !== null) return "departed";
      if (record.arrival.actual !== null) return "arrived";
      return isUncertain(record) ? "uncertain" : "expected";
  }
}

export function showCall(record: CallRecord, state: CallState = callState(record)): object {
  return {
    ...voyageFields(record),
    ...showPort(record, state),
    arrival: showTimes(record, "arrival"),
    departure: showTimes(record, "departure"),
    cut_offs: showCutOffs(record),
    ...reasonFields(record),
  };
}

/** On the command line. */
export const CALL_COLUMNS = {
  CARRIER: "carrier",
  SERVICE: "service",
  VOYAGE: "voyage",
  VESSEL: "vessel_name",
  IMO: "vessel_imo",
  ARRIVAL: "arrival.actual|arrival.estimated|arrival.planned",
  DEPARTURE: "departure.actual|departure.estimated|departure.planned",
  STATUS: "status",
};

export function showPort(record: CallRecord, state: CallState = callState(record)): object {
  const { id, reinstatedMs = null } = record;
  return {
    id,
    ...portFields(record),
    status: state,
    status_code: record.status,
    reinstated_at: reinstatedMs === null ? null : utcText(reinstatedMs),
  };
}

/** Planned, estimated and actual, with the companion times of the best known one, and which time was known first. */
export function showTimes(record: CallRecord, end: "arrival" | "departure"): object {
  const times = record[end];
  const { planned, estimated, actual } = times;
  const text = (at: typeof planned) => (at === null ? null : utcText(at.ms));
  return {
    planned: text(planned),
    estimated: text(estimated),
    actual: text(actual),
    first: text(firstTime(record, end, "planned") ?? firstTime(record, end, "estimated")),
    ...companionTimesAt(record.port, expectedTime(times)),
  };
}

/** Of the former values that are kept, or the one that there ever was. */
function firstTime(
  { history, ...record }: CallRecord,
  end: "arrival" | "departure",
  is: "planned" | "estimated",
): CallTime | null {
  const known = history[`${end}.${is}`]?.find(({ value }) => value !== null)?.value as CallTime | undefined;
  return known ?? record[end][is];
}

/** Earliest first. */
export function showCutOffs({ port, cutOffs }: CallRecord): readonly object[] {
  return cutOffs
    .toSorted((one, other) => one.at.ms - other.at.ms)
    .map(({ code, at }) => ({
      code,
      name: cutOffName(code),
      at: utcText(at.ms),
      ...companionTimesAt(port, at),
    }));
}
