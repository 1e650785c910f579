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
import { isSailing, isSameVessel, isVesselCall, sameVessel } from "../timeline/calls.ts";
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { endsVoyage } from "../timeline/landing.ts";
import { afterCustoms, afterPaper } from "./papers.ts";
import { awaitsSailing, type Route } from "../timeline/route.ts";
import { isEmptyReturn } from "../timeline/trip.ts";
import { isAboard, isAshoreForGood, type Voyage } from "./whereabouts.ts";

/** The voyage after one more actual event. */
export function advance(before: Voyage, event: CarrierEvent, route: Route): Voyage {
  if (event.kind === "shipment") return withRelease(afterPaper(before, event), route);
  if (before.where === "returned") return before;
  const customs = afterCustoms(before, event);
  if (customs !== null) return customs;
  // The trip ends with its empty return (trip.ts); an empty box moves nothing before it.
  if (isEmptyReturn(event)) {
    return before.where !== "origin" ? { ...before, where: "returned", place: event.place } : before;
  }
  if (before.where === "delivered") {
    return isMoveOfEmpty(event) ? { ...before, where: "returned", place: event.place } : before;
  }
  const moved = laden(before, event);
  if (moved === null) return before;
  const atSea = moved.mode === "vessel" && !ON_LAND.has(moved.code);
  const after = atSea ? afterCall(before, moved, route) : afterLandMove(before, moved, route, landed);
  return withRelease(after, route);
}

/**
 * The event as a move of the laden box; null when it moves an empty one. Between its loading and its
 * delivery nobody empties a box: an indicator that says so is a slip.
 */
function laden(before: Voyage, event: CarrierEvent): CarrierEvent | null {
  if (event.laden !== false) return event;
  const byShip = event.mode === "vessel" && (event.code === "LOAD" || event.code === "DISC");
  const aboard = before.where !== "origin" && !isAshoreForGood(before);
  const outOfGate = event.code === "GTOT" && isAshoreForGood(before);
  // A box is empty once its cargo has been taken out.
  const slip = (byShip && aboard) || outOfGate || event.code === "STRP";
  return slip ? { ...event, laden: null } : null;
}

/** Gates and what is done behind them, whatever vessel the carrier names beside it. */
const ON_LAND: ReadonlySet<string> = new Set(["GTIN", "GTOT", "PICK", "DROP", "STRP", "AVPU"]);

/** The vessel's calls, and what is done to the box at them. */
function afterCall(before: Voyage, event: CarrierEvent, route: Route): Voyage {
  const anchorage = event.place?.facilityType === "ANCH";
  // Where a pilot comes aboard, the ship neither begins nor ends anything.
  if (event.place?.facilityType === "PBPL") return before;
  switch (event.code) {
    case "LOAD":
      return loadedOn(before, event);
    case "DEPA":
      // The box has changed to a ship that is told of before the change is.
      if (before.where === "berthed" && isOfAnother(before, event))
        return sailed(changingShips(before, event), event);
      // Where the box was to land its ship goes on without it, and its discharge is still to be told.
      if (before.where === "berthed" && isAtLanding(event, route)) return before;
      // A call on the way: the box stays aboard, and no leg begins.
      if (before.where === "berthed" || before.where === "anchored")
        return { ...before, ...named(event), place: event.place, where: "sailing" };
      if (anchorage) return before;
      return isWaitingForShip(before) && setsOut(before, event, route) ? sailed(before, event) : before;
    case "ARRI":
      if (!arrives(before, event, route)) return before;
      return {
        ...(isBroughtBy(before, event) ? before : leftUnreported(before, event, route)),
        ...named(event),
        ...at(event),
        where: anchorage ? "anchored" : "berthed",
      };
    case "DISC":
      return landed(before, event, route);
    default:
      return before;
  }
}

function isAtLanding({ place }: CarrierEvent, route: Route): boolean {
  return samePlace(place, route.announced.port) && !awaitsSailing(route);
}

/** Surely another vessel than the one that the box is aboard of. */
function isOfAnother({ vessel }: Voyage, event: CarrierEvent): boolean {
  return vessel !== null && event.vessel !== null && !isSameVessel(vessel, event.vessel);
}

/** Surely the vessel that the box is aboard of. */
function isOf({ vessel }: Voyage, event: CarrierEvent): boolean {
  return vessel !== null && event.vessel !== null && isSameVessel(vessel, event.vessel);
}

function at(event: CarrierEvent): Pick<Voyage, "place" | "loaded" | "berth"> {
  return { place: event.place, loaded: false, berth: event };
}

function isWaitingForShip(voyage: Voyage): boolean {
  return voyage.where === "origin" || voyage.where === "transshipment";
}

/** A vessel that the event does not name is the one we know, while the box stays aboard. */
function named(event: CarrierEvent): Pick<Voyage, "vessel" | "voyage"> | undefined {
  return event.vessel === null ? undefined : { vessel: event.vessel, voyage: event.voyage };
}

