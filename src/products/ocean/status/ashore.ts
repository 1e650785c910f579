/** The journey of a box on land: through gates, by rail, truck and barge, to its delivery and empty return. */
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { isVesselCall } from "../timeline/calls.ts";
import { endAt } from "../timeline/final-discharge.ts";
import { isOverseas } from "../timeline/distance.ts";
import { isJourneyEnd } from "../timeline/inland.ts";
import type { Route } from "../timeline/route.ts";
import { withReleaseOf } from "./document-events.ts";
import { isAboard, isAshoreForGood, type Journey } from "./position.ts";

/** Puts a box ashore by an event that implies its discharge. */
export type DischargeBox = (before: Journey, event: CarrierEvent, route: Route) => Journey;

/** Moves that happen on land only. Boxes are inspected and their seals broken anywhere. */
const LAND_MOVE_CODES: ReadonlySet<string> = new Set([
  "GTIN",
  "GTOT",
  "PICK",
  "DROP",
  "LOAD",
  "DISC",
  "ARRI",
  "DEPA",
  "STRP",
  "AVPU",
]);

export function afterLandMove(
  before: Journey,
  event: CarrierEvent,
  route: Route,
  discharge: DischargeBox,
): Journey {
  if (!LAND_MOVE_CODES.has(event.code)) return before;
  // A gate of the port of departure, reported with a time after the departure.
  if (before.position === "sailing" && samePlace(before.place, event.place)) return before;
  if (isReleaseAtSea(before, event, route)) return withReleaseOf(before, event);
  const ashore = isAshoreNow(before, event) ? discharge(before, event, route) : before;
  if (isAshoreForGood(ashore)) return afterMoveAshore(ashore, event, route);
  // Before the first loading, or between the terminals of a transshipment.
  if (before.position !== "origin") return before;
  const cancelled = before.cancelled && event.laden !== true;
  // Out of the gate again: the box was taken off its vessel.
  const loaded = before.loaded && event.code !== "GTOT" && event.code !== "PICK";
  return { ...before, place: event.place ?? before.place, loaded, cancelled };
}

/**
 * Ready for pick-up before the voyage is over: a release, and not yet an availability (spec 6.3:
 * container_available). At berth there, it implies the discharge unless that is stated to come.
 */
function isReleaseAtSea(before: Journey, event: CarrierEvent, { timeline }: Route): boolean {
  if (event.code !== "AVPU") return false;
  const isHere = samePlace(before.place, event.place);
  if (before.position === "transshipment" && !before.loaded) return event.place !== null && !isHere;
  if (before.position !== "berthed" || !isHere) return isAboard(before) || before.loaded;
  return timeline.some((other) => isVesselCall(other, "DISC") && other.at.ms > event.at.ms);
}

/** Carriers may leave out the voyage, or its end, and report only what followed. */
function isAshoreNow(before: Journey, event: CarrierEvent): boolean {
  const hasSailed = before.loaded && event.place !== null && !samePlace(before.place, event.place);
  const isOverOcean = before.position === "origin" && isOverseas(before.place, event.place);
  if (hasSailed || isOverOcean || isAboard(before) || event.movement === "import") return true;
  return before.position !== "origin" && event.code === "AVPU";
}

function afterMoveAshore(ashore: Journey, event: CarrierEvent, { inland }: Route): Journey {
  const here = { ...ashore, place: event.place };
  const atDestination = isJourneyEnd(event.place, inland);
  const elsewhere = !samePlace(event.place, ashore.finalDischarge?.place ?? null);
  // At the consignee's premises, by any mode.
  if (event.place?.facilityType === "CLOC") return { ...here, position: "delivered" };
  const byTrain = event.mode === "rail" || event.mode === "barge";
  const arrivedInland = elsewhere && atDestination;
  // By barge, train or truck to another terminal of the port.
  const isBack = !elsewhere && ashore.position === "on_carriage";
  switch (event.code) {
    case "GTOT":
    case "PICK":
      // Out of the gate where the journey ends: handed to the consignee. Anywhere else: on-carriage.
      if (byTrain && !arrivedInland) return { ...here, position: "on_carriage" };
      return { ...here, position: atDestination ? "delivered" : "on_carriage" };
    case "LOAD":
    case "DEPA":
      return arrivedInland ? ashore : { ...here, position: "on_carriage" };
    case "ARRI":
      return samePlace(event.place, ashore.place) ? ashore : { ...here, position: "on_carriage" };
    case "GTIN":
      // At the inland terminal where the journey ends, the box waits for pick-up.
      if (isBack) return { ...here, position: "discharged" };
      return arrivedInland ? { ...here, position: "available" } : ashore;
    case "DISC":
      if (isBack) return { ...here, position: "discharged" };
      return arrivedInland && ashore.position !== "available" ? { ...here, position: "discharged" } : ashore;
    case "DROP":
      return atDestination ? { ...here, position: "delivered" } : ashore;
    case "AVPU":
      return { ...here, position: "available" };
    case "STRP":
      return { ...here, position: "delivered" };
    default:
      return ashore;
  }
}

/** A discharged box is available once it is released and where its journey ends (spec 6.3: container_available). */
export function withRelease(journey: Journey, route: Route): Journey {
  const isAvailable =
    journey.position === "discharged" &&
    journey.released !== null &&
    isJourneyEnd(journey.place, route.inland) &&
    (samePlace(journey.released.place, journey.place) || isEndShown(journey, route));
  return isAvailable ? { ...journey, position: "available" } : journey;
}

/** Whether more than the carrier's silence says that the sea voyage is over. */
export function isEndShown({ finalDischarge }: Journey, route: Route): boolean {
  return finalDischarge !== null && endAt(finalDischarge, route) === "shown";
}

/** Into a terminal laden: the box had not been handed over, it only went from one terminal to another. */
export function comesBackLaden({ code, laden, place }: CarrierEvent): boolean {
  const type = place?.facilityType ?? null;
  return code === "GTIN" && laden === true && type !== "CLOC" && type !== "DEPO";
}

export function afterComingBack(before: Journey, event: CarrierEvent, route: Route): Journey {
  const isAtPort = samePlace(event.place, before.finalDischarge?.place ?? null);
  const position = isAtPort ? "discharged" : "on_carriage";
  return afterMoveAshore({ ...before, place: event.place, position }, event, route);
}

/** Whether a delivered box moves as an empty one: back in the carrier's hands. */
export function isMoveOfEmpty(event: CarrierEvent): boolean {
  const depot = event.place?.facilityType === "DEPO";
  switch (event.code) {
    case "LOAD":
    case "DISC":
      return event.laden === false;
    case "GTOT":
      return isOutOfDepotEmpty(event);
    // Trucks bring only empty boxes to a depot, whatever the indicator says.
    case "GTIN":
    case "DROP":
      return depot && event.mode !== "rail" && event.mode !== "barge";
    default:
      return false;
  }
}

export function isOutOfDepotEmpty({ code, laden, place }: CarrierEvent): boolean {
  return code === "GTOT" && laden === false && place?.facilityType === "DEPO";
}
