/**
 * A shipment as it is known after an answer of its carrier: what is stored, shown and compared with
 * the next one. Everything in it follows from the carrier's statements and the time.
 */
import type { CarrierEvent, EventTime, Place, Vessel } from "./carrier-event.ts";
import type { IdentifierType } from "./reference.ts";
import { isVesselCall, plannedLanding } from "./route.ts";
import { readStatus, type ContainerStatus, type Reading, type Step } from "./status.ts";
import { timelineOf, type Timeline } from "./timeline.ts";
import { currentTrip } from "./trip.ts";

export type ShipmentRecord = {
  /** The carrier's SCAC. */
  readonly carrier: string;
  /** As the carrier knows the reference; null while it cannot be told. */
  readonly identifierType: IdentifierType | null;
  /** The container that the record follows. */
  readonly equipment: string | null;
  readonly status: ContainerStatus;
  readonly eta: { readonly at: EventTime; readonly actual: boolean } | null;
  readonly vessel: Vessel | null;
  readonly voyage: string | null;
  readonly origin: Place | null;
  readonly discharge: Place | null;
  readonly destination: Place | null;
  readonly milestones: readonly Milestone[];
  readonly timeline: Timeline;
  /** See `trip.ts`. */
  readonly anchorMs: number | null;
  /** When time alone makes the box `arriving`. */
  readonly arrivingFromMs: number | null;
};

/** A step of the voyage that has an event of its own in the catalogue (spec 6.3). */
export type Milestone = {
  /** What makes it this one and no other of the same shipment, in any later record. */
  readonly key: string;
  readonly type: MilestoneType;
  readonly from: ContainerStatus;
  readonly to: ContainerStatus;
  readonly at: EventTime;
};

export type MilestoneType =
  | "vessel_departed"
  | "customs_hold"
  | "container_available"
  | "container_delivered";

export type Statements = {
  readonly carrier: string;
  readonly identifierType: IdentifierType | null;
  /** A complete answer: what is no longer in it, the carrier has taken back. */
  readonly events: readonly CarrierEvent[];
};

/** The record after an answer. `previous` keeps the box and its trip the same from answer to answer. */
export function recordOf(
  statements: Statements,
  previous: ShipmentRecord | null,
  nowMs: number,
): ShipmentRecord {
  const equipment = boxOf(statements.events, previous?.equipment ?? null);
  const ofBox = statements.events.filter(
    (event) => event.equipment === null || event.equipment === equipment,
  );
  const trip = currentTrip(ofBox, previous?.anchorMs ?? null);
  const timeline = timelineOf(trip.events);
  if (previous !== null && isOfAnotherTrip(previous, timeline)) return previous;
  const reading = readStatus(timeline, nowMs);
  return {
    carrier: statements.carrier,
    identifierType: statements.identifierType,
    equipment,
    status: reading.status,
    eta: etaOf(reading),
    ...shipOf(reading),
    ...placesOf(reading),
    milestones: milestonesOf(reading.steps),
    timeline,
    anchorMs: trip.anchorMs,
    arrivingFromMs: reading.arrivingFromMs,
  };
}

/**
 * Some carriers forget a trip once the box is on its next one: an answer that begins after the end of
 * a shipment says nothing about it.
 */
function isOfAnotherTrip(previous: ShipmentRecord, timeline: Timeline): boolean {
  if (previous.status !== "delivered" && previous.status !== "returned_empty") return false;
  const moves = (events: Timeline): Timeline =>
    events.filter((event) => event.classifier === "actual" && event.kind === "equipment");
  const firstMs = moves(timeline)[0]?.at.ms;
  const endMs = moves(previous.timeline).at(-1)?.at.ms;
  return firstMs !== undefined && endMs !== undefined && firstMs > endMs;
}

/**
 * A bill of lading may cover many boxes. For now one record follows one of them: the one followed
 * before, else the first by its number.
 */
function boxOf(events: readonly CarrierEvent[], followed: string | null): string | null {
  const boxes = [...new Set(events.flatMap((event) => event.equipment ?? []))].toSorted();
  return followed !== null && boxes.includes(followed) ? followed : (boxes[0] ?? followed);
}

function etaOf({ arrival }: Reading): ShipmentRecord["eta"] {
  return arrival === null ? null : { at: arrival.at, actual: arrival.classifier === "actual" };
}

/** Until the box is loaded, the ship that is planned to take it from its origin. */
function shipOf({ voyage, route }: Reading): Pick<ShipmentRecord, "vessel" | "voyage"> {
  if (voyage.where !== "origin" || voyage.loaded) return { vessel: voyage.vessel, voyage: voyage.voyage };
  const call = route.timeline.find((event) => event.mode === "vessel");
  const planned = call !== undefined && isVesselCall(call, "LOAD", "DEPA") ? call : null;
  return { vessel: planned?.vessel ?? null, voyage: planned?.voyage ?? null };
}

function placesOf({
  voyage,
  route,
  arrival,
}: Reading): Pick<ShipmentRecord, "origin" | "discharge" | "destination"> {
  const moves = route.timeline.filter((event) => event.kind !== "shipment" && event.place !== null);
  const landing = voyage.landing ?? plannedLanding(route) ?? (arrival?.mode === "vessel" ? arrival : null);
  const discharge = landing?.mode === "vessel" ? landing.place : null;
  const first = moves.find((event) => event.laden !== false) ?? moves[0];
  return { origin: first?.place ?? null, discharge, destination: route.landDestination ?? discharge };
}

/** Each once in a shipment's life, departures and holds once each time: counted, since times get corrected. */
function milestonesOf(steps: readonly Step[]): readonly Milestone[] {
  const milestones: Milestone[] = [];
  const add = (type: MilestoneType, occasion: string, step: Step): void => {
    const nth = milestones.filter(({ key }) => key.startsWith(`${type}:${occasion}:`)).length + 1;
    const key = `${type}:${occasion}:${nth}`;
    milestones.push({ key, type, from: step.from, to: step.to, at: step.event.at });
  };
  for (const step of steps) {
    if (step.departs) add("vessel_departed", step.event.place?.unlocode ?? "", step);
    if (step.from === step.to) continue;
    if (step.to === "customs_hold") add("customs_hold", "", step);
    if (step.to === "delivered") add("container_delivered", "", step);
    if (step.to === "available" && !milestones.some(({ type }) => type === "container_available")) {
      add("container_available", "", step);
    }
  }
  return milestones;
}
