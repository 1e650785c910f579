/**
 * The box's way, one actual event after the other.
 *
 *     origin ─▶ sailing ─▶ anchored ─▶ berthed ─▶ transshipment ─▶ sailing …
 *                                         └─────▶ discharged ─▶ on_carriage ─▶ available ─▶ delivered ─▶ returned
 *
 * Each step asks only what the event says and where the box was. Steps that a carrier never reports
 * are implied by the next one it does: an arrival elsewhere implies the departure, a gate-out the
 * discharge. What does not fit where the box is, is left aside.
 */
import { afterLandMove, isMoveOfEmpty, withRelease } from "./ashore.ts";
import { isSailingCall, isSameVessel, isVesselCall, isNotOtherVessel } from "../timeline/calls.ts";
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { isFinalDischarge } from "../timeline/final-discharge.ts";
import { afterCustoms, afterDocument } from "./document-events.ts";
import { awaitsSailing, type Route } from "../timeline/route.ts";
import { isEmptyReturn } from "../timeline/trip.ts";
import { isAboard, isAshoreForGood, type Journey } from "./position.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** The voyage after one more actual event. */
export function advance(before: Journey, event: CarrierEvent, route: Route): Journey {
  if (event.kind === "shipment") return withRelease(afterDocument(before, event), route);
  if (before.position === "returned") return before;
  const customs = afterCustoms(before, event);
  if (customs !== null) return customs;
  // The trip ends with its empty return (trip.ts); an empty box moves nothing before it.
  if (isEmptyReturn(event)) {
    return before.position !== "origin" ? { ...before, position: "returned", place: event.place } : before;
  }
  if (before.position === "delivered") {
    return isMoveOfEmpty(event) ? { ...before, position: "returned", place: event.place } : before;
  }
  const moved = asLadenMove(before, event);
  if (moved === null) return before;
  const atSea = moved.mode === "vessel" && !ON_LAND.has(moved.code);
  const after = atSea ? afterCall(before, moved, route) : afterLandMove(before, moved, route, afterDischarge);
  return withRelease(after, route);
}

/**
 * The event as a move of the laden box; null when it moves an empty one. Between its loading and its
 * delivery nobody empties a box: an indicator that says so is a slip.
 */
function asLadenMove(before: Journey, event: CarrierEvent): CarrierEvent | null {
  if (event.laden !== false) return event;
  const byShip = event.mode === "vessel" && (event.code === "LOAD" || event.code === "DISC");
  const aboard = before.position !== "origin" && !isAshoreForGood(before);
  const outOfGate = event.code === "GTOT" && isAshoreForGood(before);
  // A box is empty once its cargo has been taken out.
  const slip = (byShip && aboard) || outOfGate || event.code === "STRP";
  return slip ? { ...event, laden: null } : null;
}

/** Gates and what is done behind them, whatever vessel the carrier names beside it. */
const ON_LAND: ReadonlySet<string> = new Set(["GTIN", "GTOT", "PICK", "DROP", "STRP", "AVPU"]);

/** The vessel's calls, and what is done to the box at them. */
function afterCall(before: Journey, event: CarrierEvent, route: Route): Journey {
  const anchorage = event.place?.facilityType === "ANCH";
  // Where a pilot comes aboard, the ship neither begins nor ends anything.
  if (event.place?.facilityType === "PBPL") return before;
  switch (event.code) {
    case "LOAD":
      return afterLoading(before, event);
    case "DEPA":
      // The box has changed to a ship that is told of before the change is.
      if (before.position === "berthed" && isOtherVessel(before, event))
        return afterDeparture(transshipped(before, event), event);
      // Where the box was to land its ship goes on without it, and its discharge is still to be told.
      if (before.position === "berthed" && isAtFinalPort(event, route)) return before;
      // A call on the way: the box stays aboard, and no leg begins.
      if (before.position === "berthed" || before.position === "anchored")
        return { ...before, ...vesselOf(event), place: event.place, position: "sailing" };
      if (anchorage) return before;
      return isWaitingForShip(before) && departsWithBox(before, event, route)
        ? afterDeparture(before, event)
        : before;
    case "ARRI":
      if (!arrivesWithBox(before, event, route)) return before;
      return {
        ...(isBroughtBy(before, event) ? before : withUnreportedDeparture(before, event, route)),
        ...vesselOf(event),
        ...atBerth(event),
        position: anchorage ? "anchored" : "berthed",
      };
    case "DISC":
      return afterDischarge(before, event, route);
    default:
      return before;
  }
}

function isAtFinalPort({ place }: CarrierEvent, route: Route): boolean {
  return samePlace(place, route.announced.port) && !awaitsSailing(route);
}

/** Surely another vessel than the one that the box is aboard of. */
function isOtherVessel({ vessel }: Journey, event: CarrierEvent): boolean {
  return vessel !== null && event.vessel !== null && !isSameVessel(vessel, event.vessel);
}

/** Surely the vessel that the box is aboard of. */
function isOwnVessel({ vessel }: Journey, event: CarrierEvent): boolean {
  return vessel !== null && event.vessel !== null && isSameVessel(vessel, event.vessel);
}

function atBerth(event: CarrierEvent): Pick<Journey, "place" | "loaded" | "berth"> {
  return { place: event.place, loaded: false, berth: event };
}

function isWaitingForShip(voyage: Journey): boolean {
  return voyage.position === "origin" || voyage.position === "transshipment";
}

/** A vessel that the event does not name is the one we know, while the box stays aboard. */
function vesselOf(event: CarrierEvent): Pick<Journey, "vessel" | "voyage"> | undefined {
  return event.vessel === null ? undefined : { vessel: event.vessel, voyage: event.voyage };
}

