/** A call in the public routes. */
import { utcText } from "../../../model/instant.ts";
import { cancellationOf, expectedTime, type CallRecord } from "../calls/call-record.ts";
import type { CallTimes } from "../calls/call-statement.ts";
import { cutOffName } from "../events/cut-offs.ts";
import { portFields, reasonFields, voyageFields } from "../events/event-draft.ts";
import { companionTimesAt } from "../calls/port-time.ts";

export const CALL_STATES = [
  "expected",
  "arrived",
  "departed",
  "blanked",
  "slid",
  "omitted",
  "missing",
] as const;
export type CallState = (typeof CALL_STATES)[number];

type NotMade = Exclude<CallState, "expected" | "arrived" | "departed">;

export function isNotMade(state: CallState): state is NotMade {
  return state !== "expected" && state !== "arrived" && state !== "departed";
}

export function callState(record: CallRecord): CallState {
  switch (cancellationOf(record)) {
    case "voyage":
      return record.status === "SLID" ? "slid" : "blanked";
    case "port_call":
      return record.status === "OMIT" ? "omitted" : "missing";
    case null:
      if (record.departure.actual !== null) return "departed";
      return record.arrival.actual === null ? "expected" : "arrived";
  }
}

export function showCall(record: CallRecord): object {
  return {
    ...voyageFields(record),
    ...showPort(record),
    arrival: showTimes(record.port, record.arrival),
    departure: showTimes(record.port, record.departure),
    cut_offs: showCutOffs(record),
    ...reasonFields(record),
  };
}

export function showPort(record: CallRecord): object {
  return { ...portFields(record), status: callState(record), status_code: record.status };
}

/** Planned, estimated and actual, with the companion times of the best known one. */
export function showTimes(port: string, times: CallTimes): object {
  const { planned, estimated, actual } = times;
  const text = (at: typeof planned) => (at === null ? null : utcText(at.ms));
  return {
    planned: text(planned),
    estimated: text(estimated),
    actual: text(actual),
    ...companionTimesAt(port, expectedTime(times)),
  };
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
