/** Where a map shows a shipment: its least advanced box, at a place or on the way from one to the next. */
import { portsAt } from "../../../freight/places/known-ports.ts";
import { placeKey, type CarrierEvent, type Place, type Vessel } from "../sources/carrier-event.ts";
import { END_VALUES } from "../status/status-groups.ts";
import { isArrivalCall, isSailingCall } from "../timeline/calls.ts";
import { eventsAfter } from "../timeline/order.ts";
import { leastAdvancedBox } from "./record.ts";
import type { BoxRecord, ShipmentRecord } from "./shipment-record.ts";

export type MapStop = {
  readonly unlocode: string | null;
  readonly name: string | null;
  /** Degrees north, and east. */
  readonly latitude: number;
  readonly longitude: number;
  /** When the vessel left it or is due there; null: the box lies there, or nobody says. */
  readonly atMs: number | null;
};

/** Stored as JSON, and grouped by its text: what the boxes of one voyage or place have in common. */
export type MapPosition = {
  readonly vessel: Vessel | null;
  readonly from: MapStop;
  readonly to: MapStop | null;
};

/** Null: it has ended, or nothing tells where it is. */
export function mapPositionOf(record: ShipmentRecord): MapPosition | null {
  const box = leastAdvancedBox(record);
  if (box.status === "cancelled" || END_VALUES.includes(box.status)) return null;
  const last = box.timeline.findLast(
    ({ classifier, kind, place }) => classifier === "actual" && kind !== "shipment" && place !== null,
  );
  if (last === undefined) return stayingAt(box.origin);
  return last.code === "DEPA" && isSailingCall(last) ? sailingFrom(last, box) : stayingAt(last.place);
}

function stayingAt(place: Place | null): MapPosition | null {
  const from = stopOf(place, null);
  return from === null ? null : { vessel: null, from, to: null };
}

function sailingFrom(left: CarrierEvent, { timeline, vessel }: BoxRecord): MapPosition | null {
  const from = stopOf(left.place, left.at.ms);
  const next = eventsAfter(timeline, left).find(
    (event) => isArrivalCall(event) && event.classifier !== "actual" && event.place !== null,
  );
  const to = next === undefined ? null : stopOf(next.place, next.at.ms);
  return from === null ? null : { vessel: left.vessel ?? vessel, from, to };
}

function stopOf(place: Place | null, atMs: number | null): MapStop | null {
  const point = pointOf(place);
  if (place === null || point === null) return null;
  const { unlocode } = place;
  return { unlocode, name: place.name ?? portsAt(place)[0]?.name ?? placeKey(place), ...point, atMs };
}

/** As the carrier gives it, else the port's of the table, to a hundredth of a degree; null: unknown. */
export function pointOf(
  place: Place | null,
): { readonly latitude: number; readonly longitude: number } | null {
  if (place === null) return null;
  const point = place.position ?? portsAt(place)[0];
  if (point === undefined) return null;
  const { latitude, longitude } = point;
  if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180)) return null;
  return { latitude: rounded(latitude), longitude: rounded(longitude) };
}

function isDegrees(value: number, max: number): boolean {
  return Number.isFinite(value) && Math.abs(value) <= max;
}

function rounded(degrees: number): number {
  return Math.round(degrees * 100) / 100;
}
