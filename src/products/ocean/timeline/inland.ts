/** Where the laden box goes on to from its last port by rail, truck or barge. */
import { samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import {
  isArrivalCall,
  isLandMove,
  isSailingCall,
  isSameVessel,
  isVesselCall,
  vesselOfCall,
} from "./calls.ts";
import { eventsAfter } from "./order.ts";
import type { Timeline } from "./timeline.ts";

export type InlandDestination =
  /** The journey ends at the port. */
  | { readonly kind: "none" }
  | { readonly kind: "known"; readonly place: Place }
  /** The box goes on, but nothing states how far. */
  | { readonly kind: "unknown" };

/** Whether the journey ends at a place: the inland destination, or any place if there is none. */
export function isJourneyEnd(place: Place | null, inland: InlandDestination): boolean {
  return inland.kind === "none" || (inland.kind === "known" && samePlace(place, inland.place));
}

/**
 * The end of the plan; or the end of an earlier plan that the box has reached, since carriers then remove the
 * plan from their answers. Without either, the actual moves decide.
 */
export function inlandDestination(
  timeline: Timeline,
  plans: readonly CarrierEvent[],
  announced: Place | null,
): InlandDestination {
  const landing = landingIn(timeline);
  const planned = plannedOnLand(timeline, plans);
  if (announced !== null && hasReached(announced, timeline, planned)) return known(announced, landing);
  return planned === null ? movedOnLand(timeline, landing) : known(planned.place, landing);
}

/** The last arrival, but not that of the vessel which has discharged the box and sailed on. */
function landingIn(timeline: Timeline): CarrierEvent | undefined {
  const last = timeline.findLast(isArrivalCall);
  const discharge = timeline.findLast(
    (event) => event.classifier === "actual" && isVesselCall(event, "DISC"),
  );
  if (last === undefined || discharge === undefined || last.code === "DISC") return last;
  const brought = vesselOfCall(discharge, timeline);
  const sailsOn = brought !== null && last.vessel !== null && isSameVessel(brought, last.vessel);
  const isLoaded = eventsAfter(timeline, discharge).some((event) => isVesselCall(event, "LOAD"));
  return sailsOn && !isLoaded && last.at.ms > discharge.at.ms ? discharge : last;
}

/** The end to keep in the record: that of the current plan, else the previous one. */
export function announcedInland(
  timeline: Timeline,
  plans: readonly CarrierEvent[],
  before: Place | null,
): Place | null {
  const planned = plannedOnLand(timeline, plans);
  if (before !== null && hasReached(before, timeline, planned)) return before;
  return planned?.place ?? before;
}

/** The box has come where an earlier plan ended. Any plan before that moment is an unreported ramp. */
function hasReached(end: Place, timeline: Timeline, planned: CarrierEvent | null): boolean {
  const reached = timeline.findLast(
    (event) => event.classifier === "actual" && isLandMove(event) && samePlace(event.place, end),
  );
  return reached !== undefined && (planned === null || planned.at.ms <= reached.at.ms);
}

function known(place: Place | null, landing: CarrierEvent | undefined): InlandDestination {
  return place === null || samePlace(landing?.place ?? null, place)
    ? { kind: "none" }
    : { kind: "known", place };
}

/**
 * The end of the plan, even when its time has passed: carriers rarely move the inland part of a plan, and a
 * contract's destination hardly ever changes. Before the last planned sailing, land moves lead to the vessel.
 */
function plannedOnLand(timeline: Timeline, plans: readonly CarrierEvent[]): CarrierEvent | null {
  const last = plans.findLast((event) => event.place !== null && event.mode !== null);
  const firstSailing = timeline.find(isSailingCall);
  if (last === undefined || last.mode === "vessel" || firstSailing === undefined) return null;
  const lastSailingPlan = plans.findLast(isSailingCall);
  return last.at.ms > Math.max(firstSailing.at.ms, lastSailingPlan?.at.ms ?? 0) ? last : null;
}

/**
 * Without a plan, a truck shows where the journey ends: it takes the box out of the gate there, or brings it
 * to the pickup terminal. A train goes from ramp to ramp.
 */
function movedOnLand(timeline: Timeline, landing: CarrierEvent | undefined): InlandDestination {
  const port = landing?.place ?? null;
  const actual = timeline.filter((event) => event.classifier === "actual");
  const discharge = actual.findLast((event) => isVesselCall(event, "DISC"));
  if (discharge === undefined) return { kind: "none" };
  const moves = eventsAfter(actual, discharge).filter(isLandMove);
  // Between two vessels a truck only changes terminals or ports.
  const later = eventsAfter(timeline, moves.at(-1) ?? discharge);
  if (later.some((event) => isArrivalCall(event) && !samePlace(event.place, discharge.place)))
    return { kind: "none" };
  const elsewhere = moves.filter((event) => !samePlace(event.place, port));
  const byTruck = elsewhere.findLast(
    (event) =>
      event.code === "AVPU" || (!isByTrain(event) && ["GTIN", "GTOT", "PICK", "DROP"].includes(event.code)),
  );
  if (byTruck !== undefined) return known(byTruck.place, landing);
  // Between two terminals of the port a barge or a train brings the box nowhere else.
  const back = moves.findLast((event) => BACK.has(event.code) && samePlace(event.place, port));
  const onward = back === undefined ? moves : eventsAfter(moves, back);
  return onward.some(isByTrain) ? { kind: "unknown" } : { kind: "none" };
}

function isByTrain({ mode, code }: CarrierEvent): boolean {
  return (mode === "rail" || mode === "barge") && MOVES.has(code);
}

/** The box has come into a place. */
const BACK: ReadonlySet<string> = new Set(["ARRI", "DISC", "GTIN"]);

/** Inspections and seals show no movement. */
const MOVES: ReadonlySet<string> = new Set(["LOAD", "DEPA", "ARRI", "DISC", "GTIN", "GTOT", "PICK", "DROP"]);
