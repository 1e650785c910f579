/**
 * A shipment is one trip of a box, from the empty pick-up to the empty return. Carriers answer with all that
 * they know of the box: the previous trip, this one, and the first moves of the next.
 */
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { isOtherCargo, withDocuments, NO_DOCUMENTS, type CargoDocuments } from "./transport-documents.ts";

export type Trip = {
  readonly events: readonly CarrierEvent[];
  /** A moment inside the trip, which finds it again in later answers; null before the first actual move. */
  readonly anchorMs: number | null;
};

/**
 * The trip that `anchorMs` lies in; without an anchor the latest, which is what a client that starts tracking
 * now means. Moves after the empty return belong to the next shipper's cargo and must not revive this shipment.
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
 * Each moment that ended a laden trip, and whether another trip has begun since. A trip ends with its empty
 * return or, if the carrier never reports that, with the first move of the next trip.
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
      // Its pick-up was never reported.
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

type TripProgress = {
  readonly laden: boolean;
  /** The last discharge of the laden box. */
  readonly landing: CarrierEvent | null;
  /** Since then, the box has gone out of a gate laden and come in at none. */
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
  // Between two terminals of a port a laden box may be reported as empty.
  const fetched = isEmptyPickUp(move) && (out || move.place?.facilityType !== "POTE");
  if (fetched && isLadenNext(moves.slice(index + 1))) return true;
  // A loading where the box was discharged may be a transshipment.
  if (move.documents.length === 0 || (move.code === "LOAD" && samePlace(move.place, landing.place)))
    return false;
  return isOtherCargo(withDocuments(NO_DOCUMENTS, move), cargo);
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
  const next = later.find(({ code }) => code === "GTIN" || code === "DROP" || code === "LOAD");
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
