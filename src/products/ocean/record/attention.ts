/** What of a shipment somebody should act on. */
import { AT_TERMINAL } from "../status/status-groups.ts";
import type { FreeTime, ShipmentRecord } from "./shipment-record.ts";

export const ATTENTION = ["customs_hold", "misrouted", "free_time_over", "free_time_ends"] as const;

export type Attention = (typeof ATTENTION)[number];

/** In the order of {@link ATTENTION}; `asOfMs` is the time of the record, null if nobody knows it. */
export function attentionOf({ boxes }: ShipmentRecord, asOfMs: number | null): readonly Attention[] {
  const found = new Set(
    boxes
      .filter(({ status }) => status !== "delivered" && status !== "returned_empty" && status !== "cancelled")
      .flatMap(({ status, misrouting, freeTime }): readonly Attention[] => [
        ...(status === "customs_hold" ? (["customs_hold"] as const) : []),
        ...(misrouting === null ? [] : (["misrouted"] as const)),
        ...(freeTime === null || !AT_TERMINAL.includes(status) ? [] : freeTimeAttention(freeTime, asOfMs)),
      ]),
  );
  return ATTENTION.filter((one) => found.has(one));
}

function freeTimeAttention(
  { endsMs, warnsMs, daysOverdue }: FreeTime,
  asOfMs: number | null,
): readonly Attention[] {
  if (daysOverdue > 0 || (asOfMs ?? 0) >= endsMs) return ["free_time_over"];
  return warnsMs !== undefined && (asOfMs ?? 0) >= warnsMs ? ["free_time_ends"] : [];
}
