/**
 * The box's way, one actual event after the other.
 *
 *     origin ─▶ sailing ─▶ berthed ─▶ transshipment ─▶ sailing …
 *                             └─────▶ discharged ─▶ on_carriage ─▶ available ─▶ delivered ─▶ returned
 *
 * Each step asks only what the event says and where the box was. Steps that a carrier never reports
 * are implied by the next one it does: an arrival elsewhere implies the departure, a gate-out the
 * discharge. What does not fit where the box is, is left aside.
 */
import { samePlace, type CarrierEvent, type Place, type Vessel } from "./carrier-event.ts";
import { endsVoyage, isVesselCall, sameVessel, type Route } from "./route.ts";
import { isEmptyReturn } from "./trip.ts";

export type Whereabouts =
  | "origin"
  | "sailing"
  | "berthed"
  | "transshipment"
  | "discharged"
  | "on_carriage"
  | "available"
  | "delivered"
  | "returned";

export type Voyage = {
  readonly where: Whereabouts;
  readonly place: Place | null;
  /** Loaded and not yet sailed; at the origin or a transshipment. */
  readonly loaded: boolean;
  readonly vessel: Vessel | null;
  readonly voyage: string | null;
  /** The discharge that ended the sea voyage, or what implied it. */
  readonly landing: CarrierEvent | null;
  /** Where the vessel that carries or carried the box berthed last. */
  readonly berth: CarrierEvent | null;
  /** The departures on sailing legs so far. */
  readonly departures: readonly CarrierEvent[];
  readonly customsHold: boolean;
  /** The carrier has released the cargo for pick-up. */
  readonly released: boolean;
  readonly cancelled: boolean;
};

export const AT_ORIGIN: Voyage = {
  where: "origin",
  place: null,
  loaded: false,
  vessel: null,
  voyage: null,
  landing: null,
  berth: null,
  departures: [],
  customsHold: false,
  released: false,
  cancelled: false,
};

/** The voyage after one more actual event. */
export function advance(before: Voyage, event: CarrierEvent, route: Route): Voyage {
  if (event.kind === "shipment") return afterPaper(before, event, route);
  if (before.where === "returned") return before;
  // The trip ends with its empty return (trip.ts); an empty box moves nothing before it.
  if (isEmptyReturn(event)) {
    return before.where !== "origin" ? { ...before, where: "returned", place: event.place } : before;
  }
  if (event.laden === false || before.where === "delivered") return before;
  const atSea = event.mode === "vessel" && !isGate(event);
  const after = atSea ? afterCall(before, event, route) : afterLandMove(before, event, route);
  return after.where === "discharged" ? cleared(after, route) : after;
}

/** A gate leads onto land, whatever the vessel that the carrier names beside it. */
function isGate(event: CarrierEvent): boolean {
  return event.code === "GTIN" || event.code === "GTOT";
}

function afterPaper(before: Voyage, event: CarrierEvent, route: Route): Voyage {
  switch (`${event.documentType} ${event.code}`) {
    case "CUS HOLD":
      return { ...before, customsHold: true };
    case "CUS RELS":
      return { ...before, customsHold: false };
    // The shipment release message is the carrier's word that the cargo may be picked up.
    case "SRM RELS":
      return cleared({ ...before, released: true }, route);
    case "BKG VOID":
    case "CBR VOID":
      return { ...before, cancelled: before.where === "origin" };
    case "BKG CONF":
    case "CBR CONF":
      return { ...before, cancelled: false };
    default:
      return before;
  }
}

/**
 * Discharge alone is not availability (spec 6.3, ready for pick-up): it takes the release as well, and
 * the box being where its journey ends.
 */
function cleared(voyage: Voyage, route: Route): Voyage {
  const arrived = route.landDestination === null || samePlace(voyage.place, route.landDestination);
  return voyage.where === "discharged" && voyage.released && arrived
    ? { ...voyage, where: "available" }
    : voyage;
}

/** The vessel's calls, and what is done to the box at them. */
function afterCall(before: Voyage, event: CarrierEvent, route: Route): Voyage {
  switch (event.code) {
    case "LOAD":
      return loadedOn(before, event);
    case "DEPA":
      // A call on the way: the box stays aboard, and no leg begins.
      if (before.where === "berthed")
        return { ...before, ...named(event), place: event.place, where: "sailing" };
      return isWaitingForShip(before) && setsOut(before, event) ? sailed(before, event) : before;
    case "ARRI":
      return arrives(before, event, route)
        ? { ...before, ...named(event), place: event.place, where: "berthed", loaded: false, berth: event }
        : before;
    case "DISC":
      return landed(before, event, route);
    default:
      return before;
  }
}

