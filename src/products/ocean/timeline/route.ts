/**
 * Where the box is going, read from a timeline. Carriers leave plans in their answers after things have gone
 * otherwise: a plan is active only while no actual event is later.
 */
import {
  IN_PORT_MS_MAX,
  isArrivalCall,
  isSailingCall,
  isSameVessel,
  isVesselCall,
  vesselOfCall,
} from "./calls.ts";
import {
  isKnownToDiffer,
  isOffBerth,
  placeKey,
  samePlace,
  type CarrierEvent,
  type Place,
  type Vessel,
} from "../sources/carrier-event.ts";
import { inlandDestination, type InlandDestination } from "./inland.ts";
import { inSameHarbour } from "./distance.ts";
import { eventsAfter } from "./order.ts";
import type { Timeline } from "./timeline.ts";
import { isOtherVoyage } from "./vessel-names.ts";

export type Route = {
  readonly timeline: Timeline;
  /** Plans and estimates of the laden box later than every actual event. */
  readonly activePlans: readonly CarrierEvent[];
  /** The other ones: left over, or not yet moved by the carrier. */
  readonly stalePlans: readonly CarrierEvent[];
  readonly announced: Announced;
  readonly inland: InlandDestination;
  readonly nowMs: number;
};

/**
 * Where the carrier's plan ended, at sea and over land. It is kept in the record because carriers remove a
 * plan from their answers once it has come true.
 */
export type Announced = {
  readonly port: Place | null;
  readonly inland: Place | null;
  /** Absent from older records. */
  readonly voyage?: AnnouncedVoyage;
  /** Keys of the ports where the box was discharged as announced, or for good, whatever is planned since; absent: none. */
  readonly landed?: readonly string[];
};

/** How the box was to come to the announced port. */
export type AnnouncedVoyage = {
  /** That was to bring it there. */
  readonly vessel: Vessel | null;
  /** Keys of all ports of the plan. */
  readonly ports: readonly string[];
  /** No change of vessels was planned before the port. */
  readonly direct: boolean;
};

export const NOTHING_ANNOUNCED: Announced = { port: null, inland: null };

export function routeOf(stated: Timeline, announced: Announced, nowMs: number): Route {
  const timeline = stated.filter((event) => !isNextCallWithoutBox(event, stated, announced));
  const moved = (event: CarrierEvent): boolean => event.classifier === "actual" && event.kind !== "shipment";
  const last = timeline.findLastIndex((event) => moved(event) && !isOffBerth(event));
  const anchored = timeline.findLastIndex(moved);
  // A vessel at anchor has yet to make its planned call at the port, and has left every other.
  const isActive = (plan: CarrierEvent, index: number): boolean =>
    index > anchored || (index > last && samePlace(plan.place, timeline[anchored]?.place ?? null));
  const plans = timeline.filter(isPlan);
  return {
    timeline,
    activePlans: timeline.filter((event, index) => isPlan(event) && isActive(event, index)),
    stalePlans: timeline.filter((event, index) => isPlan(event) && !isActive(event, index)),
    announced,
    inland: inlandDestination(timeline, plans, announced.inland),
    nowMs,
  };
}

export function isPlan(event: CarrierEvent): boolean {
  return event.classifier !== "actual" && event.kind !== "shipment" && event.laden !== false;
}

/**
 * Whether a planned call is that of the vessel that has discharged the box where that was announced to land: no
 * discharge of the box is planned there, and no loading. Where the vessel is to sail on from the call, too, nothing
 * need have been announced; an arrival alone may be the plan of a box that was misrouted.
 */
export function isNextCallWithoutBox(call: CarrierEvent, timeline: Timeline, announced: Announced): boolean {
  if (!isPlan(call) || call.vessel === null || !isVesselCall(call, "ARRI", "DEPA")) return false;
  const discharge = timeline.findLast(
    (event) => event.classifier === "actual" && isVesselCall(event, "DISC") && event.at.ms < call.at.ms,
  );
  if (discharge === undefined || discharge.movement === "transshipment") return false;
  if (samePlace(call.place, discharge.place) || samePlace(call.place, announced.port)) return false;
  const sailsOn = timeline.some(
    (event) => isPlan(event) && isVesselCall(event, "DEPA") && samePlace(event.place, call.place),
  );
  if (announced.port === null ? !sailsOn : !mayBeAt(discharge.place, announced.port)) return false;
  const brought = vesselOfCall(discharge, timeline);
  if (brought === null || !isSameVessel(brought, call.vessel)) return false;
  // The vessel comes back for the box.
  const isLate = call.at.ms - discharge.at.ms > IN_PORT_MS_MAX;
  if (isLate && isOtherVoyage(call.voyage, discharge.voyage)) return false;
  return !eventsAfter(timeline, discharge).some(
    (event) =>
      isVesselCall(event, "LOAD") ||
      (isVesselCall(event, "DISC") && samePlace(event.place, call.place)) ||
      // The vessel comes back for it.
      (isVesselCall(event, "DEPA") &&
        samePlace(event.place, discharge.place) &&
        event.at.ms - discharge.at.ms > IN_PORT_MS_MAX),
  );
}

