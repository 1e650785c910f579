/** What a reading comes to for a box: its ship, its places and its ETA, as they are stored and shown. */
import { isLanding, isSailing, isSameVessel } from "./calls.ts";
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { plannedLanding } from "./route.ts";
import type { BoxRecord, Eta, Misrouting } from "../record/shipment-record.ts";
import type { Reading } from "../status/status.ts";

export function etaOf({ arrival }: Reading): Eta | null {
  if (arrival === null) return null;
  const { at, classifier, place, mode } = arrival;
  return { at, actual: classifier === "actual", place, inland: mode !== "vessel" };
}

/** Until the box is loaded, the ship that is planned to take it from its origin. */
export function shipOf({ voyage, route }: Reading): Pick<BoxRecord, "vessel" | "voyage"> {
  if (voyage.where !== "origin" || voyage.loaded) return { vessel: voyage.vessel, voyage: voyage.voyage };
  const calls = route.timeline.filter((event) => isLanding(event) || isSailing(event));
  // Plans of two legs overlap while the carrier has moved only one of them.
  const isBroughtTo = (sailing: CarrierEvent): boolean =>
    calls.some(
      (other) =>
        isLanding(other) && samePlace(other.place, sailing.place) && !isComingOf(other, sailing, calls[0]),
    );
  const sailing = calls.find((event) => isSailing(event) && !isBroughtTo(event));
  return { vessel: sailing?.vessel ?? null, voyage: sailing?.voyage ?? null };
}

/** The ship's own coming to the first port, where she takes the box. */
function isComingOf(arrival: CarrierEvent, sailing: CarrierEvent, first: CarrierEvent | undefined): boolean {
  if (arrival.code !== "ARRI" || arrival.vessel === null || sailing.vessel === null) return false;
  return arrival === first && isSameVessel(arrival.vessel, sailing.vessel);
}

export function placesOf(
  { voyage, route, arrival }: Reading,
  misrouting: Misrouting | null,
): Pick<BoxRecord, "origin" | "discharge" | "destination"> {
  const moves = route.timeline.filter((event) => event.kind !== "shipment" && event.place !== null);
  const landing = voyage.landing ?? plannedLanding(route) ?? (arrival?.mode === "vessel" ? arrival : null);
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
