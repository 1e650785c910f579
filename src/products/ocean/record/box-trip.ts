/** Which trip of its box a shipment is, and what ends it. */
import type { CarrierEvent } from "../sources/carrier-event.ts";
import { isSameVessel, isVesselCall } from "../timeline/calls.ts";
import { inOrder } from "../timeline/order.ts";
import { isActualMove, isEmptyReturn, namesOtherCargo } from "../timeline/trip-start.ts";
import { cargoDocumentsOf, plainReference, TRACKED_DOCUMENT_TYPES } from "../timeline/transport-documents.ts";
import { NOTHING_ANNOUNCED } from "../timeline/route.ts";
import { isCorrection, restates, type Timeline } from "../timeline/timeline.ts";
import { currentTrip, tripAfter, tripsOf, type Trip } from "../timeline/trip.ts";
import type { BoxRecord, Statements, TripEnd } from "./shipment-record.ts";

/** `number` counts the trips that the record has shown before; `afterMs` as in the record. */
export type ShownTrip = Pick<Trip, "events" | "anchorMs"> & {
  readonly number: number;
  readonly afterMs: number | null;
};

/**
 * A transport document names one cargo, and its trip stays the trip. A container number names the box: if its latest
 * trip had ended when tracking began, the shipment is the next one, as soon as the carrier states anything of it.
 */
export function shownTrip(
  own: readonly CarrierEvent[],
  before: BoxRecord | null,
  about: Pick<Statements, "identifierType" | "reference">,
): ShownTrip {
  const { anchorMs = null, afterTripMs = null, trip = 0, announced = NOTHING_ANNOUNCED } = before ?? {};
  if (afterTripMs !== null) {
    const next = tripAfter(own, afterTripMs);
    if (next !== null) return { ...next, number: 1, afterMs: next.anchorMs === null ? afterTripMs : null };
    return { ...currentTrip(own, anchorMs ?? afterTripMs), number: 0, afterMs: afterTripMs };
  }
  if (anchorMs !== null)
    return { ...currentTrip(own, anchorMs, announced.port), number: trip, afterMs: null };
  const trips = tripsOf(own);
  if (about.identifierType !== "container_id")
    return { ...tripOfDocument(trips, about.reference), number: trip, afterMs: null };
  const index = indexOfTrip(trips, before);
  const [last, shown] = [trips[index - 1], trips[index] ?? NO_TRIP];
  const isPlanned = last !== undefined && shown.anchorMs === null;
  return { ...shown, number: isPlanned ? 1 : trip, afterMs: isPlanned ? lastMoveMs(last.events) : null };
}

/** The latest, or the one that was planned when the record before knew of no move. */
function indexOfTrip(trips: readonly Trip[], before: BoxRecord | null): number {
  const fromMs = before?.timeline[0]?.at.ms ?? Number.POSITIVE_INFINITY;
  const planned = trips.findIndex(({ events }) => (events.at(-1)?.at.ms ?? 0) >= fromMs);
  return planned < 0 ? trips.length - 1 : planned;
}

function tripOfDocument(trips: readonly Trip[], reference = ""): Trip {
  const named = trips.find(({ events }) => events.some((event) => namesDocument(event, reference)));
  return named ?? trips.findLast((trip) => trip.anchorMs !== null) ?? trips.at(-1) ?? NO_TRIP;
}

export function namesDocument({ documents }: CarrierEvent, reference: string): boolean {
  return documents.some(
    ({ type, value }) => TRACKED_DOCUMENT_TYPES.has(type) && isSameDocument(value, reference),
  );
}

const NO_TRIP: Trip = { events: [], anchorMs: null, sinceMs: Number.NEGATIVE_INFINITY };

/** Some carriers write a bill of lading without its SCAC. */
function isSameDocument(one: string, other: string): boolean {
  const [plain, tracked] = [plainReference(one), plainReference(other)];
  return plain === tracked || plain === tracked.slice(4) || plain.slice(4) === tracked;
}

/**
 * An answer that holds the end of the trip, and none of what came first: with the known statements from before it. What
 * is left would be of any trip, or of none.
 */
