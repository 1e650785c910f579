/**
 * A box goes from trip to trip, and carriers answer with whatever they know of it: the trip before,
 * ours, and the first moves of the next. A shipment is one trip: from the empty pick-up to the empty
 * return.
 */
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { isOtherCargo, withDocuments, NO_DOCUMENTS, type CargoDocuments } from "./transport-documents.ts";

export type Trip = {
  readonly events: readonly CarrierEvent[];
  /** A moment inside the trip, by which it is found again in later answers; null before anything happened. */
  readonly anchorMs: number | null;
};

/**
 * The box's trip that `anchorMs` lies in; without an anchor the latest, which is the one somebody who
 * starts tracking now asks about. What comes after the empty return is left out: a laden move there
 * belongs to the next shipper's cargo, and must not revive this shipment.
 */
export function currentTrip(statements: readonly CarrierEvent[], anchorMs: number | null): Trip {
  const { returnsMs, nextBeganAfterReturn } = emptyReturns(statements);
  const begun = returnsMs.filter((_, index) => nextBeganAfterReturn[index]);
  const startMs =
    anchorMs === null
      ? (begun.at(-1) ?? Number.NEGATIVE_INFINITY)
      : (begun.findLast((ms) => ms < anchorMs) ?? Number.NEGATIVE_INFINITY);
  const endMs = returnsMs.find((ms) => ms > startMs) ?? Number.POSITIVE_INFINITY;
  const events = statements.filter((event) => event.at.ms > startMs && event.at.ms <= endMs);
  const firstMs = events
    .filter((event) => event.classifier === "actual" && event.kind === "equipment")
    .reduce((least, event) => Math.min(least, event.at.ms), Number.POSITIVE_INFINITY);
  return { events, anchorMs: anchorMs ?? (Number.isFinite(firstMs) ? firstMs : null) };
}

/**
 * Each moment that ended a laden trip, and whether another trip has begun since. It ends with its empty
 * return; where the carrier never reports that, with what begins the next one.
 */
function emptyReturns(statements: readonly CarrierEvent[]): {
  readonly returnsMs: readonly number[];
  readonly nextBeganAfterReturn: readonly boolean[];
} {
  const moves = statements
    .filter((event) => event.kind === "equipment" && event.classifier === "actual")
    .toSorted((a, b) => a.at.ms - b.at.ms);
  const returnsMs: number[] = [];
  const nextBeganAfterReturn: boolean[] = [];
  let trip = NOT_BEGUN;
  const end = (atMs: number, nextBegan: boolean): void => {
    returnsMs.push(atMs);
    nextBeganAfterReturn.push(nextBegan);
  };
  for (const [index, move] of moves.entries()) {
    const begun = nextBeganAfterReturn.at(-1) ?? true;
    if (!begun) {
      const isLater = move.at.ms > (returnsMs.at(-1) ?? 0);
      // Its pick-up was never told.
      const sails = move.code === "LOAD" && move.mode === "vessel" && move.laden === true;
      if (!isLater || !(sails || isEmptyPickUp(move))) continue;
      nextBeganAfterReturn[returnsMs.length - 1] = true;
      trip = NOT_BEGUN;
    } else if (trip.laden && isEmptyReturn(move)) {
      end(move.at.ms, false);
      continue;
    } else if (beginsNext(index, moves, trip)) {
      end(move.at.ms - 1, true);
      trip = NOT_BEGUN;
    }
    trip = afterMove(trip, move);
  }
  return { returnsMs, nextBeganAfterReturn };
}

/** How far a trip has come, of which no end has been told yet. */
type TripProgress = {
  readonly laden: boolean;
  /** The last discharge of the laden box. */
  readonly landing: CarrierEvent | null;
  /** It has left a gate laden since, and come in at none. */
  readonly out: boolean;
  readonly cargo: CargoDocuments;
};

const NOT_BEGUN: TripProgress = { laden: false, landing: null, out: false, cargo: NO_DOCUMENTS };

function afterMove({ laden, landing, out, cargo }: TripProgress, move: CarrierEvent): TripProgress {
  const landed = move.code === "DISC" && isLaden(move);
  const isOut = move.code === "GTOT" && move.laden !== false;
  return {
    laden: laden || isLaden(move),
    landing: landed ? move : landing,
    out: landing !== null && (isOut || (out && move.code !== "GTIN")),
    cargo: withDocuments(cargo, move),
  };
}

/** Whether a move after a discharge is the first of the box's next trip. */
function beginsNext(index: number, moves: readonly CarrierEvent[], trip: TripProgress): boolean {
  const { landing, out, cargo } = trip;
  const move = moves[index];
  if (landing === null || move === undefined || !TRIP_START_CODES.has(move.code)) return false;
  // Between two of a port's terminals a laden box may be told as an empty one.
  const fetched = isEmptyPickUp(move) && (out || move.place?.facilityType !== "POTE");
  if (fetched && isLadenNext(moves.slice(index + 1))) return true;
  // For a transshipment, too, it is loaded where it was discharged.
  if (move.documents.length === 0 || (move.code === "LOAD" && samePlace(move.place, landing.place)))
    return false;
  return isOtherCargo(withDocuments(NO_DOCUMENTS, move), cargo);
}

/** What is done to a box for a cargo before it sails. */
const TRIP_START_CODES: ReadonlySet<string> = new Set(["GTOT", "PICK", "STUF", "GTIN", "DROP", "LOAD"]);

/** Nobody ships an empty box without saying that it is one. */
function isLaden(move: CarrierEvent): boolean {
  const byShip = move.mode === "vessel" && (move.code === "LOAD" || move.code === "DISC");
  return move.laden === true || (move.laden === null && byShip);
}

/** Whether the box that was picked up empty comes in at a gate laden: it went to a shipper, not to a depot. */
function isLadenNext(later: readonly CarrierEvent[]): boolean {
  const next = later.find(({ code }) => code === "GTIN" || code === "DROP" || code === "LOAD");
  return next?.laden === true;
}

/** Some carriers leave the emptiness out at the depot, where a truck brings nothing laden. */
export function isEmptyReturn(event: CarrierEvent): boolean {
  const byTruck = event.mode === null || event.mode === "truck";
  const empty =
    event.laden === false || (event.laden === null && byTruck && event.place?.facilityType === "DEPO");
  return event.kind === "equipment" && (event.code === "GTIN" || event.code === "DROP") && empty;
}

function isEmptyPickUp(event: CarrierEvent): boolean {
  return (event.code === "GTOT" || event.code === "PICK") && event.laden === false;
}