/** As announced, or written in another form. */
function mayBeAt(place: Place | null, port: Place): boolean {
  return inSameHarbour(place, port) || !isKnownToDiffer(place, port);
}

/**
 * The planned arrival that ends the sea voyage: the last one of a vessel with no planned sailing of the box
 * after it or from there. Null if the plan ends with a sailing whose arrival is unknown.
 */
export function plannedFinalArrival(route: Route): CarrierEvent | null {
  return finalArrival(route.activePlans, route.timeline);
}

/** The same for any `plans`. */
export function finalArrival(plans: readonly CarrierEvent[], timeline: Timeline): CarrierEvent | null {
  const sailings = plannedSailings(plans, timeline);
  const lastSailing = sailings.at(-1);
  // Plans of two legs overlap while the carrier has moved only one of them.
  const after = (lastSailing === undefined ? plans : eventsAfter(plans, lastSailing)).filter(
    (event) => isArrivalCall(event) && !sailings.some(({ place }) => samePlace(place, event.place)),
  );
  const last = after.at(-1);
  if (last === undefined) return null;
  // The vessel's arrival is the ETA; without one the discharge, hours later, stands in.
  return after.find((event) => event.code === "ARRI" && samePlace(event.place, last.place)) ?? last;
}

/** Of a plan that ends with `arrival`. */
export function announcedVoyage(
  arrival: CarrierEvent,
  plans: readonly CarrierEvent[],
  timeline: Timeline,
): AnnouncedVoyage {
  const sailings = plannedSailings(plans, timeline);
  const sailed = timeline.filter((event) => event.classifier === "actual" && isSailingCall(event));
  const origin = timeline.find(isSailingCall)?.place ?? null;
  const calls = plans.filter((event) => isArrivalCall(event) || isSailingCall(event));
  return {
    vessel: arrival.vessel ?? sailings.at(-1)?.vessel ?? null,
    ports: [...new Set(calls.flatMap(({ place }) => placeKey(place) ?? []))],
    direct: sailings.every(({ place }) =>
      [origin, ...sailed.map((event) => event.place)].some((from) => samePlace(from, place)),
    ),
  };
}

/** Ports of one trip. */
const LANDED_MAX = 100;

/** Of the plan announced now, and of those before it. */
export function landedAsAnnounced(
  now: Announced,
  before: Announced,
  timeline: Timeline,
): Pick<Announced, "landed"> {
  const announced = [now, before].flatMap(({ port, voyage }) => [placeKey(port), ...(voyage?.ports ?? [])]);
  const landed = timeline
    .filter((event) => event.classifier === "actual" && isVesselCall(event, "DISC"))
    .flatMap(({ place }) => placeKey(place) ?? [])
    .filter((key) => announced.includes(key));
  const all = [...new Set([...(before.landed ?? []), ...landed])].slice(-LANDED_MAX);
  return all.length === 0 ? {} : { landed: all };
}

/** The voyage has ended there, as far as anybody says. */
export function withLanding(announced: Announced, end: Place | null): Announced {
  const { landed = [] } = announced;
  const key = placeKey(end);
  return key === null || landed.includes(key) ? announced : { ...announced, landed: [...landed, key] };
}

/** The box is not on its last leg: a sailing is still planned. */
export function awaitsSailing(route: Route): boolean {
  return plannedSailings(route.activePlans, route.timeline).length > 0;
}

function plannedSailings(plans: readonly CarrierEvent[], timeline: Timeline): readonly CarrierEvent[] {
  return plans.filter((event) => isSailingCall(event) && !isVesselsOnwardDeparture(event, plans, timeline));
}

/**
 * Whether a planned departure is no sailing leg of the box but its vessel's onward departure: from a call
 * where the box stays aboard, or from the port of its discharge. That is so if the same vessel brings the box
 * there and no loading is planned; for unnamed vessels, if no arrival follows.
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
  if (eventsAfter(timeline, arrival).some((event) => isVesselCall(event, "LOAD") && here(event)))
    return false;
  const brought = vesselOfCall(arrival, timeline);
  if (brought !== null && departure.vessel !== null) return isSameVessel(brought, departure.vessel);
  return !eventsAfter(timeline, departure).some(isArrivalCall);
}

/** Where the box changes vessels, in the order of the route: `done`, then planned. */
export function transshipmentsOf(route: Route, done: readonly Place[]): readonly Place[] {
  const firstSailing = route.timeline.find(isSailingCall);
  const planned = plannedSailings(route.activePlans, route.timeline)
    .flatMap((event) => event.place ?? [])
    .filter((place) => !samePlace(place, firstSailing?.place ?? null));
  return distinctPlaces([...done, ...planned]);
}

export function distinctPlaces(places: readonly Place[]): readonly Place[] {
  return places.filter((place, index) => places.findIndex((other) => samePlace(other, place)) === index);
}
