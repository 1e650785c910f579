/** A call's record as it is stored, with what it is found by. */
import type { PortCallRow } from "../store/port-calls.ts";
import { measureArrival } from "./baseline.ts";
import { expectedTime, serviceOf, voyageOf, type CallRecord } from "./call-record.ts";

export function callRowOf(record: CallRecord, nextLookMs: number | null): PortCallRow {
  const { id, carrier, port, nth, vessel, voyage, terminal, status, goneMs } = record;
  const [arrival, departure] = [expectedTime(record.arrival), expectedTime(record.departure)];
  const measured = measureArrival(record);
  return {
    id,
    carrier,
    service: serviceOf(record),
    voyage: voyageOf(record),
    importVoyage: voyage.import === null || voyage.import === voyageOf(record) ? "" : voyage.import,
    port,
    nth,
    vesselImo: vessel.imo,
    vesselName: vessel.name,
    terminal,
    status,
    arrivalMs: arrival?.ms ?? null,
    departureMs: departure?.ms ?? null,
    callsAtMs: departure?.ms ?? arrival?.ms ?? record.firstSeenMs,
    record: JSON.stringify(record),
    goneMs,
    dueMs: nextLookMs,
    measuredOn: measured?.on ?? null,
    onTime: measured?.onTime ?? null,
  };
}

export function readCallRecord(text: string): CallRecord {
  return JSON.parse(text) as CallRecord;
}