export function withPruned(own: readonly CarrierEvent[], before: BoxRecord | null): readonly CarrierEvent[] {
  const stated = inOrder(own.filter(isActualStep));
  const [first] = stated;
  if (before === null || first === undefined) return own;
  const known = before.timeline.filter(({ classifier }) => classifier === "actual");
  const end = before.end ?? null;
  const last = end === null ? handoverIn(stated, known) : endIn(stated, end, known);
  if (last === undefined || namesOtherCargo(last, cargoDocumentsOf(known))) return own;
  const isPruned = (one: CarrierEvent): boolean =>
    one.at.ms < first.at.ms && !own.some((move) => restates(move, one));
  return [...known.filter(isPruned), ...own];
}

function isActualStep({ classifier, kind }: CarrierEvent): boolean {
  return classifier === "actual" && kind !== "shipment";
}

/** The known end, a known gate-out beside a return or after a delivery, or the empty return after a known delivery. */
function endIn(
  stated: readonly CarrierEvent[],
  { status, event }: TripEnd,
  known: Timeline,
): CarrierEvent | undefined {
  const isReturned = status === "returned_empty";
  const out = known.filter((one) => isLadenOut(one) && (isReturned || one.at.ms > event.at.ms));
  const again = [event, ...out].flatMap((one) => stated.find((move) => restates(move, one)) ?? [])[0];
  if (again !== undefined || isReturned) return again;
  const next = stated.find((move) => move.at.ms > event.at.ms && isActualMove(move));
  return next !== undefined && isEmptyReturn(next) ? next : undefined;
}

/** A carrier may prune in the answer that first states the end: it begins after a known sailing, or with it. */
function handoverIn(
  stated: readonly CarrierEvent[],
  known: readonly CarrierEvent[],
): CarrierEvent | undefined {
  const sinceMs = stated[0]?.at.ms ?? Number.NEGATIVE_INFINITY;
  if (!known.some((event) => isVesselCall(event, "LOAD", "DEPA") && event.at.ms <= sinceMs)) return undefined;
  return stated.find((move) => isEmptyReturn(move) || isLadenOut(move));
}

function isLadenOut({ code, laden }: CarrierEvent): boolean {
  return (code === "GTOT" || code === "PICK") && laden !== false;
}

/** The last actual move of the box; null before the first one. */
export function lastMoveMs(events: readonly CarrierEvent[]): number | null {
  const moves = events.filter(({ classifier, kind }) => classifier === "actual" && kind === "equipment");
  return moves.length === 0 ? null : Math.max(...moves.map(({ at }) => at.ms));
}

/** The shown trip has ended, and the shipment is the next one. */
export function isAwaitingNextTrip({ afterTripMs, end }: BoxRecord): boolean {
  return afterTripMs !== undefined && end !== null && end !== undefined;
}

/**
 * Why an answer no longer shows the end that the record before it has:
 *
 * - `explained`: by a move after it, a correction, or a plan; the statements of the answer decide;
 * - `pruned`: the statement of the end is there, but not all from which it follows; the end stands;
 * - `dropped`: its statement is missing without a reason; the end stands until the next answer.
 */
export function lostEnd(
  { event }: TripEnd,
  before: BoxRecord,
  own: readonly CarrierEvent[],
  { events, timeline }: Pick<Trip, "events"> & { readonly timeline: Timeline },
): "explained" | "pruned" | "dropped" {
  const isMove = ({ classifier, kind }: CarrierEvent): boolean =>
    classifier === "actual" && kind !== "shipment";
  // The vessel that brought the box makes more calls.
  const isIts = ({ kind, vessel }: CarrierEvent): boolean =>
    kind === "equipment" || vessel === null || before.vessel === null || !isSameVessel(vessel, before.vessel);
  const isNew = (move: CarrierEvent): boolean =>
    isIts(move) && !before.timeline.some((known) => restates(move, known));
  if (timeline.some((move) => isMove(move) && move.at.ms > event.at.ms && isNew(move))) return "explained";
  if (own.some((move) => restates(move, event))) {
    const isPruned = before.timeline.some(
      (known) => isMove(known) && !own.some((move) => restates(move, known)),
    );
    return isPruned ? "pruned" : "explained";
  }
  const corrects = (move: CarrierEvent): boolean =>
    move.code === event.code &&
    !before.timeline.some((known) => known.classifier === move.classifier && isCorrection(move, known));
  // Other trips have gates of their own.
  return events.some(corrects) ? "explained" : "dropped";
}
