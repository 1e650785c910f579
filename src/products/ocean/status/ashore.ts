/** A box on land: through gates, by rail, truck and barge, until it is handed over and comes back empty. */
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import type { Route } from "../timeline/route.ts";
import { isAboard, isAshoreForGood, type Journey } from "./position.ts";

/** Puts a box ashore by an event, as a discharge does that was not reported. */
export type DischargeBox = (before: Journey, event: CarrierEvent, route: Route) => Journey;

/** What can only be done to a box on land. Seals are broken and boxes inspected anywhere. */
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
  land: DischargeBox,
): Journey {
  if (!LAND_MOVE_CODES.has(event.code)) return before;
  // A gate of the port just left, reported with a time after the departure.
  if (before.position === "sailing" && samePlace(before.place, event.place)) return before;
  const ashore = isAshoreNow(before, event) ? land(before, event, route) : before;
  if (isAshoreForGood(ashore)) return afterMoveAshore(ashore, event, route);
  // On the way to the ship, or between the terminals of a transshipment.
  if (before.position !== "origin") return before;
  const cancelled = before.cancelled && event.laden !== true;
  // Out of the gate again: it was taken off its ship.
  const loaded = before.loaded && event.code !== "GTOT" && event.code !== "PICK";
  return { ...before, place: event.place ?? before.place, loaded, cancelled };
}

/** Also of a carrier that has forgotten the voyage, or its end, and only tells what followed. */
function isAshoreNow(before: Journey, event: CarrierEvent): boolean {
  const hasSailed = before.loaded && event.place !== null && !samePlace(before.place, event.place);
  if (hasSailed || isAboard(before) || event.movement === "import") return true;
  return before.position !== "origin" && event.code === "AVPU";
}

function afterMoveAshore(ashore: Journey, event: CarrierEvent, { inland }: Route): Journey {
  const here = { ...ashore, place: event.place };
  const atDestination =
    inland.kind === "none" || (inland.kind === "known" && samePlace(event.place, inland.place));
  const elsewhere = !samePlace(event.place, ashore.finalDischarge?.place ?? null);
  // At the consignee's own place, whatever brought it there.
  if (event.place?.facilityType === "CLOC") return { ...here, position: "delivered" };
  const byTrain = event.mode === "rail" || event.mode === "barge";
  const arrivedInland = elsewhere && atDestination;
  switch (event.code) {
    case "GTOT":
    case "PICK":
      // Out of the port by train, or by truck to a destination that lies elsewhere: on-carriage.
      // Out of the gate where the journey ends: handed to the consignee.
      if (byTrain && !arrivedInland) return { ...here, position: "on_carriage" };
      return { ...here, position: atDestination ? "delivered" : "on_carriage" };
    case "LOAD":
    case "DEPA":
      return arrivedInland ? ashore : { ...here, position: "on_carriage" };
    case "ARRI":
      return samePlace(event.place, ashore.place) ? ashore : { ...here, position: "on_carriage" };
    case "GTIN":
      // In at the gate of the inland terminal where the journey ends: there it waits for pick-up.
      return arrivedInland ? { ...here, position: "available" } : ashore;
    case "DISC":
      return arrivedInland && ashore.position !== "available" ? { ...here, position: "discharged" } : ashore;
    case "DROP":
      return atDestination ? { ...here, position: "delivered" } : ashore;
    // The terminal's own word.
    case "AVPU":
      return { ...here, position: "available" };
    // Its cargo taken out.
    case "STRP":
      return { ...here, position: "delivered" };
    default:
      return ashore;
  }
}

/**
 * Discharge alone is not availability (spec 6.3, ready for pick-up): it takes the release as well, and
 * the box being where its journey ends.
 */
export function withRelease(voyage: Journey, { inland }: Route): Journey {
  if (voyage.position !== "discharged" || !voyage.released) return voyage;
  const arrived =
    inland.kind === "none" || (inland.kind === "known" && samePlace(voyage.place, inland.place));
  return arrived ? { ...voyage, position: "available" } : voyage;
}

/** Whether a box that has been delivered is seen on its way as an empty one: back in the carrier's hands. */
export function isMoveOfEmpty(event: CarrierEvent): boolean {
  const depot = event.place?.facilityType === "DEPO";
  switch (event.code) {
    case "LOAD":
    case "DISC":
      return event.laden === false;
    case "GTOT":
      return event.laden === false && depot;
    // Nothing laden goes there by truck, whatever the carrier says of it.
    case "GTIN":
    case "DROP":
      return depot && event.mode !== "rail" && event.mode !== "barge";
    default:
      return false;
  }
}
