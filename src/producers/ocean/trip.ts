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

/** Each actual empty return that ended a laden trip, and whether an empty pick-up followed it. */
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
  for (const move of moves) {
    const begun = nextBeganAfterReturn.at(-1) ?? true;
    if (!begun && isEmptyPickUp(move) && move.at.ms > (returnsMs.at(-1) ?? 0)) {
      nextBeganAfterReturn[returnsMs.length - 1] = true;
      laden = false;
    } else if (begun && laden && isEmptyReturn(move)) {
      returnsMs.push(move.at.ms);
      nextBeganAfterReturn.push(false);
    } else if (begun) {
      laden ||= move.laden === true;
    }
  }
  return { returnsMs, nextBeganAfterReturn };
}

/** Some carriers leave the emptiness out at the depot, where nothing laden goes. */
export function isEmptyReturn(event: CarrierEvent): boolean {
  const empty = event.laden === false || (event.laden === null && event.place?.facilityType === "DEPO");
  return event.kind === "equipment" && (event.code === "GTIN" || event.code === "DROP") && empty;
}

function isEmptyPickUp(event: CarrierEvent): boolean {
  return (event.code === "GTOT" || event.code === "PICK") && event.laden === false;
}
