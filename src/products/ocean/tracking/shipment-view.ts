/** A stored shipment → what clients see of it (spec 2.5, 4.2). */
import type { DetailedShipment, StoredShipment } from "../../../freight/tracking/store/shipments-read.ts";
import type { CarrierEvent, Place } from "../sources/carrier-event.ts";
import type { BoxView, ShipmentDetail, ShipmentView, EventView, PlaceView } from "./container-schema.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";
import { AT_SEA } from "../record/aboard.ts";
import { ATTENTION, type Attention } from "../record/attention.ts";
import { pointOf } from "../record/map-position.ts";
import { isSailingCall } from "../timeline/calls.ts";
import { imoOf, vesselPositionView, type VesselPositions } from "./position-view.ts";
import { isAwaitingNextTrip } from "../record/box-trip.ts";
import { leastAdvancedBox, readRecord } from "../record/record.ts";
import type { BoxRecord, ShipmentRecord } from "../record/shipment-record.ts";
import { zoneAt } from "../../../freight/places/known-ports.ts";
import { portOf } from "../../../freight/places/ports.ts";
import { companionTimesAt } from "../timeline/companion-times.ts";
import { eventName } from "./event-name.ts";
import { knownAirline } from "../../../freight/references/awb-prefixes.ts";
import { awbOf, formatAwb, readAwb } from "../../../freight/references/awb.ts";

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
    attention: attentionIn(shipment.attention),
    last_failure: failureOf(shipment.failure, shipment.reference),
    refreshed_at: shipment.refreshedAt?.toISOString() ?? null,
    created_at: shipment.createdAt.toISOString(),
  };
}

/** Stored with commas between; a name that a newer version wrote is left out. */
function attentionIn(stored: string | null): Attention[] {
  const names = stored?.split(",") ?? [];
  return ATTENTION.filter((one) => names.includes(one));
}

const NO_VESSELS: VesselPositions = new Map();

export function shipmentDetail(
  shipment: DetailedShipment,
  nowMs: number,
  vessels = NO_VESSELS,
): ShipmentDetail {
  const record = shipment.record === null ? null : readRecord(shipment.record);
  // A requested poll is due since the distant past.
  const nextMs = shipment.nextPollAt === null ? null : Math.max(shipment.nextPollAt.getTime(), nowMs);
  return {
    ...shipmentView(shipment),
    ...(record === null ? NO_JOURNEY : journeyOf(record, vessels)),
    next_refresh_at: isoTime(nextMs),
    incomplete: record?.incomplete ?? false,
    boxes: record?.boxes.map((box) => boxView(box, vessels)) ?? [],
    events: record === null ? [] : mergedTimeline(record).map(eventView),
  };
}

const NO_JOURNEY: JourneyView = {
  awaiting_next_trip: false,
  vessel: null,
  voyage: null,
  origin: null,
  discharge: null,
  destination: null,
  transshipments: [],
  eta_is_actual: false,
  vessel_position: null,
  status_history: [],
  eta_history: [],
  free_time: null,
};

/** The journey of the least advanced box, and the free time that ends first. */
function journeyOf(record: ShipmentRecord, vessels: VesselPositions): JourneyView {
  const [free = null] = record.boxes
    .flatMap(({ freeTime }) => freeTime ?? [])
    .toSorted((one, other) => one.endsMs - other.endsMs);
  return { ...journeyView(leastAdvancedBox(record), vessels), free_time: freeTimeView(free) };
}

function boxView(box: BoxRecord, vessels: VesselPositions): BoxView {
  return {
    equipment_reference: box.equipment,
    status: box.status,
    eta: isoTime(box.eta?.at.ms ?? null),
    ...journeyView(box, vessels),
  };
}

function journeyView(box: BoxRecord, vessels: VesselPositions): JourneyView {
  return {
    awaiting_next_trip: isAwaitingNextTrip(box),
    vessel: box.vessel,
    voyage: box.voyage,
    origin: placeView(box.origin),
    discharge: placeView(box.discharge),
    destination: placeView(box.destination),
    transshipments: box.transshipments.flatMap((place) => placeView(place) ?? []),
    eta_is_actual: box.eta?.actual ?? false,
    vessel_position: isAtSea(box) ? vesselPositionView(imoOf(box), vessels, lastSailingMs(box)) : null,
    status_history: (box.statusHistory ?? []).map(({ status, atMs = null, seenMs }) => ({
      status,
      at: isoTime(atMs),
      seen_at: new Date(seenMs).toISOString(),
    })),
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
    rates:
      free.rates?.map(({ fromDay, centsUsd }) => ({ from_day: fromDay, usd_per_day: centsUsd / 100 })) ??
      null,
  };
}

