import { isArrivalCall, isSailingCall, isSameVessel, isVesselCall, vesselOfCall } from "../timeline/calls.ts";
import {
  isKnownToDiffer,
  placeKey,
  samePlace,
  type CarrierEvent,
  type Place,
} from "../sources/carrier-event.ts";
import { inSameHarbour } from "../timeline/distance.ts";
import { endAt, isAnnouncedAhead } from "../timeline/final-discharge.ts";
import { finalArrival, isBroughtToEnd, type Route } from "../timeline/route.ts";
import type { Misrouting } from "../record/shipment-record.ts";

/**
 * The box's last laden discharge, while the box is there, if the plan ends elsewhere and does not call at that
 * port (spec 6.3: container_misrouted). Two cases are no misrouting: a re-route, whose old plan the box has
 * passed; and an unannounced transshipment, after which the next planned arrival is of another vessel. The plan that
 * was announced last counts once the carrier's answers have none.
 */
export function misroutingOf(route: Route): Misrouting | null {
  const { timeline } = route;
  const actual = timeline.filter(({ classifier }) => classifier === "actual");
  const discharge = actual.findLast((event) => isVesselCall(event, "DISC"));
  if (discharge === undefined || discharge.place === null || discharge.movement === "transshipment")
    return null;
  const sailing = actual.findLast(isSailingCall);
  if (sailing !== undefined && actual.indexOf(sailing) > actual.indexOf(discharge)) return null;
  // Taken off again where it was loaded.
  if (sailing !== undefined && samePlace(sailing.place, discharge.place)) return null;
  const sinceMs = sailing?.at.ms ?? Number.NEGATIVE_INFINITY;
  const plan = [...route.stalePlans, ...route.activePlans]
    .filter((event) => isArrivalCall(event) || isSailingCall(event))
    .toSorted((a, b) => a.at.ms - b.at.ms);
  const calls = plan.filter((event) => event.at.ms > sinceMs);
  const isHere = (place: Place | null): boolean =>
    place !== null && (!isKnownToDiffer(place, discharge.place) || inSameHarbour(place, discharge.place));
  const { port, inland, landed = [] } = route.announced;
  const asAnnounced = landed.includes(placeKey(discharge.place) ?? "");
  const onRoute = asAnnounced || calls.some(({ place }) => isHere(place)) || isHere(port) || isHere(inland);
  const expected =
    calls.length === 0 ? announcedEnd(discharge, route) : (finalArrival(calls, timeline)?.place ?? null);
  if (onRoute || expected === null) return null;
  // The port of loading is no port that the box passes by.
  const ahead = calls.filter(({ place }) => !samePlace(place, sailing?.place ?? null));
  if (isReRoute(discharge, ahead) || isUnannounced(discharge, calls, route)) return null;
  return { at: discharge.at, discharge: discharge.place, expected };
}

/**
 * The announced last port, if the vessel that discharged the box was to bring it there: before another one was to
 * take it on, this may be an unannounced transshipment.
 */
function announcedEnd(discharge: CarrierEvent, route: Route): Place | null {
  const { port, voyage } = route.announced;
  if (voyage === undefined || !isAnnouncedAhead(discharge, route)) return null;
  if (endAt(discharge, route) === "shown") return null;
  if (voyage.ports.includes(placeKey(discharge.place) ?? "")) return null;
  return isBroughtToEnd(discharge, route) ? port : null;
}

/** The box has passed the port where it was to change vessels. */
function isReRoute(discharge: CarrierEvent, calls: readonly CarrierEvent[]): boolean {
  return calls.some(
    (event) =>
      event.at.ms < discharge.at.ms &&
      calls.some((other) => isSailingCall(other) && samePlace(other.place, event.place)),
  );
}

function isUnannounced(discharge: CarrierEvent, calls: readonly CarrierEvent[], route: Route): boolean {
  const next = calls.find(isArrivalCall)?.vessel ?? null;
  const brought = vesselOfCall(discharge, route.timeline);
  return next !== null && brought !== null && !isSameVessel(next, brought);
}
