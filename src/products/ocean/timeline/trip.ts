/**
 * A shipment is one trip of a box, from the empty pick-up to the empty return. Carriers answer with all that
 * they know of the box: the previous trip, this one, and the first moves of the next.
 */
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { inOrder } from "./order.ts";
import { isOtherCargo, withDocuments, NO_DOCUMENTS, type CargoDocuments } from "./transport-documents.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

export type Trip = {
  /** In order of time. */
  readonly events: readonly CarrierEvent[];
  /** A moment inside the trip, which finds it again in later answers; null before the first actual move. */
  readonly anchorMs: number | null;
  /** No event of the trip is earlier. */
  readonly sinceMs: number;
};

/**
 * The trip that `anchorMs` lies in; without an anchor the latest. Moves after the empty return belong to the next
 * shipper's cargo and must not revive this shipment.
 */
export function currentTrip(statements: readonly CarrierEvent[], anchorMs: number | null): Trip {
  const trips = tripsOf(statements);
  const found = anchorMs === null ? undefined : trips.findLast(({ sinceMs }) => sinceMs <= anchorMs);
  const trip = found ?? trips.at(-1) ?? { events: [], anchorMs: null, sinceMs: Number.NEGATIVE_INFINITY };
  return { ...trip, anchorMs: anchorMs ?? trip.anchorMs };
}

/** The first trip after one whose last move was at `endMs`, the first one of the next trip included; null: none yet. */
export function tripAfter(statements: readonly CarrierEvent[], endMs: number): Trip | null {
  const trips = tripsOf(statements);
  const last = trips.findLastIndex(({ events }) => events[0] !== undefined && events[0].at.ms < endMs);
  const next = trips[last + 1];
  if (next !== undefined) return next;
  // A box that was handed over goes by vessel again only with its next cargo, unless it was not handed over.
  const since = trips[last]?.events.filter(({ at }) => at.ms > endMs) ?? [];
  const isOnlyPlanned = since.every(({ classifier, kind }) => classifier !== "actual" || kind === "shipment");
  return isOnlyPlanned && since.some(isPlannedSailing)
    ? { events: since, anchorMs: null, sinceMs: endMs }
    : null;
}

/** All trips, the first one first; the last one has begun, but may only be planned. */
export function tripsOf(statements: readonly CarrierEvent[]): readonly Trip[] {
  const ordered = inOrder(statements);
  const trips: Trip[] = [];
  let from = 0;
  let returned = -1;
  let progress = NOT_BEGUN;
  let sinceMs = Number.NEGATIVE_INFINITY;
  const cut = (end: number, next: number, nextSinceMs: number): void => {
    trips.push(tripIn(ordered.slice(from, end), sinceMs));
    from = next;
    sinceMs = nextSinceMs;
    returned = -1;
    progress = NOT_BEGUN;
  };
  for (const [index, event] of ordered.entries()) {
    const isMove = event.kind === "equipment" && event.classifier === "actual";
    const end = ordered[returned];
    if (end !== undefined) {
      // Said again, with its time corrected.
      if (isMove && isEmptyReturn(event) && event.at.ms - end.at.ms <= DAY_MS) returned = index;
      if (!beginsAfterReturn(event, progress.cargo)) continue;
      cut(returned + 1, returned + 1, end.at.ms);
    } else if (isMove && progress.laden && isEmptyReturn(event)) {
      returned = index;
      continue;
    } else if (beginsNext(index, ordered, progress)) {
      // Out of a depot empty, the box has come back before.
      const isBack = isEmptyPickUp(event) && event.place?.facilityType === "DEPO";
      cut(isBack ? index + 1 : index, index, event.at.ms);
    }
    if (isMove) progress = afterMove(progress, event);
  }
  trips.push(tripIn(ordered.slice(from, returned < 0 ? undefined : returned + 1), sinceMs));
  return trips;
}

