/** Schedules by port: CS 1.0 `port-schedules`. Each vessel at a terminal is a call. */
import type { CallStatement } from "../calls/call-statement.ts";
import { readCutOffs, readPartner, readPlace, readService, readVessel, readVoyage } from "./call-parts.ts";
import { readStatus } from "./call-status.ts";
import { partsOf, type Part, type ReadContext } from "./read-context.ts";
import { readText } from "./spelling.ts";
import { readTimestamps } from "./timestamps.ts";

export function* callsAtPort(schedule: Part, reading: ReadContext): Generator<CallStatement> {
  const place = readPlace(schedule, reading);
  if (place === null) return;
  for (const call of partsOf(schedule, "vesselSchedules", reading)) {
    const partner = readPartner(call, reading);
    const status = readStatus(call, reading);
    const { isUnread, ...times } = readTimestamps(call, place.port, reading);
    if (isUnread && status === null) {
      reading.skip(call.path, "none of its timestamps can be read");
      continue;
    }
    yield {
      carrier: reading.feed.carrier,
      service: readService(call, partner, reading),
      vessel: readVessel(call, reading),
      voyage: readVoyage(partner),
      ...place,
      reference: readText(call.raw, "transportCallReference"),
      status,
      ...times,
      cutOffs: readCutOffs(call, place.port, reading),
    };
  }
}
