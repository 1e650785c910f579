/** Whether the vessel makes the call. */
import type { CallRecord } from "./call-record.ts";

/** `voyage`: none of its calls is made; `port_call`: this one is not; null: the call stands, or was made. */
export type Cancellation = "voyage" | "port_call" | null;

export function cancellationOf(record: CallRecord): Cancellation {
  if (isMade(record)) return null;
  if (record.status === "BLNK" || record.status === "SLID") return "voyage";
  return record.status === "OMIT" || record.goneMs !== null ? "port_call" : null;
}

/** An actual time outweighs every status. */
export function isMade({ arrival, departure }: CallRecord): boolean {
  return arrival.actual !== null || departure.actual !== null;
}