function tripIn(events: readonly CarrierEvent[], sinceMs: number): Trip {
  const first = events.find(({ classifier, kind }) => classifier === "actual" && kind === "equipment");
  return { events, anchorMs: first?.at.ms ?? null, sinceMs };
}

type TripProgress = {
  readonly laden: boolean;
  /** The last discharge of the laden box. */
  readonly landing: CarrierEvent | null;
  /** Since then, the box has gone out of this gate laden and come in at none. */
  readonly out: CarrierEvent | null;
  readonly cargo: CargoDocuments;
};

const NOT_BEGUN: TripProgress = { laden: false, landing: null, out: null, cargo: NO_DOCUMENTS };

function afterMove({ laden, landing, out, cargo }: TripProgress, move: CarrierEvent): TripProgress {
  const landed = move.code === "DISC" && isLaden(move);
  const isOut = move.code === "GTOT" && move.laden !== false;
  const still = move.code === "GTIN" ? null : out;
  return {
    laden: laden || isLaden(move),
    landing: landed ? move : landing,
    out: landing === null ? null : isOut ? move : still,
    cargo: withDocuments(cargo, move),
  };
}

/** After an empty return: the first statement of the next trip. */
function beginsAfterReturn(event: CarrierEvent, cargo: CargoDocuments): boolean {
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

function isPlannedSailing(event: CarrierEvent): boolean {
  const { classifier, mode, code, laden } = event;
  return (
    classifier !== "actual" && mode === "vessel" && laden !== false && (code === "LOAD" || code === "DEPA")
  );
}

function namesOtherCargo(event: CarrierEvent, cargo: CargoDocuments): boolean {
  return event.documents.length > 0 && isOtherCargo(withDocuments(NO_DOCUMENTS, event), cargo);
}

/** No box is on the road between two terminals for longer. */
const ON_THE_ROAD_MS_MAX = 10 * DAY_MS;

/** Whether a statement after a discharge is the first of the box's next trip. */
function beginsNext(index: number, ordered: readonly CarrierEvent[], trip: TripProgress): boolean {
  const { landing, out, cargo } = trip;
  const event = ordered[index];
  if (landing === null || event === undefined) return false;
  if (event.kind !== "equipment" || event.classifier !== "actual")
    return out !== null && namesOtherCargo(event, cargo);
  if (!TRIP_START_CODES.has(event.code)) return false;
  // Between two terminals of a port a laden box may be reported as empty.
  const fetched = isEmptyPickUp(event) && (out !== null || event.place?.facilityType !== "POTE");
  if (fetched && isLadenNext(ordered.slice(index + 1))) return true;
  if (out !== null && isLongSince(out, event)) return true;
  // A loading where the box was discharged may be a transshipment.
  if (event.code === "LOAD" && samePlace(event.place, landing.place)) return false;
  return namesOtherCargo(event, cargo);
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
function isLaden(move: CarrierEvent): boolean {
  const byVessel = move.mode === "vessel" && (move.code === "LOAD" || move.code === "DISC");
  return move.laden === true || (move.laden === null && byVessel);
}

/** The box that was picked up empty comes in at a gate laden: it went to a shipper, not to a depot. */
function isLadenNext(later: readonly CarrierEvent[]): boolean {
  const next = later.find(
    ({ kind, classifier, code }) =>
      kind === "equipment" &&
      classifier === "actual" &&
      (code === "GTIN" || code === "DROP" || code === "LOAD"),
  );
  return next?.laden === true;
}

/** Some carriers leave the empty indicator out at a depot, where trucks bring empty boxes only. */
export function isEmptyReturn(event: CarrierEvent): boolean {
  const byTruck = event.mode === null || event.mode === "truck";
  const empty =
    event.laden === false || (event.laden === null && byTruck && event.place?.facilityType === "DEPO");
  return event.kind === "equipment" && (event.code === "GTIN" || event.code === "DROP") && empty;
}

function isEmptyPickUp(event: CarrierEvent): boolean {
  return (event.code === "GTOT" || event.code === "PICK") && event.laden === false;
}
