/** The record's calls for products that wait for them, and what such a product receives changes. */
import type {
  CallNames,
  ChangedCall,
  FindScheduledCalls,
  ScheduledCall,
} from "../../../freight/scheduled-calls/scheduled-calls.ts";
import type { CallChange } from "../events/blank-sailing.ts";
import { departureState, isNotMade } from "../search/call-view.ts";
import { readAwaitedCalls } from "../store/awaited-calls.ts";
import { expectedTime, type CallRecord } from "./call-record.ts";
import { readCallRecord } from "./call-row.ts";
import type { CallTime } from "./call-statement.ts";

export const findScheduledCalls: FindScheduledCalls = async (connection, productCells, searches) => {
  const found = await readAwaitedCalls(connection, productCells.of("schedules"), searches);
  return found.map((records) => records.flatMap((text) => scheduledCall(readCallRecord(text)) ?? []));
};

/** Null: another call stands for it, under another number. */
function scheduledCall(record: CallRecord): ScheduledCall | null {
  const { vessel, voyage, departure, history, raised } = record;
  const state = departureState(record);
  if (state === "missing" && raised.cancelled?.kind === "silent") return null;
  const stated = [
    ...[departure.planned, departure.estimated, departure.actual].map((value) => ({ value })),
    ...(history["departure.planned"] ?? []),
    ...(history["departure.estimated"] ?? []),
  ];
  return {
    vessel: vessel.isDummy ? { imo: null, name: null } : { imo: vessel.imo, name: vessel.name },
    voyage: voyage.export ?? voyage.import,
    departuresMs: stated.flatMap((one) => (one.value as CallTime | null)?.ms ?? []),
    expectedMs: expectedTime(departure)?.ms ?? null,
    departedMs: departure.actual?.ms ?? null,
    cancelled: isNotMade(state) ? state : null,
  };
}

/** Those of the changes that concern who waits for the call. */
export function changedCalls(changes: readonly CallChange[]): readonly ChangedCall[] {
  return changes.flatMap(({ before, after }) => {
    const departureMs = departureMsOf(after);
    if (departureMs === null) return [];
    const isSame =
      before !== null &&
      departureState(before) === departureState(after) &&
      departureMsOf(before) === departureMs;
    // A vessel or voyage that changes is still what boxes are said to wait for.
    return isSame ? [] : [{ departureMs, names: [before ?? after, after].map(namesOf) }];
  });
}

function departureMsOf({ departure }: CallRecord): number | null {
  return expectedTime(departure)?.ms ?? null;
}

function namesOf({ carrier, port, vessel, voyage }: CallRecord): CallNames {
  return { carrier, port, vessel, voyage: voyage.export ?? voyage.import };
}
