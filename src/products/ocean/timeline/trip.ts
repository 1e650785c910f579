/**
 * A shipment is one trip of a box, from the empty pick-up to the empty return. Carriers answer with all that
 * they know of the box: the previous trip, this one, and the first moves of the next.
 */
import { samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { inOrder } from "./order.ts";
import {
  cargoDocumentsOf,
  isOtherCargo,
  sharesDocument,
  withDocuments,
  NO_DOCUMENTS,
  type CargoDocuments,
} from "./transport-documents.ts";
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
export function currentTrip(
  statements: readonly CarrierEvent[],
  anchorMs: number | null,
  announced: Place | null = null,
): Trip {
  const trips = tripsOf(statements, announced);
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

/**
 * All trips, the first one first; the last one has begun, but may only be planned. `announced` is the last port of the
 * trip that is shown, in case that its plan is stated no more.
 */
export function tripsOf(
  statements: readonly CarrierEvent[],
  announced: Place | null = null,
): readonly Trip[] {
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
    const isMove = isActualMove(event);
    const end = ordered[returned];
    if (end !== undefined) {
      // Said again, with its time corrected.
      if (isMove && isEmptyReturn(event) && event.at.ms - end.at.ms <= DAY_MS) returned = index;
      if (!beginsAfterReturn(event, progress.cargo)) continue;
      cut(returned + 1, returned + 1, end.at.ms);
    } else if (isMove && progress.laden && isEmptyReturn(event)) {
      returned = index;
      continue;
    } else if (beginsNext(index, ordered, progress, announced)) {
      // Out of a depot empty, a box that had landed has come back before.
      const isBack =
        progress.landing !== null && isEmptyPickUp(event) && event.place?.facilityType === "DEPO";
      cut(isBack ? index + 1 : index, index, event.at.ms);
    }
    if (isMove) progress = afterMove(progress, event);
    else if (event.classifier === "actual" && event.code === "DEPA" && progress.laden)
      progress = { ...progress, sailed: event };
  }
  trips.push(tripIn(ordered.slice(from, returned < 0 ? undefined : returned + 1), sinceMs));
  return withoutOtherPlans(trips);
}

/** Each without the plans and documents of another trip's cargo, or of one that is to be fetched when this one is over. */
function withoutOtherPlans(trips: readonly Trip[]): readonly Trip[] {
  const moves = trips.map(({ events }) => events.filter(isActualMove));
  const cargos = moves.map(cargoDocumentsOf);
  return trips.map((trip, index) => {
    const cargo = cargos[index] ?? NO_DOCUMENTS;
    const others = trip.events.filter((event) => !isActualMove(event) && namesOtherCargo(event, cargo));
    const first = others.find(({ kind }) => kind !== "shipment");
    const hasSailed = moves[index]?.some((move) => move.mode === "vessel" && isLaden(move)) ?? false;
    const isImported = moves[index]?.some(({ movement }) => movement === "import") ?? false;
    const isNext = first !== undefined && (isImported || (hasSailed && isFetching(first)));
    const left = others.filter((event) => isNext || cargos.some((other) => sharesDocument(event, other)));
    return left.length === 0
      ? trip
      : { ...trip, events: trip.events.filter((event) => !left.includes(event)) };
  });
}

function isActualMove({ kind, classifier }: CarrierEvent): boolean {
  return kind === "equipment" && classifier === "actual";
}

function tripIn(events: readonly CarrierEvent[], sinceMs: number): Trip {
  const first = events.find(isActualMove);
  return { events, anchorMs: first?.at.ms ?? null, sinceMs };
}

type TripProgress = {
  readonly laden: boolean;
  /** The last discharge of the laden box. */
  readonly landing: CarrierEvent | null;
  /** The last loading on a vessel, or departure of one; the end of its voyage may go unreported. */
  readonly sailed: CarrierEvent | null;
  /** Since then, the box has gone out of this gate laden and come in at none. */
  readonly out: CarrierEvent | null;
  readonly cargo: CargoDocuments;
};

const NOT_BEGUN: TripProgress = { laden: false, landing: null, sailed: null, out: null, cargo: NO_DOCUMENTS };

function afterMove({ laden, landing, sailed, out, cargo }: TripProgress, move: CarrierEvent): TripProgress {
  const landed = move.code === "DISC" && isLaden(move);
  const isOut = move.code === "GTOT" && move.laden !== false;
  const still = move.code === "GTIN" ? null : out;
  return {
    laden: laden || isLaden(move),
    landing: landed ? move : landing,
    sailed: move.code === "LOAD" && move.mode === "vessel" && isLaden(move) ? move : sailed,
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

/** Whether a statement after a discharge, or after an unreported one, is the first of the box's next trip. */
function beginsNext(
  index: number,
  ordered: readonly CarrierEvent[],
  trip: TripProgress,
  announced: Place | null,
): boolean {
  const { landing, sailed, out, cargo } = trip;
  const event = ordered[index];
  if (event === undefined || (landing === null && sailed === null)) return false;
  const isOther = namesOtherCargo(event, cargo);
  if (event.kind !== "equipment" || event.classifier !== "actual") return out !== null && isOther;
  if (!TRIP_START_CODES.has(event.code)) return false;
  // Between two terminals of a port a laden box may be reported as empty.
  const fetched = isEmptyPickUp(event) && (out !== null || event.place?.facilityType !== "POTE");
  const isFetched = fetched && isLadenNext(ordered.slice(index + 1));
  if (landing === null) {
    const isElsewhere = !samePlace(event.place, sailed?.place ?? null);
    if (isFetched && isElsewhere && !sharesDocument(event, cargo)) return true;
    if (!isOther || event.movement === "transshipment") return false;
    if (event.code !== "LOAD") return isFetching(event) && (isElsewhere || isEmptyPickUp(event));
    return isElsewhere && samePlace(event.place, plannedEnd(ordered, cargo) ?? announced);
  }
  if (isFetched) return true;
  if (out !== null && isLongSince(out, event)) return true;
  // A loading where the box was discharged may be a transshipment.
  if (event.code === "LOAD" && landing.movement !== "import" && samePlace(event.place, landing.place))
    return false;
  return isOther;
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
function isFetching(event: CarrierEvent): boolean {
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
function isLaden(move: CarrierEvent): boolean {
  const byVessel = move.mode === "vessel" && (move.code === "LOAD" || move.code === "DISC");
  return move.laden === true || (move.laden === null && byVessel);
}

/** The box that was picked up empty comes in at a gate laden: it went to a shipper, not to a depot, nor was it at sea. */
function isLadenNext(later: readonly CarrierEvent[]): boolean {
  const next = later.find(
    ({ kind, classifier, code, mode }) =>
      kind === "equipment" &&
      classifier === "actual" &&
      (code === "GTIN" || code === "DROP" || code === "LOAD" || (code === "DISC" && mode === "vessel")),
  );
  return next?.laden === true && next.code !== "DISC";
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
