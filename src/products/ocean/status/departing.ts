/** Whether a vessel that leaves the port where the box waits has the box aboard. */
import {
  IN_PORT_MS_MAX,
  isArrivalCall,
  isNotOtherVessel,
  isSameVessel,
  isVesselCall,
  OTHER_SAILING_MS_MIN,
  vesselOfCall,
} from "../timeline/calls.ts";
import { isOffBerth, samePlace, type CarrierEvent, type Vessel } from "../sources/carrier-event.ts";
import { isFetching } from "../timeline/trip-start.ts";
import { isOtherVoyage } from "../timeline/vessel-names.ts";
import type { Route } from "../timeline/route.ts";
import type { Journey } from "./position.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/**
 * Not if the box is loaded there on another vessel, or taken off again, or if its plan has it wait for a later sailing.
 * A vessel that discharged the box takes it on only if the box is to be loaded on it again, or on its next voyage
 * (spec 6.3: vessel_departed).
 */
export function departsWithBox(before: Journey, event: CarrierEvent, route: Route): boolean {
  if (isLoadedAfterwards(event, route)) return false;
  if (!before.loaded && comesInAfterwards(event, route)) return false;
  if (before.loaded) return !isLoadedOnOther(before, event, route);
  if (isLeftOnQuay(before, event, route)) return false;
  const atOrigin = before.position === "origin";
  if (!atOrigin && (before.vessel === null || event.vessel === null)) return false;
  const off = dischargeBy(event, route);
  const isOff = off !== null || (!atOrigin && isSameVessel(before.vessel as Vessel, event.vessel as Vessel));
  if (isOff && !isLoadedAgain(event, off, route) && !isNextVesselVoyage(before, event, off, route))
    return false;
  return !awaitsLaterSailing(event, route) && !isLeftForNext(event, route);
}

/** The carrier states loadings, as that of the leg before, and none here: unless the box is next reported elsewhere, it is not aboard. */
function isLeftOnQuay({ position }: Journey, departure: CarrierEvent, { timeline }: Route): boolean {
  if (position !== "transshipment") return false;
  const moves = timeline.filter(({ kind, classifier }) => kind === "equipment" && classifier === "actual");
  const isElsewhereSince = (event: CarrierEvent): boolean =>
    event.at.ms > departure.at.ms && event.place !== null && !samePlace(event.place, departure.place);
  return (
    moves.some((event) => isVesselCall(event, "LOAD") && event.at.ms < departure.at.ms) &&
    !moves.some(isElsewhereSince)
  );
}

/** The vessel has left the place where the box waits, and without the box: it brings the box nowhere. */
export function cameWithoutBox({ place, loaded }: Journey, arrival: CarrierEvent, route: Route): boolean {
  const { vessel } = arrival;
  if (loaded || vessel === null) return false;
  const isIts = (event: CarrierEvent): boolean =>
    event.classifier === "actual" && samePlace(event.place, place) && event.at.ms < arrival.at.ms;
  const left = route.timeline.some(
    (event) =>
      isVesselCall(event, "DEPA") && isIts(event) && event.vessel && isSameVessel(event.vessel, vessel),
  );
  const moves = route.timeline.filter((event) => isVesselCall(event, "LOAD", "DISC") && isIts(event));
  const isTakenOff = moves.at(-1)?.code === "DISC" && moves.at(-2)?.code === "LOAD";
  return left || (isTakenOff && isNotOtherVessel(moves.at(-1)!, arrival));
}

function movesHere(event: CarrierEvent, { timeline }: Route, code: string): readonly CarrierEvent[] {
  return timeline.filter((other) => isVesselCall(other, code) && samePlace(other.place, event.place));
}

/** Only later, and for another sailing: the box had not sailed. */
function isLoadedAfterwards(departure: CarrierEvent, route: Route): boolean {
  const load = movesHere(departure, route, "LOAD").find(
    (other) => other.classifier === "actual" && other.at.ms > departure.at.ms,
  );
  if (load === undefined || !isOfLaterSailing(load, departure)) return false;
  return load.at.ms <= elsewhereAfterMs(departure, route);
}

/** Of several departures without a loading, the last one is the box's, or that of the vessel that brings it on. */
function isLeftForNext(departure: CarrierEvent, route: Route): boolean {
  const arrival = route.timeline.find(
    (other) =>
      isArrivalCall(other) &&
      other.vessel !== null &&
      other.at.ms > departure.at.ms &&
      !samePlace(other.place, departure.place),
  );
  const brings = arrival !== undefined && isNotOtherVessel(arrival, departure) ? arrival : null;
  const elsewhereMs = elsewhereAfterMs(departure, route);
  const discharges = movesHere(departure, route, "DISC");
  return movesHere(departure, route, "DEPA").some(
    (other) =>
      other.classifier === "actual" &&
      other.at.ms > departure.at.ms &&
      other.at.ms <= elsewhereMs &&
      (brings === null || isNotOtherVessel(brings, other)) &&
      !isOffBerth(other) &&
      isOfLaterSailing(other, departure) &&
      !discharges.some((discharge) => isFromCallOf(discharge, other, route)),
  );
}

