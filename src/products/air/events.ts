/**
 * Two records of one waybill → the event of its new status (spec 6.4: one_per_change, awb_accepted, awb_in_transit,
 * awb_arrived, awb_available, awb_delivered, data).
 */
import { companionTimes } from "../../freight/places/local-time.ts";
import type { RaisedEvent } from "../../model/event.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { AIR_PRODUCT } from "./air-product.ts";
import { AIR_STATUSES, type AirStatus } from "./status.ts";
import type { WaybillRecord } from "./record/waybill-record.ts";
import type { AirEvent } from "./timeline/air-event.ts";
import { isOfDay } from "./timeline/event-order.ts";

/** One account's tracking of a waybill. */
export type TrackedWaybill = {
  readonly id: string;
  readonly accountId: string;
  readonly airlineIata: string | null;
  /** Start of tracking, milliseconds since the epoch. */
  readonly sinceMs: number;
};

export const EVENT_BY_STATUS: { readonly [status in AirStatus]?: string } = {
  accepted: "awb_accepted",
  in_transit: "awb_in_transit",
  arrived: "awb_arrived",
  available: "awb_available",
  delivered: "awb_delivered",
};

export type WaybillChanges = {
  readonly events: readonly RaisedEvent[];
  /** `next`, with the statuses raised so far. */
  readonly record: WaybillRecord;
};

/**
 * At most one event, and each status once in a waybill's life. The first record raises nothing, nor does a status that
 * the waybill falls back to. If the airline knew nothing at first, statuses reached since tracking began are raised.
 */
export function changesBetween(
  tracked: TrackedWaybill,
  previous: WaybillRecord | null,
  next: WaybillRecord,
  nowMs: number,
): WaybillChanges {
  const { status } = next;
  const reached = AIR_STATUSES.slice(0, AIR_STATUSES.indexOf(status) + 1);
  const record = { ...next, told: [...new Set([...next.told, ...reached])] };
  const type = EVENT_BY_STATUS[status];
  const hasChanged =
    previous !== null && (previous.said.length > 0 || latestMsOf(next.statusBy) >= tracked.sinceMs);
  if (!hasChanged || type === undefined || next.told.includes(status)) return { events: [], record };
  const at = next.statusBy?.at ?? null;
  const data = {
    awb: next.awb,
    airline_iata: tracked.airlineIata,
    status,
    origin: next.origin,
    destination: next.destination,
    ...(at === null ? {} : companionTimes(at)),
  };
  const event = {
    product: AIR_PRODUCT,
    accountId: tracked.accountId,
    type,
    data: JSON.stringify(data),
    occurredAtMs: nowMs,
    dedupKey: raisedKey(tracked.id, status),
  };
  return { events: [event], record };
}

/** Under which a status of a tracked waybill is raised once. */
export function raisedKey(trackedId: string, status: AirStatus): string {
  return `${trackedId}:${status}`;
}

/** Until when it happened at the latest: without a time, until its day ended. */
function latestMsOf(event: AirEvent | null): number {
  const ms = event?.at?.ms;
  return event === null || ms === undefined ? 0 : ms + (isOfDay(event) ? DAY_MS - 1 : 0);
}
