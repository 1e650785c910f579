/** The rules of the store's statements for the record in memory. */
import {
  expectedTime,
  serviceOf,
  voyageOf,
  type CallRecord,
} from "../../src/products/schedules/calls/call-record.ts";
import type { CompleteScope } from "../../src/products/schedules/calls/call-statement.ts";
import { DAY_MS } from "./statements.ts";

const REPLACED_MS_MAX = 3 * DAY_MS;

/** The same rule as port_call_list_in_scope.sql. */
export function isWithin(record: CallRecord, scope: CompleteScope, atMs: number): boolean {
  const arrival = expectedTime(record.arrival);
  const callsAtMs = callsAt(record);
  const { fromMs } = scope.asked ?? scope;
  return (
    record.goneMs === null &&
    (scope.service === null || serviceOf(record) === scope.service) &&
    (scope.port === null || record.port === scope.port) &&
    ((scope.vessel ?? null) === null || record.vessel.imo === scope.vessel) &&
    callsAtMs > atMs &&
    callsAtMs >= fromMs &&
    (arrival === null || arrival.ms >= fromMs)
  );
}

function callsAt(record: CallRecord): number {
  return (expectedTime(record.departure) ?? expectedTime(record.arrival))?.ms ?? record.firstSeenMs;
}

export function rowOf(record: CallRecord) {
  const [service, voyage] = [serviceOf(record), voyageOf(record)];
  const arrivalAt = expectedTime(record.arrival);
  return {
    id: record.id,
    service,
    voyage,
    callsAt: new Date(callsAt(record)),
    arrivalAt: arrivalAt && new Date(arrivalAt.ms),
  };
}

/** The same rule as port_call_lock_missing.sql. */
export function replaces(other: CallRecord, call: CallRecord): boolean {
  return (
    Math.abs(callsAt(other) - callsAt(call)) <= REPLACED_MS_MAX &&
    other.vessel.imo !== null &&
    other.vessel.imo === call.vessel.imo &&
    (voyageOf(other) !== voyageOf(call) || serviceOf(other) !== serviceOf(call)) &&
    other.goneMs === null &&
    !["OMIT", "BLNK", "SLID"].includes(other.status ?? "")
  );
}