function isWaitingForShip(voyage: Voyage): boolean {
  return voyage.where === "origin" || voyage.where === "transshipment";
}

/** A vessel that the event does not name is the one we know, while the box stays aboard. */
function named(event: CarrierEvent): Pick<Voyage, "vessel" | "voyage"> | undefined {
  return event.vessel === null ? undefined : { vessel: event.vessel, voyage: event.voyage };
}

function loadedOn(before: Voyage, event: CarrierEvent): Voyage {
  // Reported with a time after the departure.
  if (before.where === "sailing" && samePlace(before.place, event.place)) return before;
  const where = before.where === "origin" ? "origin" : "transshipment";
  const { place, vessel, voyage } = event;
  return { ...before, where, place, vessel, voyage, loaded: true };
}

/**
 * At sea every arrival is the box's. Ashore it is when it is elsewhere, its departure unreported; but
 * not where the box is still to be loaded: that is the ship that comes for it.
 */
function arrives(before: Voyage, event: CarrierEvent, route: Route): boolean {
  if (before.where === "sailing" || before.where === "berthed") return true;
  if (!isWaitingForShip(before) || samePlace(before.place, event.place)) return false;
  return !route.timeline.some(
    (other) => isVesselCall(other, "LOAD", "DEPA") && samePlace(other.place, event.place),
  );
}

/**
 * At a transshipment the vessel that brought the box leaves too, without it: until the box is
 * reported loaded, only another vessel's departure is its own.
 */
function setsOut(before: Voyage, event: CarrierEvent): boolean {
  if (before.where === "origin" || before.loaded) return true;
  return (
    before.vessel !== null && event.vessel !== null && !sameVessel({ ...event, vessel: before.vessel }, event)
  );
}

function sailed(before: Voyage, event: CarrierEvent): Voyage {
  const departures = [...before.departures, event];
  return { ...before, ...named(event), where: "sailing", place: event.place, loaded: false, departures };
}

function landed(before: Voyage, event: CarrierEvent, route: Route): Voyage {
  // Taken off again before it sailed.
  if (before.where === "origin" && samePlace(before.place, event.place)) return { ...before, loaded: false };
  if (isAshoreForGood(before)) return before;
  const after = { ...before, ...named(event), place: event.place, loaded: false };
  return endsVoyage(event, route)
    ? { ...after, where: "discharged", landing: event }
    : { ...after, where: "transshipment" };
}

function isAshoreForGood(voyage: Voyage): boolean {
  return voyage.where === "discharged" || voyage.where === "on_carriage" || voyage.where === "available";
}

/** Rail, truck and barge, and the gates between them. */
function afterLandMove(before: Voyage, event: CarrierEvent, route: Route): Voyage {
  // A gate of the port just left, reported with a time after the departure.
  if (before.where === "sailing" && samePlace(before.place, event.place)) return before;
  const ashore =
    before.where === "sailing" || before.where === "berthed" ? landed(before, event, route) : before;
  if (!isAshoreForGood(ashore)) {
    // On the way to the ship, or between the terminals of a transshipment.
    return before.where === "origin" ? { ...before, place: event.place } : before;
  }
  const here = { ...ashore, place: event.place };
  const destination = route.landDestination;
  const atDestination = destination === null || samePlace(event.place, destination);
  const elsewhere = !samePlace(event.place, ashore.landing?.place ?? null);
  // At the consignee's own place, whatever brought it there.
  if (event.place?.facilityType === "CLOC") return { ...here, where: "delivered" };
  const byTrain = event.mode === "rail" || event.mode === "barge";
  const arrivedInland = elsewhere && atDestination;
  switch (event.code) {
    case "GTOT":
    case "PICK":
      // Out of the port by train, or by truck to a destination that lies elsewhere: on-carriage.
      // Out of the gate where the journey ends: handed to the consignee.
      if (byTrain && !arrivedInland) return { ...here, where: "on_carriage" };
      return { ...here, where: atDestination ? "delivered" : "on_carriage" };
    case "LOAD":
    case "DEPA":
      return arrivedInland ? ashore : { ...here, where: "on_carriage" };
    case "ARRI":
      return samePlace(event.place, ashore.place) ? ashore : { ...here, where: "on_carriage" };
    case "GTIN":
      // In at the gate of the inland terminal where the journey ends: there it waits for pick-up.
      return arrivedInland ? { ...here, where: "available" } : ashore;
    case "DISC":
      return arrivedInland && ashore.where !== "available" ? { ...here, where: "discharged" } : ashore;
    case "DROP":
      return atDestination ? { ...here, where: "delivered" } : ashore;
    // Its cargo taken out.
    case "STRP":
      return { ...here, where: "delivered" };
    default:
      return ashore;
  }
}
