/** Reduces statements into the next record: what to store, what to raise, and when to poll again. */
import { hasOwnTime } from "../../../freight/sources/as-of.ts";
import type { RaisedEvent } from "../../../model/event.ts";
import type { CheckEventData } from "../../../model/event-check.ts";
import type { ClaimedShipment, ShipmentState } from "../../../freight/polling/store/polls.ts";
import { utcText } from "../../../model/instant.ts";
import type { AirEvent, WaybillStatement } from "../timeline/air-event.ts";
import { awbOf } from "../../../freight/references/awb.ts";
import { sourceQueueOf } from "../air-product.ts";
import type { Airline } from "../sources/airlines/airline-schema.ts";
import { changesBetween } from "../events.ts";
import { hasTime, timeOf } from "../timeline/event-order.ts";
import { deliverySeenAtMs, type TrackingState } from "../polling/poll-schedule.ts";
import type { AirStatus } from "../status.ts";
import { isAhead } from "./said.ts";
import { readWaybillRecord, nextRecord, type WaybillRecord } from "./waybill-record.ts";

export type ReducedWaybill = {
  readonly known: ShipmentState;
  readonly events: readonly RaisedEvent[];
  readonly state: TrackingState;
  /** What the record now keeps for later, because it is dated too far ahead. */
  readonly problems: readonly string[];
  /** The record equals the stored one. */
  readonly isUnchanged: boolean;
};

/**
 * All statements together are one poll: only the last change of the status is raised, and none on the first poll.
 * `stored` is the previous record, null before the first poll. Throws if an event breaks its schema.
 */
export function reduceStatements(
  check: CheckEventData,
  claimed: ClaimedShipment,
  airline: Airline | null,
  statements: readonly WaybillStatement[],
  stored: string | null,
  nowMs: number,
): ReducedWaybill {
  const awb = claimed.reference;
  const previous = stored === null ? null : readWaybillRecord(stored);
  const next = nextRecord(awb, statements, previous, nowMs);
  const { id, accountId, createdAt } = claimed;
  // A replayed airline has a time of its own.
  const sinceMs = airline !== null && hasOwnTime(airline) ? 0 : createdAt.getTime();
  const tracked = { id, accountId, airlineIata: airline?.iata ?? null, sinceMs };
  const { events, record } = changesBetween(tracked, previous, next, nowMs);
  for (const event of events) {
    const checked = check(event.product, event.type, JSON.parse(event.data));
    if (!checked.ok) throw new Error(`${event.type} of waybill ${awb}: ${checked.message}`);
  }
  const endedMs = deliverySeenAtMs(record.status, claimed.endedAt?.getTime() ?? null, nowMs);
  const text = JSON.stringify(record);
  return {
    events,
    problems: problemsOf(record, previous, nowMs),
    isUnchanged: text === stored,
    state: { status: record.status, deliveredMs: endedMs, lastEventMs: lastEventMsOf(record, claimed) },
    known: {
      carrier: sourceQueueOf(awbOf(awb).prefix),
      identifierType: null,
      status: record.status,
      etaMs: record.eta?.at.ms ?? null,
      record: text,
      endedAtMs: endedMs,
      changesAtMs: null,
    },
  };
}

/** Once for each event. */
function problemsOf(next: WaybillRecord, previous: WaybillRecord | null, nowMs: number): readonly string[] {
  const known = new Set(previous?.said.filter(hasTime).map(dateLine));
  const ahead = next.said.filter((event) => isAhead(event, nowMs)).map(dateLine);
  return ahead
    .filter((line) => !known.has(line))
    .map((line) => `${line} is too far ahead; it counts when its time comes`);
}

function dateLine(event: AirEvent): string {
  return `${event.code} at ${event.station} of ${utcText(timeOf(event))}`;
}

function lastEventMsOf({ timeline }: WaybillRecord, { createdAt }: ClaimedShipment): number {
  return timeline.reduce((last, event) => Math.max(last, timeOf(event)), createdAt.getTime());
}

export function trackingStateOf({ status, endedAt, createdAt, refreshedAt }: ClaimedShipment): TrackingState {
  return {
    status: status as AirStatus | "pending",
    deliveredMs: endedAt?.getTime() ?? null,
    lastEventMs: (refreshedAt ?? createdAt).getTime(),
  };
}
