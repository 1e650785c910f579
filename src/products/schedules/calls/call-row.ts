/** A call's record as the store keeps it, with the columns that queries use. */
import type { PortCallRow } from "../store/port-calls.ts";
import { measureArrival } from "./baseline.ts";
import {
  callsAtMs,
  cancellationOf,
  departureCancellationOf,
  expectedTime,
  serviceOf,
  voyageOf,
  type CallRecord,
} from "./call-record.ts";

export function callRowOf(record: CallRecord, dueMs: number | null): PortCallRow {
  const { id, carrier, port, nth, vessel, voyage, terminal, goneMs } = record;
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
    status: statusOf(record),
    arrivalMs: arrival?.ms ?? null,
    departureMs: departure?.ms ?? null,
    callsAtMs: callsAtMs(record),
    record: JSON.stringify(renamed(record, STORED_NAMES)),
    goneMs,
    dueMs,
    measuredOn: measured?.on ?? null,
    onTime: measured?.onTime ?? null,
  };
}

/** The vessel calls, and does not leave on the voyage. */
const NO_DEPARTURE = "NDEP";

/** As queries need it: a call is cancelled by its own status, or with its voyage. */
function statusOf(record: CallRecord): string | null {
  const { status, voyageStatus = null } = record;
  if (voyageStatus === null || cancellationOf(record) === "port_call") return status;
  if (cancellationOf(record) === "voyage") return status === "SLID" ? "SLID" : voyageStatus;
  return departureCancellationOf(record) === null ? status : NO_DEPARTURE;
}

export function readCallRecord(text: string): CallRecord {
  return renamed(JSON.parse(text) as object, RECORD_NAMES) as CallRecord;
}

type Names = { readonly [name: string]: string };

/** Stored records keep the names that the first release gave these fields. */
const RECORD_NAMES = { words: "reports", told: "raised" };
const STORED_NAMES = Object.fromEntries(Object.entries(RECORD_NAMES).map(([stored, name]) => [name, stored]));

/** In the same order: a record that has not changed is stored as the same text. */
function renamed(from: object, names: Names): object {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [names[name] ?? name, value]));
}
