/** A tracked shipment as clients see it: in lists, and with all that is known of it (spec 2.5, 4.2). */
import type { DetailedShipment, StoredShipment } from "../../../freight/tracking/store/shipments-read.ts";
import type { CarrierEvent, Vessel } from "../sources/carrier-event.ts";
import { failureOf, type Failure } from "./failure.ts";
import { leastAdvancedBox, readRecord } from "../record/record.ts";
import type { BoxRecord, ShipmentRecord } from "../record/shipment-record.ts";
import { eventView, placeView, type EventView, type PlaceView } from "./timeline-view.ts";

/** The fields of spec 2.5, and what lists show beside them. */
export type ShipmentView = {
  readonly id: string;
  readonly reference: string;
  readonly identifier_type: string | null;
  /** The SCAC of the carrier found, until then the client's hint, else empty. */
  readonly carrier: string;
  /** `pending` until a carrier has answered, then a container status. */
  readonly status: string;
  readonly eta: string | null;
  readonly last_failure: Failure | null;
  /** The carrier's last answer. */
  readonly refreshed_at: string | null;
  readonly created_at: string;
};

/** Of one box; for the whole shipment, of the box that is least far. */
type JourneyView = {
  readonly vessel: Vessel | null;
  readonly voyage: string | null;
  readonly origin: PlaceView | null;
  readonly discharge: PlaceView | null;
  readonly destination: PlaceView | null;
  /** Planned or made, in the order of the route. */
  readonly transshipments: readonly PlaceView[];
  readonly eta_is_actual: boolean;
  /** Oldest first. */
  readonly eta_history: readonly EtaEntryView[];
  readonly free_time: FreeTimeView | null;
};

type EtaEntryView = { readonly eta: string; readonly seen_at: string };

type FreeTimeView = {
  /** `YYYY-MM-DD` at the port. */
  readonly last_free_day: string;
  readonly ends_at: string;
  readonly source: "carrier" | "tariff";
  readonly days_overdue: number;
  readonly accrued_usd: number | null;
};

export type BoxView = JourneyView & {
  readonly equipment_reference: string | null;
  readonly status: string;
  readonly eta: string | null;
};

export type ShipmentDetail = ShipmentView &
  JourneyView & {
    /** Null when it is not looked at any more. */
    readonly next_refresh_at: string | null;
    readonly boxes: readonly BoxView[];
    /** Of all boxes, in the order of time. */
    readonly events: readonly EventView[];
  };

export function shipmentView(shipment: StoredShipment): ShipmentView {
  return {
    id: shipment.id,
    reference: shipment.reference,
    identifier_type: shipment.identifierType,
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
  // What was asked for is due since the distant past.
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

/** Where the boxes differ: the way and the ETA of the one that is least far, the free time that ends first. */
function journeyOf(record: ShipmentRecord): JourneyView {
  const least = leastAdvancedBox(record);
  const [free = null] = record.boxes
    .flatMap(({ freeTime }) => freeTime ?? [])
    .toSorted((one, other) => one.endsMs - other.endsMs);
  return {
    ...routeView(least),
    eta_is_actual: least.eta?.actual ?? false,
    eta_history: etaHistory(least),
    free_time: freeTimeView(free),
  };
}

function boxView(box: BoxRecord): BoxView {
  return {
    equipment_reference: box.equipment,
    status: box.status,
    eta: isoTime(box.eta?.at.ms ?? null),
    ...routeView(box),
    eta_is_actual: box.eta?.actual ?? false,
    eta_history: etaHistory(box),
    free_time: freeTimeView(box.freeTime),
  };
}

function routeView(box: BoxRecord) {
  return {
    vessel: box.vessel,
    voyage: box.voyage,
    origin: placeView(box.origin),
    discharge: placeView(box.discharge),
    destination: placeView(box.destination),
    transshipments: box.transshipments.flatMap((place) => placeView(place) ?? []),
  };
}

function etaHistory(box: BoxRecord): readonly EtaEntryView[] {
  return box.etaHistory.map(({ at, seenMs }) => ({
    eta: new Date(at.ms).toISOString(),
    seen_at: new Date(seenMs).toISOString(),
  }));
}

function freeTimeView(free: BoxRecord["freeTime"]): FreeTimeView | null {
  if (free === null) return null;
  return {
    last_free_day: free.lastFreeDay,
    ends_at: new Date(free.endsMs).toISOString(),
    source: free.source,
    days_overdue: free.daysOverdue,
    accrued_usd: free.accruedUsd,
  };
}

/** What concerns all boxes is in the timeline of each, and shown once. */
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
