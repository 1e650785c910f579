/**
 * Schedules by service and vessel: CS 1.0 `vessel-schedules` and OVS 3.0 `service-schedules`. Only CS has cut-offs, only
 * OVS status codes and reasons, and they place the vessel differently.
 */
import type { CallStatement } from "../calls/call-statement.ts";
import { readPlace, readService, readVessel, readVoyage } from "./call-parts.ts";
import { partsOf, type Part, type ReadContext } from "./read-context.ts";
import { readTransportCall } from "./transport-call.ts";

export function* callsOfService(schedule: Part, reading: ReadContext): Generator<CallStatement> {
  const service = readService(schedule, schedule.raw, reading);
  for (const sailing of partsOf(schedule, "vesselSchedules", reading)) {
    const vessel = readVessel(sailing, reading);
    for (const call of partsOf(sailing, "transportCalls", reading)) {
      const place = readPlace(call, reading);
      const read = place && readTransportCall(call, place, readVoyage(call.raw), reading);
      if (read !== null) yield { carrier: reading.feed.carrier, service, vessel, ...read };
    }
  }
}
