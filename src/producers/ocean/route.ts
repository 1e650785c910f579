/**
 * Where the box is going, read from a timeline. Plans are the carrier's words about the future, and
 * stay in its answers after the future went otherwise: a plan is believed only while nothing that
 * happened is later than it.
 */
import { samePlace, type CarrierEvent, type Place } from "./carrier-event.ts";
import type { Timeline } from "./timeline.ts";
import { isEmptyReturn } from "./trip.ts";

export type Route = {
  readonly timeline: Timeline;
  /** Plans and estimates of the laden box that nothing has overtaken. */
  readonly believed: readonly CarrierEvent[];
  /** Plans and estimates that something later has overtaken: left over, or not yet moved by the carrier. */
  readonly overtaken: readonly CarrierEvent[];
  /** Where the laden box ends on land, when the plan says that it goes on from its last port. */
  readonly landDestination: Place | null;
};

export function routeOf(timeline: Timeline): Route {
  const lastActualMs = timeline
    .filter((event) => event.classifier === "actual" && event.kind !== "shipment")
    .reduce((latest, event) => Math.max(latest, event.at.ms), Number.NEGATIVE_INFINITY);
  const plans = timeline.filter(
    (event) => event.classifier !== "actual" && event.kind !== "shipment" && event.laden !== false,
  );
  return {
    timeline,
    believed: plans.filter((event) => event.at.ms >= lastActualMs),
    overtaken: plans.filter((event) => event.at.ms < lastActualMs),
    landDestination: landDestination(timeline, plans),
  };
}

/**
 * Where the journey ends when that is reached over land: the last place of the plan, or once the plan
 * has given way to what happened, the last place the laden box was moved to.
 */
function landDestination(timeline: Timeline, plans: readonly CarrierEvent[]): Place | null {
  const landing = timeline.findLast((event) => isVesselCall(event, "ARRI", "DISC"));
  const place = (plannedOnLand(timeline, plans) ?? movedOnLand(timeline))?.place ?? null;
  return samePlace(landing?.place ?? null, place) ? null : place;
}

/**
 * The end of the plan, even when its time has passed: carriers rarely move the inland part of a plan,
 * and a contract's destination hardly ever changes. Before the last planned sailing a land move is a
 * way to the ship.
 */
function plannedOnLand(timeline: Timeline, plans: readonly CarrierEvent[]): CarrierEvent | null {
  const last = plans.findLast((event) => event.place !== null && event.mode !== null);
  const firstSailing = timeline.find(isSailing);
  if (last === undefined || last.mode === "vessel" || firstSailing === undefined) return null;
  const lastSailingPlan = plans.findLast(isSailing);
  return last.at.ms > Math.max(firstSailing.at.ms, lastSailingPlan?.at.ms ?? 0) ? last : null;
}

function movedOnLand(timeline: Timeline): CarrierEvent | null {
  const actual = timeline.filter((event) => event.classifier === "actual");
  const discharge = actual.findLast((event) => isVesselCall(event, "DISC"));
  const last = actual.findLast((event) => isLandMove(event));
  return discharge !== undefined && last !== undefined && last.at.ms > discharge.at.ms ? last : null;
}

/** A move of the laden box by rail, truck or barge, or through a gate. */
function isLandMove(event: CarrierEvent): boolean {
  if (event.kind === "shipment" || event.laden === false || isEmptyReturn(event)) return false;
  return event.place !== null && event.mode !== null && event.mode !== "vessel";
}

/** A call of a vessel, or what is done to the laden box at one, of any of the codes. */
export function isVesselCall(event: CarrierEvent, ...codes: readonly string[]): boolean {
  return event.mode === "vessel" && event.laden !== false && codes.includes(event.code);
}

function isSailing(event: CarrierEvent): boolean {
  return isVesselCall(event, "LOAD", "DEPA");
}

/**
 * The arrival that ends the sea voyage, as far as the plan tells: the last planned arrival of a vessel
 * with no planned sailing after it. Null when the plan ends with a sailing whose arrival is not known.
 */
export function plannedLanding(route: Route): CarrierEvent | null {
  const calls = route.believed.filter((event) => isVesselCall(event, "ARRI", "DISC", "LOAD", "DEPA"));
  const lastSailing = calls.findLastIndex(isSailing);
  const after = calls.slice(lastSailing + 1);
  const last = after.at(-1);
  if (last === undefined) return null;
  // The ship's arrival is the ETA; the discharge, hours later, stands in where the ship is not mentioned.
  return after.find((event) => event.code === "ARRI" && samePlace(event.place, last.place)) ?? last;
}

/** A planned sailing of the box that is still believed: it is not on its last leg. */
export function awaitsSailing(route: Route): boolean {
  return route.believed.some(isSailing);
}

/**
 * Whether an actual discharge from a vessel ended the sea voyage, or was a transshipment.
 *
 * - It was a transshipment when a vessel has carried the box on since, or is believed to.
 * - It was one as well while a sailing of the plan is outstanding: a re-route moves the place of a
 *   sailing and leaves the old plan behind (box discharged at DEWVN, next vessel planned from DEHAM),
 *   so each onward sailing that happened stands for one that was planned somewhere else. Leaving the
 *   port over land shows that no such sailing is outstanding.
 * - Else it was the end.
 */
export function endsVoyage(discharge: CarrierEvent, route: Route): boolean {
  const later = (event: CarrierEvent): boolean =>
    event.at.ms > discharge.at.ms && event.classifier === "actual" && carriesOn(event, discharge);
  if (route.timeline.some(later)) return false;
  if (route.believed.some((event) => carriesOn(event, discharge))) return false;
  return leavesByLand(discharge, route) || outstandingSailings(route) === 0;
}

function leavesByLand(discharge: CarrierEvent, route: Route): boolean {
  return route.timeline.some(
    (event) =>
      event.classifier === "actual" &&
      event.at.ms > discharge.at.ms &&
      isLandMove(event) &&
      ["GTOT", "LOAD", "DEPA"].includes(event.code) &&
      samePlace(event.place, discharge.place),
  );
}

function carriesOn(event: CarrierEvent, discharge: CarrierEvent): boolean {
  if (isVesselCall(event, "LOAD")) return true;
  if (isVesselCall(event, "ARRI", "DISC")) return !samePlace(event.place, discharge.place);
  // The vessel that brought the box leaves again too.
  return isVesselCall(event, "DEPA") && !sameVessel(event, discharge);
}

/** Unknown vessels count as the same: nothing says that they differ. */
export function sameVessel(a: CarrierEvent, b: CarrierEvent): boolean {
  if (a.vessel === null || b.vessel === null) return true;
  if (a.vessel.imo !== null && b.vessel.imo !== null) return a.vessel.imo === b.vessel.imo;
  return a.vessel.name === b.vessel.name;
}

function outstandingSailings(route: Route): number {
  const sailed = route.timeline.filter((event) => event.classifier === "actual" && isSailing(event));
  const sailedFrom = new Set(sailed.map((event) => event.place?.unlocode));
  // What was planned before the box first sailed was a way of leaving its origin.
  const firstMs = sailed[0]?.at.ms ?? 0;
  const planned = route.overtaken
    .filter((event) => isSailing(event) && event.at.ms > firstMs)
    .map((event) => event.place?.unlocode);
  const unmatched = new Set(planned.filter((unlocode) => !sailedFrom.has(unlocode)));
  const onward = Math.max(0, sailedFrom.size - 1);
  return Math.max(0, unmatched.size - onward);
}
