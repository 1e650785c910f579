/** A call with its status, timestamps and cut-offs, as schedules by service, vessel and port have it. */
import type { CallStatement } from "../calls/call-statement.ts";
import { readCutOffs, type Place } from "./call-parts.ts";
import { readStatus } from "./call-status.ts";
import type { Part, ReadContext } from "./read-context.ts";
import { readText } from "./spelling.ts";
import { readTimestamps } from "./timestamps.ts";

/** Null, with a problem: none of its timestamps can be read, and it has no status. */
export function readTransportCall(
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
