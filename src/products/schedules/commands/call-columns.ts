/** Calls as commands print them. */
import type { Column } from "../../../cli/print.ts";
import { expectedTime, type CallRecord } from "../calls/call-record.ts";
import { callState } from "../search/call-view.ts";

export const CALL_COLUMNS: readonly Column<CallRecord>[] = [
  ["CARRIER", ({ carrier }) => carrier],
  ["SERVICE", ({ service }) => service.code ?? service.name],
  ["VOYAGE", ({ voyage }) => voyage.export ?? voyage.import],
  ["VESSEL", ({ vessel }) => vessel.name],
  ["IMO", ({ vessel }) => vessel.imo],
  ["ARRIVAL", (record) => isoOf(record, "arrival")],
  ["DEPARTURE", (record) => isoOf(record, "departure")],
  ["STATUS", callState],
];

function isoOf(record: CallRecord, what: "arrival" | "departure"): string | null {
  const at = expectedTime(record[what]);
  return at === null ? null : new Date(at.ms).toISOString();
}
