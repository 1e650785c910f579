/**
 * Where the box is going, read from a timeline. Plans are the carrier's words about the future, and
 * stay in its answers after the future went otherwise: a plan is believed only while nothing that
 * happened is later than it.
 */
import { isArrivalCall, isSailingCall, isSameVessel, isVesselCall, vesselOfCall } from "./calls.ts";
import { isOffBerth, samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { inlandDestination, type InlandDestination } from "./inland.ts";
import type { Announced } from "../record/shipment-record.ts";
import type { Timeline } from "./timeline.ts";

export type Route = {
  readonly timeline: Timeline;
  /** Plans and estimates of the laden box that nothing has overtaken. */
  readonly activePlans: readonly CarrierEvent[];
  /** Plans and estimates that something later has overtaken: left over, or not yet moved by the carrier. */
  readonly stalePlans: readonly CarrierEvent[];
  /** What earlier answers announced and this one need not repeat, since it has come true. */
  readonly announced: Announced;
  readonly inland: InlandDestination;
  readonly nowMs: number;
};

export function routeOf(timeline: Timeline, announced: Announced, nowMs: number): Route {
  // A ship at anchor has overtaken no plan of its call at the port.
  const lastActualMs = timeline
    .filter((event) => event.classifier === "actual" && event.kind !== "shipment" && !isOffBerth(event))
    .reduce((latest, event) => Math.max(latest, event.at.ms), Number.NEGATIVE_INFINITY);
  const plans = timeline.filter(isPlan);
  return {
    timeline,
    activePlans: plans.filter((event) => event.at.ms >= lastActualMs),
    stalePlans: plans.filter((event) => event.at.ms < lastActualMs),
    announced,
    inland: inlandDestination(timeline, plans, announced.inland),
    nowMs,
  };
}

/** A plan or an estimate of the laden box. */
export function isPlan(event: CarrierEvent): boolean {
  return event.classifier !== "actual" && event.kind !== "shipment" && event.laden !== false;
}

/**
 * The arrival that ends the sea voyage, as far as the plan tells: the last planned arrival of a vessel
 * with no planned sailing of the box after it, nor from there. Null when the plan ends with a sailing
 * whose arrival is not known.
 */
export function plannedFinalArrival(route: Route): CarrierEvent | null {
  return finalArrival(route.activePlans, route.timeline);
}

/** The same of any plans; `timeline` is all that is known beside them. */
export function finalArrival(plans: readonly CarrierEvent[], timeline: Timeline): CarrierEvent | null {
  const sailings = plans.filter(
    (event) => isSailingCall(event) && !isVesselsOnwardDeparture(event, plans, timeline),
  );
  const lastSailingMs = sailings.at(-1)?.at.ms ?? Number.NEGATIVE_INFINITY;
  // Plans of two legs overlap while the carrier has moved only one of them.
  const after = plans.filter(
    (event) =>
      isArrivalCall(event) &&
      event.at.ms >= lastSailingMs &&
      !sailings.some(({ place }) => samePlace(place, event.place)),
  );
  const last = after.at(-1);
  if (last === undefined) return null;
  // The ship's arrival is the ETA; the discharge, hours later, stands in where the ship is not mentioned.
  return after.find((event) => event.code === "ARRI" && samePlace(event.place, last.place)) ?? last;
}

/** A planned sailing of the box that is still believed: it is not on its last leg. */
export function awaitsSailing(route: Route): boolean {
  return route.activePlans.some(
    (event) => isSailingCall(event) && !isVesselsOnwardDeparture(event, route.activePlans, route.timeline),
  );
}

/**
 * Whether a planned departure is no sailing leg of the box but its ship's own way on: from a call where
 * it stays aboard, or from the port where it has left the ship. It is when the same vessel brings the box
 * there and nothing is planned to be loaded; of vessels that are not named, when nothing follows.
 */
function isVesselsOnwardDeparture(
  departure: CarrierEvent,
  plans: readonly CarrierEvent[],
  timeline: Timeline,
): boolean {
  if (departure.code !== "DEPA") return false;
  const here = (event: CarrierEvent): boolean => samePlace(event.place, departure.place);
  if (plans.some((event) => isVesselCall(event, "LOAD") && here(event))) return false;
  const arrival = timeline.findLast(
    (event) => isArrivalCall(event) && here(event) && event.at.ms <= departure.at.ms,
  );
  if (arrival === undefined) return false;
  if (timeline.some((event) => isVesselCall(event, "LOAD") && here(event) && event.at.ms > arrival.at.ms)) {
    return false;
  }
  const brought = vesselOfCall(arrival, timeline);
  if (brought !== null && departure.vessel !== null) return isSameVessel(brought, departure.vessel);
  return !timeline.some((event) => isArrivalCall(event) && event.at.ms > departure.at.ms);
}

/** Where the box changes ships, as planned now, in the order of the route; `done` are the places of changes made. */
export function transshipmentsOf(route: Route, done: readonly Place[]): readonly Place[] {
  const firstSailing = route.timeline.find(isSailingCall);
  const planned = route.activePlans
    .filter(
      (event) => isSailingCall(event) && !isVesselsOnwardDeparture(event, route.activePlans, route.timeline),
    )
    .flatMap((event) => event.place ?? [])
    .filter((place) => !samePlace(place, firstSailing?.place ?? null));
  return [...done, ...planned].filter(
    (place, index, all) => all.findIndex((other) => samePlace(other, place)) === index,
  );
}