function isAtSea({ status }: BoxRecord): boolean {
  return AT_SEA.has(status);
}

function lastSailingMs({ timeline }: BoxRecord): number | null {
  return timeline.findLast((event) => event.classifier === "actual" && isSailingCall(event))?.at.ms ?? null;
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

export function placeView(place: Place | null): PlaceView | null {
  if (place === null) return null;
  const { unlocode, name, facility } = place;
  const port = unlocode === null ? null : portOf(unlocode);
  const point = pointOf(place) ?? { latitude: null, longitude: null };
  return { unlocode, name: name ?? port?.name ?? null, facility, time_zone: zoneAt(place), ...point };
}

export function eventView(event: CarrierEvent): EventView {
  return {
    equipment_reference: event.equipment,
    kind: event.kind,
    code: event.code,
    name: eventName(event),
    classifier: event.classifier,
    ...companionTimesAt(event.at, event.place),
    place: placeView(event.place),
    mode: event.mode,
    vessel: event.vessel,
    voyage: event.voyage,
    laden: event.laden,
    document_type: event.documentType,
  };
}

type Failure = {
  /** Stable: `not_found`, `wrong_carrier`, `not_permitted`, `unavailable`. */
  readonly code: string;
  readonly message: string;
};

const SENTENCES: Readonly<Record<string, string>> = {
  not_found:
    "No carrier that was asked knows this reference yet. Check that it is written right; it is asked for again with growing waits, for two weeks.",
  wrong_carrier:
    "The carrier that you named does not know this reference, but another one does. Stop tracking it and start again without the carrier, or with the right one.",
  needs_container_id: lacking("container number", "container_id"),
  needs_bill_of_lading: lacking("bill of lading", "bill_of_lading"),
  needs_booking: lacking("booking", "booking"),
  not_permitted:
    "The carrier refused our credentials. The operator of this service has to correct them; you need do nothing.",
};

function lacking(noun: string, kind: string): string {
  return `A carrier can only be asked about this reference together with its ${noun}, which nobody has said; no other carrier that was asked knows it. Start tracking it again with other_references.${kind}, or track the ${noun}.`;
}

const NOT_ASKED_HERE: Failure = {
  code: "wrong_carrier",
  message:
    "This service does not poll the carrier that you named, and no carrier that it polls knows this reference. Stop tracking it and start again without the carrier, or with the right one. If the carrier is right, ask the operator of this service to add it.",
};

const UNAVAILABLE =
  "The carrier is unavailable. It is polled again with growing waits; until then, the last known state is shown.";

const UNAVAILABLE_PREFIX = "unavailable_";

/** `stored` is a code of the record: `not_found`, `wrong_carrier_not_asked`, `unavailable_timeout` … */
export function failureOf(stored: string | null, reference: string): Failure | null {
  if (stored === null) return null;
  if (stored === "not_found") return { code: stored, message: `${SENTENCES[stored]}${airHint(reference)}` };
  if (stored === "wrong_carrier_not_asked") return NOT_ASKED_HERE;
  // The exact reason is for the operator, in the log and the operator's list.
  if (stored.startsWith(UNAVAILABLE_PREFIX)) return { code: "unavailable", message: UNAVAILABLE };
  return { code: stored, message: SENTENCES[stored] ?? "The carrier had no answer. It is polled again." };
}

/** Some bills of lading have eleven digits too, so the hint follows only if no carrier knows the reference. */
function airHint(reference: string): string {
  const isAwb = /^[0-9]{11}$/.test(reference) && readAwb(reference).kind === "awb";
  const airline = isAwb ? knownAirline(awbOf(reference).prefix) : null;
  if (airline === null) return "";
  return ` If it is the air waybill ${formatAwb(reference)} of ${airline.name}, ask for that at /air/track/${reference}.`;
}
