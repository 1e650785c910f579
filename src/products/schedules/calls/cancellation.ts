/** Whether a call is made at all. */
import type { CallRecord } from "./call-record.ts";

/** The whole voyage, or the call alone; null: it is to be made, or has been. */
export type Cancellation = "voyage" | "port_call" | null;

export function cancellationOf(record: CallRecord): Cancellation {
  if (isMade(record)) return null;
  if (record.status === "BLNK" || record.status === "SLID") return "voyage";
  return record.status === "OMIT" || record.goneMs !== null ? "port_call" : null;
}

/** The vessel has come: whatever else is said of the call, it was made. */
export function isMade({ arrival, departure }: CallRecord): boolean {
  return arrival.actual !== null || departure.actual !== null;
}
