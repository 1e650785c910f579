/** Two records of one waybill → the event that tells the change of its status (spec 6.4). */
import { companionTimes } from "../../freight/places/local-time.ts";
import type { RaisedEvent } from "../../model/event.ts";
import { AIR_PRODUCT } from "./air-product.ts";
import { AIR_STATUSES, type AirStatus } from "./status.ts";
import type { WaybillRecord } from "./record/waybill-record.ts";

/** Whose the waybill is, in one account's tracking of it. */
export type TrackedWaybill = {
  readonly id: string;
  readonly accountId: string;
  readonly airlineIata: string | null;
  /** When the account began to track it, milliseconds since the epoch. */
  readonly sinceMs: number;
};

const EVENT_BY_STATUS: { readonly [status in AirStatus]?: string } = {
  accepted: "awb_accepted",
  in_transit: "awb_in_transit",
  arrived: "awb_arrived",
  available: "awb_available",
  delivered: "awb_delivered",
};

export type WaybillChanges = {
  readonly events: readonly RaisedEvent[];
  /** `next`, and in it what has been told once the events are raised. */
  readonly record: WaybillRecord;
};

/**
 * At most one event: of the status that holds now, each status once in a waybill's life. What a waybill has
 * been through when it is first looked at is not news, and neither is a status that it falls back to. Where
 * the airline knew nothing of it at first, it is news what has happened since tracking began.
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
  const isNews =
    previous !== null && (previous.said.length > 0 || (next.statusBy?.at?.ms ?? 0) >= tracked.sinceMs);
  if (!isNews || type === undefined || next.told.includes(status)) return { events: [], record };
  // The airline may give no time.
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
    dedupKey: `${tracked.id}:${status}`,
  };
  return { events: [event], record };
}
