/**
 * Calls with status, timestamps and cut-offs. By service and vessel: CS 1.0 `vessel-schedules` and OVS 3.0
 * `service-schedules`; by port: CS 1.0 `port-schedules`. Only CS has cut-offs, only OVS status codes and reasons, and
 * they place the vessel differently.
 */
import { CALL_STATUSES, type CallStatement, type CallStatus } from "../calls/call-statement.ts";
import {
  readCutOffs,
  readPartner,
  readPlace,
  readService,
  readVessel,
  readVoyage,
  type Place,
} from "./call-parts.ts";
import { partsOf, quoted, type Part, type ReadContext } from "./read-context.ts";
import { read, readText } from "./spelling.ts";
import { readTimestamps } from "./timestamps.ts";

/** Null for what is no call: a moment to let others go on. */
export function* callsOfService(schedule: Part, reading: ReadContext): Generator<CallStatement | null> {
  const service = readService(schedule, schedule.raw, reading);
  for (const sailing of partsOf(schedule, "vesselSchedules", reading)) {
    yield null;
    if (sailing === null) continue;
    const vessel = readVessel(sailing, reading);
    for (const call of partsOf(sailing, "transportCalls", reading)) {
      const place = call && readPlace(call, reading);
      const stated = call && place && readTransportCall(call, place, readVoyage(call.raw), reading);
      yield stated && { carrier: reading.feed.carrier, service, vessel, ...stated };
    }
  }
}

/** Each vessel at a terminal is a call. */
export function* callsAtPort(schedule: Part, reading: ReadContext): Generator<CallStatement | null> {
  const place = readPlace(schedule, reading);
  if (place === null) return;
  for (const call of partsOf(schedule, "vesselSchedules", reading)) {
    yield null;
    if (call === null) continue;
    const partner = readPartner(call, reading);
    const stated = readTransportCall(call, place, readVoyage(partner), reading);
    if (stated === null) continue;
    const service = readService(call, partner, reading);
    yield { carrier: reading.feed.carrier, service, vessel: readVessel(call, reading), ...stated };
  }
}

/** Null, with a problem: none of its timestamps can be read, and it has no status. */
function readTransportCall(
  call: Part,
  place: Place,
  voyage: CallStatement["voyage"],
  reading: ReadContext,
): Omit<CallStatement, "carrier" | "service" | "vessel"> | null {
  const status = readStatus(call, reading);
  const { isUnread, ...times } = readTimestamps(call, place.port, reading);
  if (isUnread && status === null) {
    reading.skip(call.path, "none of its timestamps can be read");
    return null;
  }
  return {
    voyage,
    ...place,
    reference: readText(call.raw, "transportCallReference"),
    status,
    ...times,
    cutOffs: readCutOffs(call, place.port, reading),
  };
}

/** Of several codes, the one that matters most to waiting cargo counts. */
const SEVERITY: readonly CallStatus[] = [
  "BLNK",
  "OMIT",
  "CUTR",
  "SLID",
  "ROTC",
  "PHOT",
  "PHIN",
  "ADHO",
  "OOSV",
  "DRYD",
  "BUNK",
];

const CODES_MAX = 20;

/** OVS 3.0: `statusCodes` replaces the older `statusCode`. Null: the call is as planned, or the code is unknown. */
function readStatus({ raw, path }: Part, reading: ReadContext): CallStatus | null {
  const several = read(raw, "statusCodes");
  const written = Array.isArray(several) ? several.slice(0, CODES_MAX) : [readText(raw, "statusCode")];
  const codes = written.flatMap((code: unknown) =>
    typeof code === "string" ? [code.trim().toUpperCase()] : [],
  );
  const unknown = codes.find((code) => !(CALL_STATUSES as readonly string[]).includes(code));
  if (unknown !== undefined) {
    reading.note(`${path}.statusCode`, `${quoted(unknown)} is none of ${CALL_STATUSES.join(", ")}`);
  }
  return SEVERITY.find((status) => codes.includes(status)) ?? null;
}
