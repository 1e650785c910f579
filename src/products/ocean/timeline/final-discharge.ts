/** Whether a discharge from a vessel ended the sea voyage, or was a transshipment. */
import { isLandMove, isSailingCall, isSameVessel, isVesselCall, vesselOfCall } from "./calls.ts";
import { samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { isOverseas, onSameCoast } from "./distance.ts";
import type { Route } from "./route.ts";
import { isEmptyReturn } from "./trip.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** A ship that is to carry the box on and is not reported for so long after its time is waited for no more. */
export const OVERDUE_MS_MAX = 30 * DAY_MS;

/**
 * - It was a transshipment when a vessel has carried the box on since.
 * - It was the end when the carrier calls it import, or when the box was emptied since.
 * - It was a transshipment when a vessel is believed to carry the box on.
 * - It was the end when the box left the port over land, or was released.
 * - It was a transshipment when the carrier calls it so, and the end when the box was announced to land here.
 * - It was a transshipment when the destination lies overseas, or while a sailing of the plan is outstanding;
 *   but for none of these does anybody wait for ever.
 * - Else it was the end.
 */
export function isFinalDischarge(discharge: CarrierEvent, route: Route): boolean {
  const since = route.timeline.filter(
    (event) => event.classifier === "actual" && event.at.ms > discharge.at.ms,
  );
  if (since.some((event) => isOnwardMove(event, discharge, route))) return false;
  if (discharge.movement === "import" || since.some(isEmptied)) return true;
  const awaited = route.activePlans.filter((event) => route.nowMs - event.at.ms <= OVERDUE_MS_MAX);
  if (awaited.some((event) => isOnwardMove(event, discharge, route))) return false;
  if (leavesByLand(discharge, since) || since.some(isReleased)) return true;
  if (route.nowMs - discharge.at.ms > OVERDUE_MS_MAX) return true;
  // A plan that is told leg by leg announces ports of transshipment too.
  if (discharge.movement === "transshipment") return false;
  if (samePlace(discharge.place, route.announced.port)) return true;
  if (route.inland.kind === "known" && isOverseas(discharge.place, route.inland.place)) return false;
  return !awaitsOutstandingSailing(discharge, route);
}

function isEmptied(event: CarrierEvent): boolean {
  const handedOver = event.code === "STRP" || event.place?.facilityType === "CLOC";
  return event.kind === "equipment" && (handedOver || isEmptyReturn(event) || event.movement === "import");
}

function isReleased({ kind, code, documentType }: CarrierEvent): boolean {
  if (kind === "shipment") return documentType === "SRM" && code === "RELS";
  return code === "AVPU";
}

/** Out of the port by train or truck, and not in again at another of its terminals. */
function leavesByLand(discharge: CarrierEvent, since: readonly CarrierEvent[]): boolean {
  const here = since.filter((event) => isLandMove(event) && samePlace(event.place, discharge.place));
  const out = here.findLast(({ code }) => ["GTOT", "PICK", "LOAD", "DEPA"].includes(code));
  if (out === undefined || out.movement === "transshipment") return false;
  return !here.some(({ code, at }) => code === "GTIN" && at.ms > out.at.ms);
}

function isOnwardMove(event: CarrierEvent, discharge: CarrierEvent, route: Route): boolean {
  if (isVesselCall(event, "LOAD")) return true;
  if (isVesselCall(event, "ARRI", "DISC")) {
    // A ship that has put the box ashore sails on without it.
    const shipsOwn =
      event.classifier === "actual" && event.code === "ARRI" && isKnownSameVessel(event, discharge, route);
    return !shipsOwn && !samePlace(event.place, discharge.place);
  }
  // The vessel that brought the box leaves again too.
  return isVesselCall(event, "DEPA") && !mayBeSameVessel(event, discharge, route);
}

function isKnownSameVessel(event: CarrierEvent, discharge: CarrierEvent, route: Route): boolean {
  const brought = vesselOfCall(discharge, route.timeline);
  return brought !== null && event.vessel !== null && isSameVessel(brought, event.vessel);
}

/** Whether a departure may be that of the vessel that brought the box. */
function mayBeSameVessel(departure: CarrierEvent, discharge: CarrierEvent, route: Route): boolean {
  const brought = vesselOfCall(discharge, route.timeline);
  return brought === null || departure.vessel === null || isSameVessel(brought, departure.vessel);
}

/**
 * A re-route moves the place of a sailing and leaves the old plan behind (box discharged at DEWVN, next
 * vessel planned from DEHAM), so each onward sailing that happened stands for one that was planned
 * somewhere else. One that was planned from another coast is not waited for here: the box has passed
 * it by.
 */
function awaitsOutstandingSailing(discharge: CarrierEvent, route: Route): boolean {
  const sailed = route.timeline.filter((event) => event.classifier === "actual" && isSailingCall(event));
  const sailedFrom = distinctPlaces(sailed);
  // What was planned before the box first sailed was a way of leaving its origin.
  const firstMs = sailed[0]?.at.ms ?? 0;
  const planned = route.stalePlans.filter(
    (event) =>
      isSailingCall(event) && event.at.ms > firstMs && !isVesselsOnwardDeparture(event, discharge, route),
  );
  const unmatched = distinctPlaces(planned).filter(
    (place) => !sailedFrom.some((other) => samePlace(place, other)),
  );
  const onward = Math.max(0, sailedFrom.length - 1);
  return unmatched.length > onward && unmatched.some((place) => onSameCoast(place, discharge.place));
}

function isVesselsOnwardDeparture(event: CarrierEvent, discharge: CarrierEvent, route: Route): boolean {
  return (
    event.code === "DEPA" &&
    samePlace(event.place, discharge.place) &&
    mayBeSameVessel(event, discharge, route)
  );
}

function distinctPlaces(events: readonly CarrierEvent[]): readonly Place[] {
  const places = events.flatMap(({ place }) => place ?? []);
  return places.filter((place, index) => places.findIndex((other) => samePlace(other, place)) === index);
}
