/** Answers that know only other trips of the box: they do not concern the shipment, and its record stays. */
import { placeKey, samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { END_VALUES } from "../status/status-groups.ts";
import type { ContainerStatus } from "../event-data.ts";
import { isArrivalCall, isSameVessel, isVesselCall } from "../timeline/calls.ts";
import { inOrder } from "../timeline/order.ts";
import { restates, type Timeline } from "../timeline/timeline.ts";
import { cargoDocumentsOf, isOtherCargo, sharesDocument } from "../timeline/transport-documents.ts";
import { currentTrip } from "../timeline/trip.ts";
import { isAwaitingNextTrip, lastMoveMs, namesDocument } from "./box-trip.ts";
import type { BoxRecord } from "./shipment-record.ts";

/**
 * `own` is all that the answer states of the box, `timeline` what it states of the trip. Some carriers drop a trip once
 * it is over or the next one is booked. Nor does an answer without any move concern a box that awaits its next trip.
 */
export function isWithoutTrip(
  previous: BoxRecord,
  own: readonly CarrierEvent[],
  timeline: Timeline,
  reference = "",
): boolean {
  if (isAwaitingNextTrip(previous) && lastMoveMs(timeline) === null) return true;
  if (isOfOtherBooking(previous, own, reference)) return true;
  if (!END_VALUES.includes(previous.status)) return isNextTrip(previous, own);
  const firstMs = (movesOf(timeline)[0] ?? timeline[0])?.at.ms;
  const endMs = lastMoveMs(previous.timeline);
  return firstMs !== undefined && endMs !== null && firstMs > endMs;
}

/**
 * The answer names only other bookings, and repeats none of the known moves. Before it sails, a box is re-booked with
 * its cargo, unless the answer ends before the known trip begins; at sea, a booking is renewed where the box changes
 * vessels or lands.
 */
function isOfOtherBooking(previous: BoxRecord, own: readonly CarrierEvent[], reference: string): boolean {
  const known = previous.timeline.filter(isActual);
  if (!isOtherCargo(cargoDocumentsOf(known), cargoDocumentsOf(own))) return false;
  if (reference !== "" && own.some((event) => namesDocument(event, reference))) return false;
  if (own.some((event) => known.some((one) => restates(event, one)))) return false;
  const isLoaded = known.some((event) => isVesselCall(event, "LOAD"));
  if (isLoaded || !BEFORE_SAILING.includes(previous.status)) {
    const [first] = inOrder(own.filter(({ kind }) => kind !== "shipment"));
    return first === undefined || !carriesOn(first, previous);
  }
  const [lastMs, firstMs] = [lastMoveMs(own), movesOf(known)[0]?.at.ms];
  return lastMs !== null && firstMs !== undefined && lastMs < firstMs;
}

const BEFORE_SAILING: readonly ContainerStatus[] = ["unknown", "pre_departure", "cancelled"];

/** With the known voyage: its vessel arrives, or the box goes on from where it is, or is to change vessels. */
function carriesOn(first: CarrierEvent, { vessel, discharge, transshipments, timeline }: BoxRecord): boolean {
  if (first.laden === false || first.code === "STUF") return false;
  if (transshipments.some((place) => samePlace(place, first.place))) return true;
  const load = timeline.findLast(
    (event) => event.classifier === "actual" && isVesselCall(event, "LOAD", "DEPA"),
  );
  const isAtQuay = timeline.findLast(isActual)?.place ?? null;
  if (load?.code === "LOAD" && samePlace(isAtQuay, load.place) && samePlace(load.place, first.place))
    return true;
  if (!isArrivalCall(first)) return false;
  const byVessel = vessel !== null && first.vessel !== null && isSameVessel(vessel, first.vessel);
  return byVessel || (placeKey(discharge) !== null && samePlace(discharge, first.place));
}

/** All moves of the answer belong to a trip that begins after the known moves, and no document speaks against it. */
function isNextTrip({ timeline, anchorMs, announced }: BoxRecord, own: readonly CarrierEvent[]): boolean {
  const known = timeline.filter(isActual);
  const cargo = cargoDocumentsOf(known);
  const moves = movesOf(own);
  if (anchorMs === null || moves.length === 0 || own.some((event) => sharesDocument(event, cargo)))
    return false;
  if (moves.some((move) => known.some((one) => restates(move, one)))) return false;
  const { events } = currentTrip([...known, ...own], anchorMs, announced?.port);
  return !moves.some((move) => events.includes(move) && move.laden !== false);
}

function isActual({ classifier, kind }: CarrierEvent): boolean {
  return classifier === "actual" && kind !== "shipment";
}

function movesOf(events: readonly CarrierEvent[]): readonly CarrierEvent[] {
  return events.filter(({ classifier, kind }) => classifier === "actual" && kind === "equipment");
}
