/** Schedules by port: CS 1.0 `port-schedules`. Each vessel at a terminal is a call. */
import type { CallStatement } from "../calls/call-statement.ts";
import { readPartner, readPlace, readService, readVessel, readVoyage } from "./call-parts.ts";
import { partsOf, type Part, type ReadContext } from "./read-context.ts";
import { readTransportCall } from "./transport-call.ts";

export function* callsAtPort(schedule: Part, reading: ReadContext): Generator<CallStatement> {
  const place = readPlace(schedule, reading);
  if (place === null) return;
  for (const call of partsOf(schedule, "vesselSchedules", reading)) {
    const partner = readPartner(call, reading);
    const read = readTransportCall(call, place, readVoyage(partner), reading);
    if (read === null) continue;
    const service = readService(call, partner, reading);
    yield { carrier: reading.feed.carrier, service, vessel: readVessel(call, reading), ...read };
  }
}
