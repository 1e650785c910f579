/** Which statement is the first of a box's next trip, by what has happened to the box before it. */
import { samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import {
  isOtherCargo,
  sharesDocument,
  withDocuments,
  NO_DOCUMENTS,
  type CargoDocuments,
} from "./transport-documents.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

export type ShownVoyage = { readonly anchorMs: number; readonly port: Place | null };

export type TripProgress = {
  readonly laden: boolean;
  /** The last discharge of the laden box. */
  readonly landing: CarrierEvent | null;
  /** The last loading on a vessel, or departure of one; the end of its voyage may go unreported. */
  readonly sailed: CarrierEvent | null;
  /** Since then, the box has gone out of this gate laden and come in at none. */
  readonly out: CarrierEvent | null;
  readonly cargo: CargoDocuments;
};

export const NOT_BEGUN: TripProgress = {
  laden: false,
  landing: null,
  sailed: null,
  out: null,
  cargo: NO_DOCUMENTS,
};

export function afterEvent(before: TripProgress, event: CarrierEvent): TripProgress {
  const { laden, landing, sailed, out, cargo } = before;
  const departs = event.code === "DEPA" && event.classifier === "actual" && laden;
  if (!isActualMove(event)) return departs ? { ...before, sailed: event } : before;
  const landed = event.code === "DISC" && isLaden(event);
  const isOut = event.code === "GTOT" && event.laden !== false;
  const still = event.code === "GTIN" ? null : out;
  const isLoaded = event.code === "LOAD" && event.mode === "vessel" && isLaden(event);
  return {
    laden: laden || isLaden(event),
    landing: landed ? event : landing,
    sailed: isLoaded ? event : sailed,
    out: landing === null ? null : isOut ? event : still,
    cargo: withDocuments(cargo, event),
  };
}

/** After an empty return: the first statement of the next trip. */
export function beginsAfterReturn(event: CarrierEvent, cargo: CargoDocuments): boolean {
  if (isPlannedSailing(event) || namesOtherCargo(event, cargo)) return true;
  if (event.kind !== "equipment" || event.classifier !== "actual") return false;
  const { code, laden } = event;
  return (
    isEmptyPickUp(event) ||
    code === "STUF" ||
    (code === "GTIN" && laden === true) ||
    (code === "LOAD" && isLaden(event))
  );
}

export function isPlannedSailing(event: CarrierEvent): boolean {
  const { classifier, mode, code, laden } = event;
  return (
    classifier !== "actual" && mode === "vessel" && laden !== false && (code === "LOAD" || code === "DEPA")
  );
}

export function namesOtherCargo(event: CarrierEvent, cargo: CargoDocuments): boolean {
  return event.documents.length > 0 && isOtherCargo(withDocuments(NO_DOCUMENTS, event), cargo);
}

/** No box is on the road between two terminals for longer. */
const ON_THE_ROAD_MS_MAX = 10 * DAY_MS;

/** Whether a statement after a discharge, or after an unreported one, is the first of the box's next trip. */
export function beginsNext(
  index: number,
  ordered: readonly CarrierEvent[],
  trip: TripProgress,
  shown: ShownVoyage | null,
): boolean {
  const { landing, sailed, out, cargo } = trip;
  const event = ordered[index];
  if (event === undefined || (landing === null && sailed === null)) return false;
  const isOther = (): boolean => namesOtherCargo(event, cargo);
  if (event.kind !== "equipment" || event.classifier !== "actual") return out !== null && isOther();
  if (!TRIP_START_CODES.has(event.code)) return false;
  // Between two terminals of a port a laden box may be reported as empty.
  const fetched = isEmptyPickUp(event) && (out !== null || event.place?.facilityType !== "POTE");
  const next = fetched ? nextMove(ordered.slice(index + 1)) : null;
  // A box that was handed over, or was last at sea, has come back before it is out of a depot empty.
  const isLast = next === undefined && event.place?.facilityType === "DEPO";
  const isFetched =
    (isLast && (out !== null || landing === null)) || (next?.laden === true && next.code !== "DISC");
  if (landing === null) {
    const isElsewhere = !samePlace(event.place, sailed?.place ?? null);
    if (isFetched && isElsewhere && !sharesDocument(event, cargo)) return true;
    if (!isOther() || event.movement === "transshipment") return false;
    if (event.code !== "LOAD") return isFetching(event) && (isElsewhere || isEmptyPickUp(event));
    return isElsewhere && samePlace(event.place, plannedEnd(ordered, cargo) ?? announcedEnd(sailed, shown));
  }
  if (isFetched) return true;
  if (out !== null && isLongSince(out, event)) return true;
  // Where the box was discharged, a loading may be a transshipment, and a gate-in one at another terminal.
  const isHere = samePlace(event.place, landing.place) && landing.movement !== "import";
  if (event.code === "LOAD" && isHere) return false;
  if (event.code === "GTIN" && isHere && goesOn(landing, ordered, cargo, shown)) return false;
  return isOther();
}

/** By the carrier's word, the plan of the cargo, or the announced last port. */
function goesOn(
  landing: CarrierEvent,
  ordered: readonly CarrierEvent[],
  cargo: CargoDocuments,
  shown: ShownVoyage | null,
): boolean {
  const end = announcedEnd(landing, shown);
  return (
    landing.movement === "transshipment" ||
    (end !== null && !samePlace(end, landing.place)) ||
    ordered.some(
      (plan) => isPlannedSailing(plan) && samePlace(plan.place, landing.place) && sharesDocument(plan, cargo),
    )
  );
}

function announcedEnd(since: CarrierEvent | null, shown: ShownVoyage | null): Place | null {
  return shown !== null && since !== null && since.at.ms >= shown.anchorMs ? shown.port : null;
}

/** Where the plan of a cargo ends at sea, as far as the answer has it. */
function plannedEnd(ordered: readonly CarrierEvent[], cargo: CargoDocuments): Place | null {
  const arrival = ordered.findLast(
    (event) =>
      event.classifier !== "actual" &&
      event.mode === "vessel" &&
      (event.code === "ARRI" || event.code === "DISC") &&
      !namesOtherCargo(event, cargo),
  );
  return arrival?.place ?? null;
}

/** A move, done or planned, by which a shipper gets the box, or has filled it. */
export function isFetching(event: CarrierEvent): boolean {
  const isIn = event.code === "GTIN" && event.laden === true && event.movement !== "transshipment";
  return isEmptyPickUp(event) || event.code === "STUF" || isIn;
}

/** Handed over by truck, the box comes back laden so late that it has another cargo in it. */
function isLongSince(out: CarrierEvent, move: CarrierEvent): boolean {
  const byTruck = (event: CarrierEvent): boolean => event.mode === "truck" || event.mode === null;
  const comesBack =
    (move.code === "GTIN" && byTruck(move)) || (move.code === "LOAD" && move.mode === "vessel");
  if (!byTruck(out) || !comesBack || !isLaden(move)) return false;
  if (out.movement === "transshipment" || move.movement === "transshipment") return false;
  return move.at.ms - out.at.ms > ON_THE_ROAD_MS_MAX;
}

/** Moves for a cargo before its first sailing. */
const TRIP_START_CODES: ReadonlySet<string> = new Set(["GTOT", "PICK", "STUF", "GTIN", "DROP", "LOAD"]);

/** Carriers state it when they ship an empty box. */
export function isLaden(move: CarrierEvent): boolean {
  const byVessel = move.mode === "vessel" && (move.code === "LOAD" || move.code === "DISC");
  return move.laden === true || (move.laden === null && byVessel);
}

/** A box that went to a shipper comes in at a gate laden next, one that was at sea is discharged. */
function nextMove(later: readonly CarrierEvent[]): CarrierEvent | undefined {
  return later.find(
    (event) =>
      isActualMove(event) &&
      (["GTIN", "DROP", "LOAD"].includes(event.code) || (event.code === "DISC" && event.mode === "vessel")),
  );
}

/** Some carriers leave the empty indicator out at a depot, where trucks bring empty boxes only. */
export function isEmptyReturn(event: CarrierEvent): boolean {
  const byTruck = event.mode === null || event.mode === "truck";
  const empty =
    event.laden === false || (event.laden === null && byTruck && event.place?.facilityType === "DEPO");
  return event.kind === "equipment" && (event.code === "GTIN" || event.code === "DROP") && empty;
}

export function isEmptyPickUp(event: CarrierEvent): boolean {
  return (event.code === "GTOT" || event.code === "PICK") && event.laden === false;
}

export function isActualMove({ kind, classifier }: CarrierEvent): boolean {
  return kind === "equipment" && classifier === "actual";
}
