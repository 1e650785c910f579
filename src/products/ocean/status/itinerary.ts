/** The ETA, vessel and places of a box, from its status reading. */
import { isArrivalCall, isSailingCall, isSameVessel } from "../timeline/calls.ts";
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { plannedFinalArrival } from "../timeline/route.ts";
import type { BoxRecord, Eta, Misrouting } from "../record/shipment-record.ts";
import type { StatusReading } from "./status.ts";

export function etaOf({ arrival }: StatusReading): Eta | null {
  if (arrival === null) return null;
  const { at, classifier, place, mode } = arrival;
  return { at, actual: classifier === "actual", place, inland: mode !== "vessel" };
}

/** Until the box is loaded, the vessel planned from its origin. */
export function vesselAndVoyageOf({ journey, route }: StatusReading): Pick<BoxRecord, "vessel" | "voyage"> {
  if (journey.position !== "origin" || journey.loaded)
    return { vessel: journey.vessel, voyage: journey.voyage };
  // Vessels that have loaded or left there took the box nowhere; it may have been taken off again.
  const calls = route.timeline.filter(
    (event) =>
      (isArrivalCall(event) && !(event.code === "DISC" && samePlace(event.place, journey.place))) ||
      (isSailingCall(event) && event.classifier !== "actual"),
  );
  // Plans of two legs overlap while the carrier has moved only one of them.
  const isBroughtTo = (sailing: CarrierEvent): boolean =>
    calls.some(
      (other) =>
        isArrivalCall(other) &&
        samePlace(other.place, sailing.place) &&
        !isArrivalBeforeSailing(other, sailing, calls[0]),
    );
  const sailing = calls.find((event) => isSailingCall(event) && !isBroughtTo(event));
  return { vessel: sailing?.vessel ?? null, voyage: sailing?.voyage ?? null };
}

/** The arrival of the vessel at the first port, before it loads the box. */
function isArrivalBeforeSailing(
  arrival: CarrierEvent,
  sailing: CarrierEvent,
  first: CarrierEvent | undefined,
): boolean {
  if (arrival.code !== "ARRI" || arrival.vessel === null || sailing.vessel === null) return false;
  return arrival === first && isSameVessel(arrival.vessel, sailing.vessel);
}

export function placesOf(
  { journey, route, arrival }: StatusReading,
  misrouting: Misrouting | null,
): Pick<BoxRecord, "origin" | "discharge" | "destination"> {
  const moves = route.timeline.filter((event) => event.kind !== "shipment" && event.place !== null);
  const landing =
    journey.finalDischarge ?? plannedFinalArrival(route) ?? (arrival?.mode === "vessel" ? arrival : null);
  // A plan that is overdue, or left out of an answer, may still come true.
  const planned = landing === null ? route.announced.port : null;
  const discharge = landing?.mode === "vessel" ? landing.place : planned;
  const first = moves.find((event) => event.laden !== false) ?? moves[0];
  const inland = route.inland.kind === "known" ? route.inland.place : null;
  return {
    origin: first === undefined || isOnlyReached(first, moves) ? null : first.place,
    discharge,
    destination: inland ?? misrouting?.expected ?? discharge,
  };
}

/** A vessel brings the box here, and nobody tells where from: here is no origin, unless the box also leaves from here. */
function isOnlyReached({ code, mode, place }: CarrierEvent, moves: readonly CarrierEvent[]): boolean {
  if (mode !== "vessel" || (code !== "ARRI" && code !== "DISC")) return false;
  return !moves.some(
    (move) => (move.code === "LOAD" || move.code === "DEPA") && samePlace(move.place, place),
  );
}
