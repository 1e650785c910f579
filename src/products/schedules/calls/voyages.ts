/** The calls of a voyage: those from which the vessel leaves under its number on a service. */
import { DAY_MS } from "../../../runtime/durations.ts";
import { callsAtMs, serviceOf, voyageOf, type CallRecord } from "./call-record.ts";
import { sameService } from "./match-calls.ts";

/** Two vessels that both call at so many ports under one number are on two voyages: each vessel counts its own. */
const SHARED_PORTS_MIN = 2;

/** Carriers use numbers again: a call so far from another is on another voyage. */
const VOYAGE_MS_MAX = 90 * DAY_MS;

/** The calls among `all` of the call's voyage, or of another number on its service and vessel. */
export function callsOfVoyage(
  call: CallRecord,
  all: readonly CallRecord[],
  number: string = voyageOf(call),
): readonly CallRecord[] {
  const calls = all.filter(
    (one) =>
      one.carrier === call.carrier &&
      voyageOf(one) === number &&
      sameService(one.service, call.service) &&
      Math.abs(callsAtMs(one) - callsAtMs(call)) <= VOYAGE_MS_MAX,
  );
  const vessels = Map.groupBy(calls, ({ vessel }) => vessel.imo);
  const { imo } = call.vessel;
  if (imo === null || vessels.size < 2) return calls;
  const own = new Set((vessels.get(imo) ?? []).map(({ port }) => port));
  const others = [...vessels.keys()].filter((other) => {
    if (other === null || other === imo) return false;
    const ports = new Set(vessels.get(other)!.map(({ port }) => port));
    return [...ports].filter((port) => own.has(port)).length >= SHARED_PORTS_MIN;
  });
  return calls.filter(({ vessel }) => !others.includes(vessel.imo));
}

/** The voyages of calls, each once; a call without a number by itself. */
export function voyagesOf(
  calls: readonly CallRecord[],
  all: readonly CallRecord[],
): readonly (readonly CallRecord[])[] {
  const keyOf = (call: CallRecord) =>
    JSON.stringify(
      voyageOf(call) === "" ? call.id : [voyageOf(call), serviceOf(call), call.vessel.imo, call.carrier],
    );
  return [...Map.groupBy(calls, keyOf).values()].map(([first]) =>
    voyageOf(first!) === "" ? [first!] : callsOfVoyage(first!, all),
  );
}
