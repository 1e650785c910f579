/**
 * A shipment is one trip of a box, from the empty pick-up to the empty return. Carriers answer with all that
 * they know of the box: the previous trip, this one, and the first moves of the next.
 */
import type { CarrierEvent, Place } from "../sources/carrier-event.ts";
import { inOrder } from "./order.ts";
import { cargoDocumentsOf, sharesDocument, NO_DOCUMENTS } from "./transport-documents.ts";
import {
  afterEvent,
  beginsAfterReturn,
  beginsNext,
  isActualMove,
  isEmptyPickUp,
  isEmptyReturn,
  isFetching,
  isLaden,
  isPlannedSailing,
  namesOtherCargo,
  NOT_BEGUN,
  type ShownVoyage,
} from "./trip-start.ts";
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
  const trips = tripsOf(statements, anchorMs === null ? null : { anchorMs, port: announced });
  const found = anchorMs === null ? undefined : trips.findLast(({ sinceMs }) => sinceMs <= anchorMs);
  const trip = found ?? trips.at(-1) ?? { events: [], anchorMs: null, sinceMs: Number.NEGATIVE_INFINITY };
  return { ...trip, anchorMs: anchorMs ?? trip.anchorMs };
}

/** The first trip after one whose last move was at `endMs`, the first one of the next trip included; null: none yet. */
export function tripAfter(statements: readonly CarrierEvent[], endMs: number): Trip | null {
  const trips = cutTrips(statements, null);
  const last = trips.findLastIndex(({ events }) => events[0] !== undefined && events[0].at.ms < endMs);
  const next = withoutOtherPlans(trips)[last + 1];
  if (next !== undefined) return next;
  // A box that was handed over goes by vessel again only with its next cargo, unless it was not handed over.
  const since = trips[last]?.events.filter(({ at }) => at.ms > endMs) ?? [];
  const isOnlyPlanned = since.every(({ classifier, kind }) => classifier !== "actual" || kind === "shipment");
  return isOnlyPlanned && since.some(isPlannedSailing)
    ? { events: since, anchorMs: null, sinceMs: endMs }
    : null;
}

/**
 * All trips, the first one first; the last one has begun, but may only be planned. Of the trip that is shown, the last
 * port was announced, though its plan may be stated no more.
 */
export function tripsOf(
  statements: readonly CarrierEvent[],
  shown: ShownVoyage | null = null,
): readonly Trip[] {
  return withoutOtherPlans(cutTrips(statements, shown));
}

function cutTrips(statements: readonly CarrierEvent[], shown: ShownVoyage | null): readonly Trip[] {
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
    } else if (beginsNext(index, ordered, progress, shown)) {
      // Out of a depot empty, a box that had landed has come back before.
      const isBack =
        progress.landing !== null && isEmptyPickUp(event) && event.place?.facilityType === "DEPO";
      cut(isBack ? index + 1 : index, index, event.at.ms);
    }
    progress = afterEvent(progress, event);
  }
  trips.push(tripIn(ordered.slice(from, returned < 0 ? undefined : returned + 1), sinceMs));
  return trips;
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

function tripIn(events: readonly CarrierEvent[], sinceMs: number): Trip {
  const first = events.find(isActualMove);
  return { events, anchorMs: first?.at.ms ?? null, sinceMs };
}
