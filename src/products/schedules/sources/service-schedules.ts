/**
 * Schedules by service and vessel: CS 1.0 `vessel-schedules` and OVS 3.0 `service-schedules`. They differ in where
 * the vessel stands, in cut-offs (CS alone) and in status codes and reasons (OVS alone).
 */
import type { CallStatement } from "../calls/call-statement.ts";
import { readCutOffs, readPlace, readService, readVessel, readVoyage } from "./call-parts.ts";
import { readStatus } from "./call-status.ts";
import { partsOf, type Part, type ReadContext } from "./read-context.ts";
import { readText } from "./spelling.ts";
import { readTimestamps } from "./timestamps.ts";

export function* callsOfService(schedule: Part, reading: ReadContext): Generator<CallStatement> {
  const service = readService(schedule, schedule.raw, reading);
  for (const sailing of partsOf(schedule, "vesselSchedules", reading)) {
    const vessel = readVessel(sailing, reading);
    for (const call of partsOf(sailing, "transportCalls", reading)) {
      const read = readCall(call, reading);
      if (read !== null) yield { carrier: reading.feed.carrier, service, vessel, ...read };
    }
  }
}

function readCall(
  call: Part,
  reading: ReadContext,
): Omit<CallStatement, "carrier" | "service" | "vessel"> | null {
  const place = readPlace(call, reading);
  if (place === null) return null;
  const status = readStatus(call, reading);
  const { isUnread, ...times } = readTimestamps(call, place.port, reading);
  if (isUnread && status === null) {
    reading.skip(call.path, "none of its timestamps can be read");
    return null;
  }
  return {
    voyage: readVoyage(call.raw),
    ...place,
    reference: readText(call.raw, "transportCallReference"),
    status,
    ...times,
    cutOffs: readCutOffs(call, place.port, reading),
  };
}
