/** Where the laden box goes on to over land from its last port, by rail, truck or barge. */
import { samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { isArrivalCall, isLandMove, isSailingCall, isVesselCall } from "./calls.ts";
import type { Timeline } from "./timeline.ts";

export type InlandDestination =
  /** The journey ends at the port, as far as anything tells. */
  | { readonly kind: "none" }
  | { readonly kind: "known"; readonly place: Place }
  /** The box goes on, and nothing tells how far: every ramp may be one on the way. */
  | { readonly kind: "unknown" };

/**
 * What is announced comes first: the plan's end, or the end that an earlier plan had and that the box
 * has reached, upon which carriers take the plan out of their answers. Else what happened tells.
 */
export function inlandDestination(
  timeline: Timeline,
  plans: readonly CarrierEvent[],
  announced: Place | null,
): InlandDestination {
  const landing = timeline.findLast(isArrivalCall);
  const planned = plannedOnLand(timeline, plans);
  if (announced !== null && hasReached(announced, timeline, planned)) return known(announced, landing);
  return planned === null ? movedOnLand(timeline, landing) : known(planned.place, landing);
}

/** The end to remember: of the plan as it is now, or the one before where that is all that tells. */
export function announcedInland(
  timeline: Timeline,
  plans: readonly CarrierEvent[],
  before: Place | null,
): Place | null {
  const planned = plannedOnLand(timeline, plans);
  if (before !== null && hasReached(before, timeline, planned)) return before;
  return planned?.place ?? before;
}

/**
 * Whether the box has come where an earlier plan ended. What is left of the plan then are ramps on the
 * way that nobody reported.
 */
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
 * The end of the plan, even when its time has passed: carriers rarely move the inland part of a plan,
 * and a contract's destination hardly ever changes. Before the last planned sailing a land move is a
 * way to the ship.
 */
function plannedOnLand(timeline: Timeline, plans: readonly CarrierEvent[]): CarrierEvent | null {
  const last = plans.findLast((event) => event.place !== null && event.mode !== null);
  const firstSailing = timeline.find(isSailingCall);
  if (last === undefined || last.mode === "vessel" || firstSailing === undefined) return null;
  const lastSailingPlan = plans.findLast(isSailingCall);
  return last.at.ms > Math.max(firstSailing.at.ms, lastSailingPlan?.at.ms ?? 0) ? last : null;
}

/**
 * Without a plan a truck tells where the journey ends: it takes the box out of the gate there, or
 * brings it to the terminal where it is fetched. A train goes from ramp to ramp.
 */
function movedOnLand(timeline: Timeline, landing: CarrierEvent | undefined): InlandDestination {
  const port = landing?.place ?? null;
  const actual = timeline.filter((event) => event.classifier === "actual");
  const discharge = actual.findLast((event) => isVesselCall(event, "DISC"));
  if (discharge === undefined) return { kind: "none" };
  const moves = actual.filter((event) => isLandMove(event) && event.at.ms > discharge.at.ms);
  // Between two ships a truck only changes terminals, or ports.
  const lastMs = moves.at(-1)?.at.ms ?? discharge.at.ms;
  if (
    timeline.some(
      (event) => isArrivalCall(event) && event.at.ms > lastMs && !samePlace(event.place, discharge.place),
    )
  )
    return { kind: "none" };
  const elsewhere = moves.filter((event) => !samePlace(event.place, port));
  const byTruck = elsewhere.findLast(
    (event) =>
      event.code === "AVPU" || (!isByTrain(event) && ["GTIN", "GTOT", "PICK", "DROP"].includes(event.code)),
  );
  if (byTruck !== undefined) return known(byTruck.place, landing);
  return moves.some(isByTrain) ? { kind: "unknown" } : { kind: "none" };
}

function isByTrain({ mode, code }: CarrierEvent): boolean {
  return (mode === "rail" || mode === "barge") && MOVES.has(code);
}

/** A box may be inspected or sealed beside any train. */
const MOVES: ReadonlySet<string> = new Set(["LOAD", "DEPA", "ARRI", "DISC", "GTIN", "GTOT", "PICK", "DROP"]);
