/** The status of a box as a function of its timeline and the time (spec 2.4: container_status). */
import type { ContainerStatus } from "../event-data.ts";
import { isArrivalCall, isVesselCall } from "../timeline/calls.ts";
import { isKnownToDiffer, samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { inSameHarbour, onSameCoast } from "../timeline/distance.ts";
import {
  awaitsSailing,
  isPlan,
  NOTHING_ANNOUNCED,
  plannedFinalArrival,
  routeOf,
  type Announced,
  type Route,
} from "../timeline/route.ts";
import type { FindVesselReport } from "../sources/ais/ais-answer.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { statusByVesselReport } from "./vessel-report.ts";
import { advance } from "./journey.ts";
import { AT_ORIGIN, isAboard, type Journey } from "./position.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";

/** (spec 8: container_arrived; 6.2: container_arrived; 6.3: container_arrived) */
const ARRIVING_MS_MAX = 48 * HOUR_MS;

export type StatusReading = {
  readonly status: ContainerStatus;
  readonly journey: Journey;
  readonly route: Route;
  /** The actual events that changed the status or began a leg, in order of time. */
  readonly steps: readonly Step[];
  /** The vessel's planned or actual arrival at the destination port. */
  readonly arrival: CarrierEvent | null;
  /**
   * From when the box is less than 48 hours from its destination port, even at anchor or at berth; milliseconds
   * since the epoch. Null if the box is not aboard on its last leg, or has arrived.
   */
  readonly arrivingFromMs: number | null;
};

export type Step = {
  readonly from: ContainerStatus;
  readonly to: ContainerStatus;
  readonly event: CarrierEvent;
  /** Where the box is then. */
  readonly place: Place | null;
  /** The customs hold that the box is under then. */
  readonly hold: CarrierEvent | null;
  /** The event is the departure on a sailing leg (spec 6.3: vessel_departed). */
  readonly departs: boolean;
  /** The event implies the step: it happened by then. */
  readonly implied?: true;
};

export type StatusInputs = {
  readonly announced?: Announced;
  readonly vesselReportOf?: FindVesselReport;
};

export function deriveStatus(timeline: Timeline, nowMs: number, inputs: StatusInputs = {}): StatusReading {
  const route = routeOf(timeline, inputs.announced ?? NOTHING_ANNOUNCED, nowMs);
  const steps: Step[] = [];
  let journey = AT_ORIGIN;
  for (const event of timeline) {
    if (event.classifier !== "actual") continue;
    const next = advance(journey, event, route);
    const from = statusOf(journey);
    const to = statusOf(next);
    const departs = next.departures.length > journey.departures.length;
    const [left] = next.unreportedDepartures.slice(journey.unreportedDepartures.length);
    if (left !== undefined) steps.push(unreportedDeparture(from, event, left));
    const since = left === undefined ? from : "in_transit";
    // A report without a place leaves the box where it was.
    const { hold, place } = next.place === null ? { ...next, place: journey.place } : next;
    if (since !== to || departs) steps.push(...stepsTo({ from: since, to, event, place, hold, departs }));
    journey = next;
  }
  const arrival = arrivalOf(journey, route);
  const arrivingFromMs = arrivingFrom(journey, route, arrival);
  const settled = timeline.length === 0 ? "unknown" : statusOf(journey);
  const reported = statusByVesselReport(journey, inputs.vesselReportOf, nowMs) ?? settled;
  // A loaded box is at sea, though its departure is neither reported nor planned.
  const isAtSea = reported === "in_transit" || journey.loaded;
  const status = isAtSea && isArriving({ arrivingFromMs }, nowMs) ? "arriving" : reported;
  return { status, journey, route, steps, arrival, arrivingFromMs };
}

/** `event` implies the departure from `place`. */
function unreportedDeparture(from: ContainerStatus, event: CarrierEvent, place: Place): Step {
  return {
    from,
    to: "in_transit",
    event: { ...event, place },
    place,
    hold: null,
    departs: true,
    implied: true,
  };
}

/** A box that comes back empty was delivered before, reported or not. */
function stepsTo(step: Step): readonly Step[] {
  if (step.to !== "returned_empty" || step.from === "delivered") return [step];
  return [
    { ...step, to: "delivered", implied: true },
    { ...step, from: "delivered" },
  ];
}

export function isArriving(
  { arrivingFromMs }: Pick<StatusReading, "arrivingFromMs">,
  nowMs: number,
): boolean {
  return arrivingFromMs !== null && nowMs > arrivingFromMs;
}

/** The status from events alone. */
function statusOf(journey: Journey): ContainerStatus {
  switch (journey.position) {
    case "origin":
      return journey.cancelled ? "cancelled" : "pre_departure";
    case "sailing":
    case "on_carriage":
      return "in_transit";
    case "anchored":
      return "at_anchor";
    case "berthed":
      return "at_berth";
    case "transshipment":
      return "at_transshipment";
    case "discharged":
    case "available":
      return journey.hold === null ? journey.position : "customs_hold";
    case "delivered":
      return "delivered";
    case "returned":
      return "returned_empty";
  }
}

/** Only aboard a vessel on the last leg. A loaded box is aboard even if no departure is reported or planned. */
function arrivingFrom(journey: Journey, route: Route, arrival: CarrierEvent | null): number | null {
  const hasLeft = journey.loaded && !journey.cancelled && !isToDepart(journey, route);
  if (!(isAboard(journey) || hasLeft) || arrival === null || arrival.classifier === "actual") return null;
  if (!isArrivalCall(arrival) || awaitsSailing(route)) return null;
  return arrival.at.ms - ARRIVING_MS_MAX;
}

/** By a plan that the carrier still states, overdue or not. */
function isToDepart({ place }: Journey, { timeline }: Route): boolean {
  return timeline.some(
    (event) => isPlan(event) && isVesselCall(event, "DEPA") && samePlace(event.place, place),
  );
}

/**
 * The vessel's arrival at the destination port, actual or planned; the arrival at the inland destination if
 * the carrier states nothing else.
 */
function arrivalOf(journey: Journey, route: Route): CarrierEvent | null {
  const { finalDischarge, berth, position } = journey;
  if (finalDischarge !== null) {
    return berth !== null && mayBeOnePort(berth.place, finalDischarge.place) ? berth : finalDischarge;
  }
  const planned = plannedFinalArrival(route);
  const atLastPort =
    planned === null
      ? !awaitsSailing(route) && !isIntermediateCall(berth, route)
      : berth !== null && mayBeOnePort(planned.place, berth.place);
  if (atLastPort && (position === "berthed" || (position === "anchored" && planned === null))) return berth;
  if (planned !== null || route.inland.kind !== "known") return planned;
  return route.activePlans.findLast((event) => event.mode !== "vessel") ?? null;
}

/** A port is planned under one code and reported under its terminal's, its name, or a facility. */
function mayBeOnePort(a: Place | null, b: Place | null): boolean {
  return !isKnownToDiffer(a, b) || inSameHarbour(a, b);
}

/** The vessel is late for another coast, and the carrier has not moved the plan yet. */
function isIntermediateCall(berth: CarrierEvent | null, { announced }: Route): boolean {
  const { port } = announced;
  return port !== null && berth !== null && !onSameCoast(port, berth.place);
}
