/** Whether a discharge from a vessel ended the sea voyage, or was a transshipment. */
import { isLandMove, isSailingCall, isSameVessel, isVesselCall, vesselOfCall } from "./calls.ts";
import { isKnownToDiffer, samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { inSameHarbour, isOverseas, onSameCoast } from "./distance.ts";
import { eventsAfter } from "./order.ts";
import { distinctPlaces, isAtAnnouncedEnd, type Route } from "./route.ts";
import { isEmptyReturn } from "./trip-start.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** How long an onward sailing may still be reported, after its planned time or the discharge. */
export const OVERDUE_MS_MAX = 30 * DAY_MS;

/**
 * The first rule that applies decides:
 *
 * 1. Transshipment: a vessel has carried the box on since.
 * 2. End: the carrier calls it import, or the box was emptied since.
 * 3. Transshipment: the plan has a vessel carry the box on.
 * 4. End: the box left the port over land, or can be picked up there.
 * 5. Transshipment: the carrier calls it so. End: the cargo was released, or the carrier announced this port as the last.
 * 6. Transshipment: the carrier announced another last port, or the destination lies overseas.
 * 7. End, as assumed: {@link OVERDUE_MS_MAX} have passed. Transshipment: a planned sailing is outstanding.
 * 8. End: the box moved on land since; as assumed, if it did not.
 *
 * Null: a transshipment. On an end that is only assumed hangs no money (spec 6.3: container_available, demurrage_started).
 */
export function endAt(discharge: CarrierEvent, route: Route): "shown" | "assumed" | null {
  const since = eventsSince(discharge, route);
  if (since.some((event) => isOnwardMove(event, discharge, route))) return null;
  if (discharge.movement === "import" || since.some(isEmptied)) return "shown";
  const awaited = route.activePlans.filter((event) => route.nowMs - event.at.ms <= OVERDUE_MS_MAX);
  if (awaited.some((event) => isOnwardMove(event, discharge, route))) return null;
  if (leavesByLand(discharge, since) || since.some((event) => isReadyAt(discharge.place, event)))
    return "shown";
  // A plan that is stated leg by leg announces ports of transshipment too, and a release names no port.
  if (discharge.movement === "transshipment") return null;
  if (since.some(isReleased) || isAtAnnouncedEnd(discharge, route)) return "shown";
  if (isAnnouncedAhead(discharge, route)) return null;
  if (route.inland.kind === "known" && isOverseas(discharge.place, route.inland.place)) return null;
  const isOverdue = route.nowMs - discharge.at.ms > OVERDUE_MS_MAX;
  if (!isOverdue && awaitsOutstandingSailing(discharge, route)) return null;
  // A move on land that implies the discharge is one itself.
  const movedOnLand = (event: CarrierEvent): boolean => isLandMove(event) && isElsewhere(event, discharge);
  return !isVesselCall(discharge, "DISC") || since.some(movedOnLand) ? "shown" : "assumed";
}

/** The carrier announced a last port elsewhere, and the box was not handled there: its vessel's call alone uses up nothing. */
export function isAnnouncedAhead(discharge: CarrierEvent, { announced, timeline }: Route): boolean {
  const { port } = announced;
  // A move on land that implies the discharge shows that the box goes on without a vessel.
  if (!isVesselCall(discharge, "DISC") || discharge.place === null) return false;
  if (!isKnownToDiffer(port, discharge.place) || inSameHarbour(port, discharge.place)) return false;
  return !timeline.some(
    (event) =>
      event.classifier === "actual" &&
      event.at.ms < discharge.at.ms &&
      samePlace(event.place, port) &&
      isVesselCall(event, "DISC", "LOAD"),
  );
}

function eventsSince(discharge: CarrierEvent, { timeline }: Route): readonly CarrierEvent[] {
  return eventsAfter(timeline, discharge).filter(({ classifier }) => classifier === "actual");
}

function isEmptied(event: CarrierEvent): boolean {
  const handedOver = event.code === "STRP" || event.place?.facilityType === "CLOC";
  return event.kind === "equipment" && (handedOver || isEmptyReturn(event) || event.movement === "import");
}

/** The release of the cargo, which may name no place. */
function isReleased({ kind, code, documentType, place }: CarrierEvent): boolean {
  if (kind === "shipment") return documentType === "SRM" && code === "RELS";
  return code === "AVPU" && place === null;
}

function isReadyAt(port: Place | null, { code, place }: CarrierEvent): boolean {
  return code === "AVPU" && samePlace(place, port);
}

function isElsewhere({ place }: CarrierEvent, discharge: CarrierEvent): boolean {
  return isKnownToDiffer(place, discharge.place) && !inSameHarbour(place, discharge.place);
}

/** Out of the port by train or truck, and not back in at another of its terminals. */
function leavesByLand(discharge: CarrierEvent, since: readonly CarrierEvent[]): boolean {
  const here = since.filter((event) => isLandMove(event) && samePlace(event.place, discharge.place));
  const out = here.findLast(({ code }) => ["GTOT", "PICK", "LOAD", "DEPA"].includes(code));
  if (out === undefined || out.movement === "transshipment") return false;
  return !eventsAfter(here, out).some(({ code }) => code === "GTIN");
}

function isOnwardMove(event: CarrierEvent, discharge: CarrierEvent, route: Route): boolean {
  if (isVesselCall(event, "LOAD")) return true;
  if (isVesselCall(event, "ARRI", "DISC")) {
    // The vessel that discharged the box sails on without it.
    const sailsOn =
      event.classifier === "actual" && event.code === "ARRI" && isKnownSameVessel(event, discharge, route);
    // The plan of this discharge, in another form.
    const isHere =
      event.classifier !== "actual" &&
      samePlace(event.place, route.announced.port) &&
      isAtAnnouncedEnd(discharge, route);
    return !sailsOn && !isHere && !inSameHarbour(event.place, discharge.place);
  }
  return isVesselCall(event, "DEPA") && !mayBeSameVessel(event, discharge, route);
}

function isKnownSameVessel(event: CarrierEvent, discharge: CarrierEvent, route: Route): boolean {
  const brought = vesselOfCall(discharge, route.timeline);
  return brought !== null && event.vessel !== null && isSameVessel(brought, event.vessel);
}

function mayBeSameVessel(departure: CarrierEvent, discharge: CarrierEvent, route: Route): boolean {
  const brought = vesselOfCall(discharge, route.timeline);
  return brought === null || departure.vessel === null || isSameVessel(brought, departure.vessel);
}

/**
 * A re-route moves the place of a sailing and leaves the old plan behind: the box is discharged at DEWVN, the
 * next vessel is planned from DEHAM. So each actual onward sailing stands for one planned from elsewhere. A
 * sailing planned from another coast is not outstanding: the box has passed it.
 */
function awaitsOutstandingSailing(discharge: CarrierEvent, route: Route): boolean {
  const sailed = route.timeline.filter((event) => event.classifier === "actual" && isSailingCall(event));
  const sailedFrom = distinctPlaces(sailed.flatMap(({ place }) => place ?? []));
  // Plans from before the first sailing are departures from the origin.
  const firstMs = sailed[0]?.at.ms ?? 0;
  const planned = route.stalePlans.filter(
    (event) =>
      isSailingCall(event) && event.at.ms > firstMs && !isVesselsOnwardDeparture(event, discharge, route),
  );
  const unmatched = distinctPlaces(planned.flatMap(({ place }) => place ?? [])).filter(
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
