/**
 * A box goes from trip to trip, and carriers answer with whatever they know of it: the trip before,
 * ours, and the first moves of the next. A shipment is one trip: from the empty pick-up to the empty
 * return.
 */
import type { CarrierEvent } from "./carrier-event.ts";

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
 * return; where the carrier never reports that, with the next trip's empty pick-up.
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
  let laden = false;
  let landed = false;
  const end = (atMs: number, nextBegan: boolean): void => {
    returnsMs.push(atMs);
    nextBeganAfterReturn.push(nextBegan);
    laden = false;
    landed = false;
  };
  for (const [index, move] of moves.entries()) {
    const begun = nextBeganAfterReturn.at(-1) ?? true;
    if (!begun) {
      const isLater = move.at.ms > (returnsMs.at(-1) ?? 0);
      // Its pick-up was never told.
      laden = isLater && move.code === "LOAD" && move.mode === "vessel" && move.laden === true;
      if (laden || (isLater && isEmptyPickUp(move))) nextBeganAfterReturn[returnsMs.length - 1] = true;
    } else if (laden && isEmptyReturn(move)) {
      end(move.at.ms, false);
    } else if (landed && isPickUpAtDepot(move) && isFilledNext(moves.slice(index + 1))) {
      end(move.at.ms - 1, true);
    } else {
      laden ||= isLaden(move);
      landed ||= move.code === "DISC" && isLaden(move);
    }
  }
  return { returnsMs, nextBeganAfterReturn };
}

/** Nobody ships an empty box without saying that it is one. */
function isLaden(move: CarrierEvent): boolean {
  const byShip = move.mode === "vessel" && (move.code === "LOAD" || move.code === "DISC");
  return move.laden === true || (move.laden === null && byShip);
}

/** Whether the box that was picked up empty comes in at a gate laden: it went to a shipper, not to a depot. */
function isFilledNext(later: readonly CarrierEvent[]): boolean {
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

/** Not through a port's gate: between two of its terminals a laden box may be told as an empty one. */
function isPickUpAtDepot(event: CarrierEvent): boolean {
  return isEmptyPickUp(event) && event.place?.facilityType !== "POTE";
}
