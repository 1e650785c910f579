/** What a reading comes to for a box: its ship, its places and its ETA, as they are stored and shown. */
import { isArrivalCall, isSailingCall, isSameVessel } from "./calls.ts";
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { plannedFinalArrival } from "./route.ts";
import type { BoxRecord, Eta, Misrouting } from "../record/shipment-record.ts";
import type { StatusReading } from "../status/status.ts";

export function etaOf({ arrival }: StatusReading): Eta | null {
  if (arrival === null) return null;
  const { at, classifier, place, mode } = arrival;
  return { at, actual: classifier === "actual", place, inland: mode !== "vessel" };
}

/** Until the box is loaded, the ship that is planned to take it from its origin. */
export function vesselAndVoyageOf({ journey, route }: StatusReading): Pick<BoxRecord, "vessel" | "voyage"> {
  if (journey.position !== "origin" || journey.loaded)
    return { vessel: journey.vessel, voyage: journey.voyage };
  const calls = route.timeline.filter((event) => isArrivalCall(event) || isSailingCall(event));
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

/** The ship's own coming to the first port, where she takes the box. */
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
  // A plan that an answer leaves out, or that is overdue, may still come true.
  const planned = landing === null ? route.announced.port : null;
  const discharge = landing?.mode === "vessel" ? landing.place : planned;
  const first = moves.find((event) => event.laden !== false) ?? moves[0];
  const inland = route.inland.kind === "known" ? route.inland.place : null;
  return {
    origin: first?.place ?? null,
    discharge,
    destination: inland ?? misrouting?.expected ?? discharge,
  };
}
