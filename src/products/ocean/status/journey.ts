/**
 * The journey of a box, one actual event after the other.
 *
 *     origin ─▶ sailing ─▶ anchored ─▶ berthed ─▶ transshipment ─▶ sailing …
 *                                         └─────▶ discharged ─▶ on_carriage ─▶ available ─▶ delivered ─▶ returned
 *
 * Each step depends only on the event and the box's position. A reported step implies unreported ones: an
 * arrival elsewhere implies the departure, a gate-out the discharge. Events that do not fit the position are
 * ignored.
 */
import {
  afterComingBack,
  afterLandMove,
  comesBackLaden,
  isMoveOfEmpty,
  isOutOfDepotEmpty,
  withRelease,
} from "./ashore.ts";
import { isSailingCall, isSameVessel, isVesselCall } from "../timeline/calls.ts";
import { placeKey, samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { inSameHarbour, isOverseas } from "../timeline/distance.ts";
import { endAt } from "../timeline/final-discharge.ts";
import { afterCustoms, afterDocument } from "./document-events.ts";
import { awaitsSailing, type Route } from "../timeline/route.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { isEmptyReturn } from "../timeline/trip-start.ts";
import { cameWithoutBox, departsWithBox } from "./departing.ts";
import { isAboard, isAshoreForGood, isWaitingForVessel, type Journey } from "./position.ts";

export function advance(before: Journey, event: CarrierEvent, route: Route): Journey {
  if (event.kind === "shipment") return withRelease(afterDocument(before, event), route);
  if (before.position === "returned") return before;
  const customs = afterCustoms(before, event);
  if (customs !== null) return customs;
  // The trip ends with its empty return (see trip.ts).
  if (isEmptyReturn(event)) {
    return before.position !== "origin" || isOverseas(before.place, event.place)
      ? { ...before, position: "returned", place: event.place }
      : before;
  }
  if (before.position === "delivered") {
    if (isMoveOfEmpty(event)) return { ...before, position: "returned", place: event.place };
    return comesBackLaden(event) ? withRelease(afterComingBack(before, event, route), route) : before;
  }
  // The next shipper's pick-up: the box has come back before.
  if (isAshoreForGood(before) && isOutOfDepotEmpty(event))
    return { ...before, position: "returned", place: event.place };
  const move = asLadenMove(before, event);
  if (move === null) return before;
  const atSea = move.mode === "vessel" && !ON_LAND.has(move.code);
  const after = atSea ? afterCall(before, move, route) : afterLandMove(before, move, route, afterDischarge);
  return withRelease(after, route);
}

/**
 * The event as a move of the laden box; null if the box is empty. Nobody empties a box between loading and
 * delivery: an empty indicator there is an error.
 */
function asLadenMove(before: Journey, event: CarrierEvent): CarrierEvent | null {
  if (event.laden !== false) return event;
  const byVessel = event.mode === "vessel" && (event.code === "LOAD" || event.code === "DISC");
  const aboard = before.position !== "origin" && !isAshoreForGood(before);
  const outOfGate = event.code === "GTOT" && isAshoreForGood(before);
  const isError = (byVessel && aboard) || outOfGate || event.code === "STRP";
  return isError ? { ...event, laden: null } : null;
}

/** Moves on land, even if the carrier names a vessel. */
const ON_LAND: ReadonlySet<string> = new Set(["GTIN", "GTOT", "PICK", "DROP", "STRP", "AVPU"]);

function afterCall(before: Journey, event: CarrierEvent, route: Route): Journey {
  const anchorage = event.place?.facilityType === "ANCH";
  // At the pilot boarding place no leg begins or ends.
  if (event.place?.facilityType === "PBPL") return before;
  switch (event.code) {
    case "LOAD":
      return afterLoading(before, event);
    case "DEPA":
      if (hasLeft(before, event)) return before;
      // The box has changed vessels, and the departure is reported before the change.
      if (before.position === "berthed" && isOtherVessel(before, event))
        return departsWithBox(before, event, route)
          ? afterDeparture(transshipped(before, event), event)
          : before;
      // At the final port the vessel sails on without the box; the discharge is not yet reported.
      if (before.position === "berthed" && isAtFinalPort(event, route)) return before;
      // At an intermediate call the box stays aboard, and no leg begins.
      if (before.position === "berthed" || before.position === "anchored")
        return { ...before, ...vesselOf(event), place: event.place, position: "sailing" };
      if (anchorage) return before;
      return isWaitingForVessel(before) && departsWithBox(before, event, route)
        ? afterDeparture(before, event)
        : before;
    case "ARRI":
      if (!arrivesWithBox(before, event, route)) return before;
      return {
        ...(isBroughtBy(before, event) ? before : withUnreportedDeparture(before, event, route)),
        ...vesselOf(event),
        place: event.place,
        loaded: false,
        berth: event,
        position: anchorage ? "anchored" : "berthed",
      };
    case "DISC":
      return afterDischarge(before, event, route);
    default:
      return before;
  }
}

/** Another vessel leaves the port that the box sailed from before. */
function hasLeft(before: Journey, event: CarrierEvent): boolean {
  if (samePlace(before.place, event.place) || !isOtherVessel(before, event)) return false;
  return before.departures.some(({ place }) => samePlace(place, event.place));
}

function isAtFinalPort({ place }: CarrierEvent, route: Route): boolean {
  return samePlace(place, route.announced.port) && !awaitsSailing(route);
}

/** Certainly not the vessel that the box is aboard. */
function isOtherVessel({ vessel }: Journey, event: CarrierEvent): boolean {
  return vessel !== null && event.vessel !== null && !isSameVessel(vessel, event.vessel);
}

/** Certainly the vessel that the box is aboard. */
function isOwnVessel({ vessel }: Journey, event: CarrierEvent): boolean {
  return vessel !== null && event.vessel !== null && isSameVessel(vessel, event.vessel);
}

/** If the event names no vessel, assume the last known one. */
function vesselOf(event: CarrierEvent): Pick<Journey, "vessel" | "voyage"> | undefined {
  return event.vessel === null ? undefined : { vessel: event.vessel, voyage: event.voyage };
}

function afterLoading(before: Journey, event: CarrierEvent): Journey {
  if (isAshoreForGood(before)) return before;
  // Reported with a time after the departure.
  if (before.position === "sailing" && samePlace(before.place, event.place)) return before;
  const { place, vessel, voyage } = event;
  const loaded = { place, vessel, voyage, loaded: true, cancelled: false };
  if (before.position === "origin") return { ...before, ...loaded };
  return { ...transshipped(before, event), ...loaded, position: "transshipment" };
}

function transshipped(before: Journey, { place }: CarrierEvent): Journey {
  const isKnown = place === null || before.transshipments.some((other) => samePlace(other, place));
  return isKnown ? before : { ...before, transshipments: [...before.transshipments, place] };
}

/**
 * At sea every arrival is the box's. Ashore, an arrival elsewhere is the box's with its departure unreported,
 * unless the box is still to be loaded there: then that vessel comes for it.
 */
function arrivesWithBox(before: Journey, event: CarrierEvent, route: Route): boolean {
  // Where the box's vessel lies, another one comes too.
  const isOthers = samePlace(before.place, event.place) && isOtherVessel(before, event);
  if (isAboard(before)) return before.position === "sailing" || !isOthers;
  if (!isWaitingForVessel(before) || samePlace(before.place, event.place)) return false;
  if (before.loaded && isOwnVessel(before, event)) return true;
  if (cameWithoutBox(before, event, route)) return false;
  // At an intermediate call the vessel also departs.
  const codes = before.loaded && !isOtherVessel(before, event) ? ["LOAD"] : ["LOAD", "DEPA"];
  return !route.timeline.some(
    (other) => isVesselCall(other, ...codes) && samePlace(other.place, event.place),
  );
}

function afterDeparture(before: Journey, event: CarrierEvent): Journey {
  return {
    ...before,
    ...vesselOf(event),
    position: "sailing",
    place: event.place,
    loaded: false,
    berth: null,
    departures: [...before.departures, event],
    hold: isHoldElsewhere(before) ? null : before.hold,
  };
}

/** The vessel that discharged the box here. */
function isBroughtBy(before: Journey, event: CarrierEvent): boolean {
  return before.position === "transshipment" && !before.loaded && isOwnVessel(before, event);
}

/**
 * A box that is elsewhere now has sailed from where it waited for its vessel, reported or not: from where it
 * was loaded, was to be loaded, or changed vessels, and from any place if a vessel discharges it. Else it came by truck.
 */
function withUnreportedDeparture(before: Journey, event: CarrierEvent, route: Route): Journey {
  const { timeline } = route;
  const { place, position, unreportedDepartures } = before;
  const isElsewhere = place !== null && event.place !== null && !samePlace(place, event.place);
  if (!isElsewhere || !isWaitingForVessel(before)) return before;
  const sails =
    before.loaded ||
    isOverseas(place, event.place) ||
    (event.mode === "vessel" &&
      ((event.code === "DISC" && !inSameHarbour(place, event.place)) ||
        position === "transshipment" ||
        timeline.some((other) => isSailingCall(other) && samePlace(other.place, place)) ||
        wasToSailBy(place, event, route)));
  if (!sails) return before;
  return {
    ...before,
    position: "sailing",
    loaded: false,
    berth: null,
    unreportedDepartures: [...unreportedDepartures, place],
    hold: isHoldBefore(before, event, timeline) ? null : before.hold,
  };
}

/** Carriers remove the plan of a departure once it has come true. */
function wasToSailBy(
  place: Place,
  { vessel }: CarrierEvent,
  { announced: { sailsFrom, voyage } }: Route,
): boolean {
  const known = voyage?.direct === true ? voyage.vessel : null;
  const isOther = known !== null && vessel !== null && !isSameVessel(known, vessel);
  return !isOther && sailsFrom?.includes(placeKey(place) ?? "") === true;
}

/** A hold at the origin or at the transshipment being left is no hold at the destination. */
function isHoldElsewhere({ position, place, hold }: Journey): boolean {
  if (hold === null) return false;
  return hold.place === null ? position === "origin" : samePlace(hold.place, place);
}

/** Nobody reports when the box left its origin: a hold at sea is nearer to what implies that than to the last move there. */
function isHoldBefore(before: Journey, elsewhere: CarrierEvent, timeline: Timeline): boolean {
  const { hold, place } = before;
  if (hold === null || !isHoldElsewhere(before)) return false;
  if (hold.place !== null) return true;
  const here = timeline.findLast(
    (event) => event.classifier === "actual" && event.kind === "equipment" && samePlace(event.place, place),
  );
  return here === undefined || hold.at.ms - here.at.ms <= elsewhere.at.ms - hold.at.ms;
}

function afterDischarge(before: Journey, event: CarrierEvent, route: Route): Journey {
  const here = samePlace(before.place, event.place);
  // Taken off again before sailing.
  if (before.position === "origin" && here) return { ...before, loaded: false };
  if (isAshoreForGood(before)) return before;
  const atSea = withUnreportedDeparture(before, event, route);
  const after = { ...atSea, ...vesselOf(event), place: event.place, loaded: false };
  // A box that was loaded to go on is to go on, though it is taken off again.
  const goesOn = before.loaded && here && (event.movement ?? null) === null;
  return endAt(goesOn ? { ...event, movement: "transshipment" } : event, route) !== null
    ? { ...after, position: "discharged", finalDischarge: event }
    : { ...transshipped(after, event), position: "transshipment" };
}