function loadedOn(before: Voyage, event: CarrierEvent): Voyage {
  if (isAshoreForGood(before)) return before;
  // Reported with a time after the departure.
  if (before.where === "sailing" && samePlace(before.place, event.place)) return before;
  const where = before.where === "origin" ? "origin" : "transshipment";
  const { place, vessel, voyage } = event;
  const changed = where === "origin" ? before : changingShips(before, event);
  return { ...changed, where, place, vessel, voyage, loaded: true, cancelled: false };
}

function changingShips(before: Voyage, { place }: CarrierEvent): Voyage {
  const known = place === null || before.transshipments.some((other) => samePlace(other, place));
  return known ? before : { ...before, transshipments: [...before.transshipments, place] };
}

/**
 * At sea every arrival is the box's. Ashore it is when it is elsewhere, its departure unreported; but
 * not where the box is still to be loaded: that is the ship that comes for it.
 */
function arrives(before: Voyage, event: CarrierEvent, route: Route): boolean {
  if (isAboard(before)) return true;
  if (!isWaitingForShip(before) || samePlace(before.place, event.place)) return false;
  // The ship that it is aboard of, the departure not told yet.
  if (before.loaded && isOf(before, event)) return true;
  // A ship that calls on the way leaves again too.
  const codes = before.loaded && !isOfAnother(before, event) ? ["LOAD"] : ["LOAD", "DEPA"];
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
function setsOut(before: Voyage, event: CarrierEvent, route: Route): boolean {
  if (before.loaded) return true;
  const loads = route.timeline.filter(
    (other) => isVesselCall(other, "LOAD") && samePlace(other.place, event.place),
  );
  if (before.where === "origin") {
    return !loads.some((load) => load.at.ms > event.at.ms && !sameVessel(load, event));
  }
  if (before.vessel === null || event.vessel === null) return false;
  const { vessel } = event;
  const toLoad = (load: CarrierEvent): boolean => load.vessel !== null && isSameVessel(load.vessel, vessel);
  return (
    !isSameVessel(before.vessel, vessel) ||
    loads.some((load) => load.at.ms <= event.at.ms && toLoad(load)) ||
    isNextVoyage(before, event, route)
  );
}

/** No ship lies at a port for so long that carries boxes on. */
const IN_PORT_MS_MAX = 5 * 24 * 3_600_000;

/** The vessel that brought the box has been away since: a new number alone a ship may take within one call. */
function isNextVoyage(before: Voyage, event: CarrierEvent, { timeline }: Route): boolean {
  if (before.voyage === null || event.voyage === null || before.voyage === event.voyage) return false;
  const discharge = timeline.findLast(
    (other) => other.classifier === "actual" && isVesselCall(other, "DISC") && other.at.ms < event.at.ms,
  );
  return discharge !== undefined && event.at.ms - discharge.at.ms > IN_PORT_MS_MAX;
}

function sailed(before: Voyage, event: CarrierEvent): Voyage {
  const departures = [...before.departures, event];
  const leaving = {
    ...before,
    ...named(event),
    where: "sailing",
    place: event.place,
    loaded: false,
  } as const;
  return { ...leaving, departures, hold: leftBehind(before) ? null : before.hold };
}

/** The ship that put the box ashore, which sails on without it. */
function isBroughtBy(before: Voyage, event: CarrierEvent): boolean {
  return before.where === "transshipment" && !before.loaded && isOf(before, event);
}

/**
 * A box that is elsewhere now has sailed from where it waited for its ship, also when nobody told that. It
 * has where it was loaded, or to be loaded, or changed ships; from any other place it came by truck.
 */
function leftUnreported(before: Voyage, event: CarrierEvent, { timeline }: Route): Voyage {
  const { place, where, unreported } = before;
  const isElsewhere = place !== null && event.place !== null && !samePlace(place, event.place);
  if (!isElsewhere || !isWaitingForShip(before)) return before;
  const sails =
    before.loaded ||
    (event.mode === "vessel" &&
      (where === "transshipment" ||
        timeline.some((other) => isSailing(other) && samePlace(other.place, place))));
  if (!sails) return before;
  const hold = leftBehind(before) ? null : before.hold;
  return { ...before, where: "sailing", loaded: false, unreported: [...unreported, place], hold };
}

/** A hold on the export, or at the transshipment that the box now leaves, is none at its destination. */
function leftBehind({ where, place, hold }: Voyage): boolean {
  return hold !== null && (where === "origin" || samePlace(hold.place, place));
}

function landed(before: Voyage, event: CarrierEvent, route: Route): Voyage {
  // Taken off again before it sailed.
  if (before.where === "origin" && samePlace(before.place, event.place)) return { ...before, loaded: false };
  if (isAshoreForGood(before)) return before;
  const atSea = leftUnreported(before, event, route);
  const after = { ...atSea, ...named(event), place: event.place, loaded: false };
  return endsVoyage(event, route)
    ? { ...after, where: "discharged", landing: event }
    : { ...changingShips(after, event), where: "transshipment" };
}