function afterLoading(before: Journey, event: CarrierEvent): Journey {
  if (isAshoreForGood(before)) return before;
  // Reported with a time after the departure.
  if (before.position === "sailing" && samePlace(before.place, event.place)) return before;
  const where = before.position === "origin" ? "origin" : "transshipment";
  const { place, vessel, voyage } = event;
  const changed = where === "origin" ? before : transshipped(before, event);
  return { ...changed, position: where, place, vessel, voyage, loaded: true, cancelled: false };
}

function transshipped(before: Journey, { place }: CarrierEvent): Journey {
  const known = place === null || before.transshipments.some((other) => samePlace(other, place));
  return known ? before : { ...before, transshipments: [...before.transshipments, place] };
}

/**
 * At sea every arrival is the box's. Ashore it is when it is elsewhere, its departure unreported; but
 * not where the box is still to be loaded: that is the ship that comes for it.
 */
function arrivesWithBox(before: Journey, event: CarrierEvent, route: Route): boolean {
  if (isAboard(before)) return true;
  if (!isWaitingForShip(before) || samePlace(before.place, event.place)) return false;
  // The ship that it is aboard of, the departure not told yet.
  if (before.loaded && isOwnVessel(before, event)) return true;
  // A ship that calls on the way leaves again too.
  const codes = before.loaded && !isOtherVessel(before, event) ? ["LOAD"] : ["LOAD", "DEPA"];
  return !route.timeline.some(
    (other) => isVesselCall(other, ...codes) && samePlace(other.place, event.place),
  );
}

/**
 * At a transshipment the vessel that brought the box leaves too, without it: until the box is
 * reported loaded, only the departure of another vessel is its own, or of the one that it is to be
 * loaded on, or of the same on its next voyage. At the origin a vessel leaves without the box when it is loaded, or to be loaded, on
 * another one afterwards.
 */
function departsWithBox(before: Journey, event: CarrierEvent, route: Route): boolean {
  if (before.loaded) return true;
  const loads = route.timeline.filter(
    (other) => isVesselCall(other, "LOAD") && samePlace(other.place, event.place),
  );
  if (before.position === "origin") {
    return !loads.some((load) => load.at.ms > event.at.ms && !isNotOtherVessel(load, event));
  }
  if (before.vessel === null || event.vessel === null) return false;
  const { vessel } = event;
  const toLoad = (load: CarrierEvent): boolean => load.vessel !== null && isSameVessel(load.vessel, vessel);
  return (
    !isSameVessel(before.vessel, vessel) ||
    loads.some((load) => load.at.ms <= event.at.ms && toLoad(load)) ||
    isNextVesselVoyage(before, event, route)
  );
}

/** No ship lies at a port for so long that carries boxes on. */
const IN_PORT_MS_MAX = 5 * DAY_MS;

/** The vessel that brought the box has been away since: a new number alone a ship may take within one call. */
function isNextVesselVoyage(before: Journey, event: CarrierEvent, { timeline }: Route): boolean {
  if (before.voyage === null || event.voyage === null || before.voyage === event.voyage) return false;
  const discharge = timeline.findLast(
    (other) => other.classifier === "actual" && isVesselCall(other, "DISC") && other.at.ms < event.at.ms,
  );
  return discharge !== undefined && event.at.ms - discharge.at.ms > IN_PORT_MS_MAX;
}

function afterDeparture(before: Journey, event: CarrierEvent): Journey {
  const departures = [...before.departures, event];
  const leaving = {
    ...before,
    ...vesselOf(event),
    position: "sailing",
    place: event.place,
    loaded: false,
  } as const;
  return { ...leaving, departures, hold: isHoldElsewhere(before) ? null : before.hold };
}

/** The ship that put the box ashore, which sails on without it. */
function isBroughtBy(before: Journey, event: CarrierEvent): boolean {
  return before.position === "transshipment" && !before.loaded && isOwnVessel(before, event);
}

/**
 * A box that is elsewhere now has sailed from where it waited for its ship, also when nobody told that. It
 * has where it was loaded, or to be loaded, or changed ships; from any other place it came by truck.
 */
function withUnreportedDeparture(before: Journey, event: CarrierEvent, { timeline }: Route): Journey {
  const { place, position, unreportedDepartures } = before;
  const isElsewhere = place !== null && event.place !== null && !samePlace(place, event.place);
  if (!isElsewhere || !isWaitingForShip(before)) return before;
  const sails =
    before.loaded ||
    (event.mode === "vessel" &&
      (position === "transshipment" ||
        timeline.some((other) => isSailingCall(other) && samePlace(other.place, place))));
  if (!sails) return before;
  const hold = isHoldElsewhere(before) ? null : before.hold;
  return {
    ...before,
    position: "sailing",
    loaded: false,
    unreportedDepartures: [...unreportedDepartures, place],
    hold,
  };
}

/** A hold on the export, or at the transshipment that the box now leaves, is none at its destination. */
function isHoldElsewhere({ position, place, hold }: Journey): boolean {
  return hold !== null && (position === "origin" || samePlace(hold.place, place));
}

function afterDischarge(before: Journey, event: CarrierEvent, route: Route): Journey {
  // Taken off again before it sailed.
  if (before.position === "origin" && samePlace(before.place, event.place))
    return { ...before, loaded: false };
  if (isAshoreForGood(before)) return before;
  const atSea = withUnreportedDeparture(before, event, route);
  const after = { ...atSea, ...vesselOf(event), place: event.place, loaded: false };
  return isFinalDischarge(event, route)
    ? { ...after, position: "discharged", finalDischarge: event }
    : { ...transshipped(after, event), position: "transshipment" };
}
