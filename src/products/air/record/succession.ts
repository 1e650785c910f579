/** What is to be stored and told when more has been said of a waybill. */
import type { RaisedEvent } from "../../../model/event.ts";
import type { CheckEventData } from "../../../model/event-check.ts";
import type { ClaimedShipment, KnownShipment } from "../../../freight/polling/store/polls.ts";
import type { WaybillStatement } from "../timeline/air-event.ts";
import { laneOfWaybill } from "../air-product.ts";
import type { Airline } from "../sources/airlines/airline-schema.ts";
import { changesBetween } from "../events.ts";
import { timeOf } from "../timeline/chronology.ts";
import { endedAtMs, type WaybillStanding } from "../sources/schedule.ts";
import type { AirStatus } from "../status.ts";
import { readWaybill, recordOfAll, type WaybillRecord } from "./waybill-record.ts";

export type Succession = {
  readonly known: KnownShipment;
  readonly events: readonly RaisedEvent[];
  readonly standing: WaybillStanding;
  /** Nothing is known that was not known before. */
  readonly isSame: boolean;
};

/**
 * All statements together are one look, so that of what they tell only the last change is news, and none of
 * it where there was no look before. Throws when a derived event breaks its schema. `stored` is the record
 * as it was, null before the first look.
 */
export function afterStatements(
  check: CheckEventData,
  claimed: ClaimedShipment,
  airline: Airline | null,
  statements: readonly WaybillStatement[],
  stored: string | null,
  nowMs: number,
): Succession {
  const awb = claimed.reference;
  const previous = stored === null ? null : readWaybill(stored);
  const next = recordOfAll(awb, statements, previous);
  const { id, accountId, createdAt } = claimed;
  // The time of an airline that is replayed is not ours.
  const sinceMs = airline?.asOf === "answer-date" ? 0 : createdAt.getTime();
  const tracked = { id, accountId, airlineIata: airline?.iata ?? null, sinceMs };
  const { events, record } = changesBetween(tracked, previous, next, nowMs);
  for (const event of events) {
    const checked = check(event.product, event.type, JSON.parse(event.data));
    if (!checked.ok) throw new Error(`${event.type} of waybill ${awb}: ${checked.message}`);
  }
  const endedMs = endedAtMs(record.status, claimed.endedAt?.getTime() ?? null, nowMs);
  const text = JSON.stringify(record);
  return {
    events,
    isSame: text === stored,
    standing: { status: record.status, endedMs, lastMs: lastMsOf(record, claimed) },
    known: {
      carrier: laneOfWaybill(awb),
      identifierType: null,
      status: record.status,
      etaMs: record.eta?.at.ms ?? null,
      record: text,
      endedAtMs: endedMs,
      changesAtMs: null,
    },
  };
}

function lastMsOf({ timeline }: WaybillRecord, { createdAt }: ClaimedShipment): number {
  return timeline.reduce((last, event) => Math.max(last, timeOf(event)), createdAt.getTime());
}

/** Where a waybill stands as it was claimed. */
export function standingOf({ status, endedAt, createdAt, refreshedAt }: ClaimedShipment): WaybillStanding {
  return {
    status: status as AirStatus | "pending",
    endedMs: endedAt?.getTime() ?? null,
    lastMs: (refreshedAt ?? createdAt).getTime(),
  };
}