/** The vessel leaves from the call at which it discharged the box. */
function isFromCallOf(discharge: CarrierEvent, departure: CarrierEvent, route: Route): boolean {
  return (
    departure.at.ms - discharge.at.ms <= IN_PORT_MS_MAX && isDischargeBefore(discharge, departure, route)
  );
}

/** When the box, or its vessel, is next reported at another place; infinite: never. */
function elsewhereAfterMs(since: CarrierEvent, { timeline }: Route): number {
  const next = timeline.find(
    (other) =>
      other.classifier === "actual" &&
      isVesselCall(other, "ARRI", "DISC", "LOAD", "DEPA") &&
      other.at.ms > since.at.ms &&
      !samePlace(other.place, since.place),
  );
  return next?.at.ms ?? Number.POSITIVE_INFINITY;
}

/** A day covers dates without times and slow clocks. */
const LATE_MS_MIN = DAY_MS;

/** The box, which nobody loaded, was fetched, filled or brought to the port long after the vessel had left. */
function comesInAfterwards(departure: CarrierEvent, { timeline }: Route): boolean {
  const later = timeline.filter(
    (event) =>
      event.classifier === "actual" &&
      event.kind !== "shipment" &&
      event.at.ms > departure.at.ms &&
      !(isVesselCall(event, "DEPA") && samePlace(event.place, departure.place)),
  );
  const isForLoading = (event: CarrierEvent): boolean =>
    isFetching(event) && (event.code !== "GTIN" || samePlace(event.place, departure.place));
  const voyage = later.findIndex((event) => !isForLoading(event));
  const moves = voyage < 0 ? later : later.slice(0, voyage);
  return moves.some(({ at }) => at.ms - departure.at.ms > LATE_MS_MIN);
}

/** Names alone may be two spellings: then the vessel of the loading must have a departure of its own. */
function isLoadedOnOther({ vessel }: Journey, event: CarrierEvent, route: Route): boolean {
  if (vessel === null || event.vessel === null || isSameVessel(vessel, event.vessel)) return false;
  if (vessel.imo !== null && event.vessel.imo !== null) return true;
  return movesHere(event, route, "DEPA").some(
    (other) => other.vessel !== null && isSameVessel(other.vessel, vessel),
  );
}

/** The last discharge there by the vessel, or by an unknown one that may be it. */
function dischargeBy(departure: CarrierEvent, route: Route): CarrierEvent | null {
  const by = movesHere(departure, route, "DISC").findLast((discharge) =>
    isDischargeBefore(discharge, departure, route),
  );
  return by ?? null;
}

function isDischargeBefore(discharge: CarrierEvent, departure: CarrierEvent, route: Route): boolean {
  if (discharge.classifier !== "actual" || discharge.at.ms > departure.at.ms) return false;
  const vessel = vesselOfCall(discharge, route.timeline);
  return vessel === null || departure.vessel === null || isSameVessel(vessel, departure.vessel);
}

function isLoadedAgain(departure: CarrierEvent, off: CarrierEvent | null, route: Route): boolean {
  const { vessel } = departure;
  return movesHere(departure, route, "LOAD").some(
    (load) =>
      load.at.ms <= departure.at.ms &&
      (off === null || load.classifier !== "actual" || load.at.ms > off.at.ms) &&
      load.vessel !== null &&
      vessel !== null &&
      isSameVessel(load.vessel, vessel),
  );
}

/** The vessel has been away since its discharge, `off`: a new voyage number alone may begin within one call. */
function isNextVesselVoyage(
  before: Journey,
  event: CarrierEvent,
  off: CarrierEvent | null,
  { timeline }: Route,
): boolean {
  const voyage = off?.voyage ?? before.voyage;
  if (voyage === null || event.voyage === null || voyage === event.voyage) return false;
  const last = timeline.findLast(
    (other) => other.classifier === "actual" && isVesselCall(other, "DISC") && other.at.ms < event.at.ms,
  );
  const discharge = off ?? last;
  return discharge !== undefined && event.at.ms - discharge.at.ms > IN_PORT_MS_MAX;
}

/** A plan that the departure has not overtaken has the box leave by another vessel, or on a later voyage of this one. */
function awaitsLaterSailing(departure: CarrierEvent, route: Route): boolean {
  const plans = [...movesHere(departure, route, "LOAD"), ...movesHere(departure, route, "DEPA")];
  return plans.some(
    (plan) =>
      plan.classifier !== "actual" && plan.at.ms > departure.at.ms && isOfLaterSailing(plan, departure),
  );
}

/** Of another vessel, or of the same one when it comes back, with whatever number. */
function isOfLaterSailing(later: CarrierEvent, departure: CarrierEvent): boolean {
  if (!isNotOtherVessel(later, departure)) return true;
  const isNamed = later.vessel !== null && departure.vessel !== null;
  const isOther = !isNamed && isOtherVoyage(later.voyage, departure.voyage);
  return later.at.ms - departure.at.ms > (isOther ? OTHER_SAILING_MS_MIN : IN_PORT_MS_MAX);
}
