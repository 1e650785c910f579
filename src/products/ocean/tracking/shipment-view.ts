/** A stored shipment → what clients see of it (spec 2.5, 4.2). */
import type { DetailedShipment, StoredShipment } from "../../../freight/tracking/store/shipments-read.ts";
import type { CarrierEvent } from "../sources/carrier-event.ts";
import type { BoxView, ShipmentDetail, ShipmentView } from "./container-schema.ts";
import { failureOf } from "./failure.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";
import { leastAdvancedBox, readRecord } from "../record/record.ts";
import type { BoxRecord, ShipmentRecord } from "../record/shipment-record.ts";
import { eventView, placeView } from "./timeline-view.ts";

/** What a shipment and its boxes have in common. */
type JourneyView = Omit<BoxView, "equipment_reference" | "status" | "eta">;

export function shipmentView(shipment: StoredShipment): ShipmentView {
  return {
    id: shipment.id,
    reference: shipment.reference,
    identifier_type: shipment.identifierType as IdentifierType | null,
    carrier: shipment.carrier ?? shipment.carrierHint ?? "",
    status: shipment.status,
    eta: shipment.eta?.toISOString() ?? null,
    last_failure: failureOf(shipment.failure, shipment.reference),
    refreshed_at: shipment.refreshedAt?.toISOString() ?? null,
    created_at: shipment.createdAt.toISOString(),
  };
}

export function shipmentDetail(shipment: DetailedShipment, nowMs: number): ShipmentDetail {
  const record = shipment.record === null ? null : readRecord(shipment.record);
  // A requested poll is due since the distant past.
  const nextMs = shipment.nextPollAt === null ? null : Math.max(shipment.nextPollAt.getTime(), nowMs);
  return {
    ...shipmentView(shipment),
    ...(record === null ? NO_JOURNEY : journeyOf(record)),
    next_refresh_at: isoTime(nextMs),
    boxes: record?.boxes.map(boxView) ?? [],
    events: record === null ? [] : mergedTimeline(record).map(eventView),
  };
}

const NO_JOURNEY: JourneyView = {
  vessel: null,
  voyage: null,
  origin: null,
  discharge: null,
  destination: null,
  transshipments: [],
  eta_is_actual: false,
  eta_history: [],
  free_time: null,
};

/** The journey of the least advanced box, and the free time that ends first. */
function journeyOf(record: ShipmentRecord): JourneyView {
  const [free = null] = record.boxes
    .flatMap(({ freeTime }) => freeTime ?? [])
    .toSorted((one, other) => one.endsMs - other.endsMs);
  return { ...journeyView(leastAdvancedBox(record)), free_time: freeTimeView(free) };
}

function boxView(box: BoxRecord): BoxView {
  return {
    equipment_reference: box.equipment,
    status: box.status,
    eta: isoTime(box.eta?.at.ms ?? null),
    ...journeyView(box),
  };
}

function journeyView(box: BoxRecord): JourneyView {
  return {
    vessel: box.vessel,
    voyage: box.voyage,
    origin: placeView(box.origin),
    discharge: placeView(box.discharge),
    destination: placeView(box.destination),
    transshipments: box.transshipments.flatMap((place) => placeView(place) ?? []),
    eta_is_actual: box.eta?.actual ?? false,
    eta_history: box.etaHistory.map(({ at, seenMs }) => ({
      eta: new Date(at.ms).toISOString(),
      seen_at: new Date(seenMs).toISOString(),
    })),
    free_time: freeTimeView(box.freeTime),
  };
}

function freeTimeView(free: BoxRecord["freeTime"]): JourneyView["free_time"] {
  if (free === null) return null;
  return {
    last_free_day: free.lastFreeDay,
    ends_at: new Date(free.endsMs).toISOString(),
    source: free.source,
    days_overdue: free.daysOverdue,
    accrued_usd: free.accruedUsd,
  };
}

/** Events of all boxes are in the timeline of each, and shown once. */
function mergedTimeline({ boxes }: ShipmentRecord): readonly CarrierEvent[] {
  const [only] = boxes;
  if (only !== undefined && boxes.length === 1) return only.timeline;
  const events = boxes.flatMap(({ timeline }) => timeline);
  const once = new Map(events.map((event) => [JSON.stringify(event), event]));
  return [...once.values()].toSorted((one, other) => one.at.ms - other.at.ms);
}

export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
