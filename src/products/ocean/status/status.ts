/** The status of spec 2.4 as one pure function of the timeline and the time. */
import type { Static } from "typebox";

import type { ContainerStatus as ContainerStatusSchema } from "../event-data.ts";
import { isArrivalCall } from "../timeline/calls.ts";
import { samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { onSameCoast } from "../timeline/distance.ts";
import { awaitsSailing, plannedFinalArrival, routeOf, type Route } from "../timeline/route.ts";
import { NOTHING_ANNOUNCED, type Announced, type RecordContext } from "../record/shipment-record.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { statusByVesselReport } from "./vessel-report.ts";
import { advance } from "./journey.ts";
import { AT_ORIGIN, isAboard, type Journey } from "./position.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";

export type ContainerStatus = Static<typeof ContainerStatusSchema>;

/** `container_arrived` threshold of spec 8: the estimated arrival is less than 48 hours away. */
const ARRIVING_MS_MAX = 48 * HOUR_MS;

/** What the timeline comes to, with the steps by which it came there. */
export type StatusReading = {
  readonly status: ContainerStatus;
  readonly journey: Journey;
  readonly route: Route;
  /** Every actual event that changed the status or set out on a leg, in the order of time. */
  readonly steps: readonly Step[];
  /** The arrival of the vessel at the destination port, as planned or as it happened. */
  readonly arrival: CarrierEvent | null;
  /**
   * From when on it is less than 48 hours from its destination port, milliseconds since the epoch, wherever
   * its ship lies meanwhile; null when it is not aboard on its last leg, or has arrived.
   */
  readonly arrivingFromMs: number | null;
};

export type Step = {
  readonly from: ContainerStatus;
  readonly to: ContainerStatus;
  readonly event: CarrierEvent;
  /** The event is the departure on a sailing leg (spec 6.3 `vessel_departed`). */
  readonly departs: boolean;
  /** The event only tells that this has happened by then, and not when. */
  readonly implied?: true;
};

/** What is known beside the timeline. */
export type StatusInputs = {
  readonly announced?: Announced;
  readonly vesselReportOf?: RecordContext["vesselReportOf"];
};

export function deriveStatus(timeline: Timeline, nowMs: number, beside: StatusInputs = {}): StatusReading {
  const route = routeOf(timeline, beside.announced ?? NOTHING_ANNOUNCED, nowMs);
  const steps: Step[] = [];
  let voyage = AT_ORIGIN;
  for (const event of timeline) {
    if (event.classifier !== "actual") continue;
    const next = advance(voyage, event, route);
    const from = statusOf(voyage);
    const to = statusOf(next);
    const departs = next.departures.length > voyage.departures.length;
    const [left] = next.unreportedDepartures.slice(voyage.unreportedDepartures.length);
    if (left !== undefined) steps.push(unreportedDeparture(from, event, left));
    const since = left === undefined ? from : "in_transit";
    if (since !== to || departs) steps.push(...stepsTo({ from: since, to, event, departs }));
    voyage = next;
  }
  const arrival = arrivalOf(voyage, route);
  const arrivingFromMs = arrivingFrom(voyage, route, arrival);
  const settled = timeline.length === 0 ? "unknown" : statusOf(voyage);
  const lies = statusByVesselReport(voyage, beside.vesselReportOf, nowMs) ?? settled;
  const status = lies === "in_transit" && isArriving({ arrivingFromMs }, nowMs) ? "arriving" : lies;
  return { status, journey: voyage, route, steps, arrival, arrivingFromMs };
}

/** Where it left from tells which departure it is; `event` only tells that it has been made. */
function unreportedDeparture(from: ContainerStatus, event: CarrierEvent, place: Place): Step {
  return { from, to: "in_transit", event: { ...event, place }, departs: true, implied: true };
}

/** A box that comes back empty was handed over laden before, told or not. */
function stepsTo(step: Step): readonly Step[] {
  if (step.to !== "returned_empty" || step.from === "delivered") return [step];
  return [
    { ...step, to: "delivered", implied: true },
    { ...step, from: "delivered" },
  ];
}

/** Whether the box is less than 48 hours from its destination port (spec 6.3 `container_arrived`). */
export function isArriving(
  { arrivingFromMs }: Pick<StatusReading, "arrivingFromMs">,
  nowMs: number,
): boolean {
  return arrivingFromMs !== null && nowMs > arrivingFromMs;
}

/** The status that events alone give: a bare arrival, which tells no more, is `at_berth`. */
function statusOf(voyage: Journey): ContainerStatus {
  switch (voyage.position) {
    case "origin":
      return voyage.cancelled ? "cancelled" : "pre_departure";
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
      return voyage.hold === null ? voyage.position : "customs_hold";
    case "delivered":
      return "delivered";
    case "returned":
      return "returned_empty";
  }
}

/**
 * Only aboard on the last leg, and for a ship: an inland plan is no arrival at the port. A box that is loaded
 * is aboard, also where nobody tells or plans its departure.
 */
function arrivingFrom(voyage: Journey, route: Route, arrival: CarrierEvent | null): number | null {
  if (!(isAboard(voyage) || voyage.loaded) || arrival === null || arrival.classifier === "actual")
    return null;
  if (!isArrivalCall(arrival) || awaitsSailing(route)) return null;
  return arrival.at.ms - ARRIVING_MS_MAX;
}

/**
 * The ship's arrival at the destination port: once the box is there what happened, before that the
 * plan; and the arrival at the inland destination while the carrier says no more than that.
 */
function arrivalOf(voyage: Journey, route: Route): CarrierEvent | null {
  const { finalDischarge, berth, position } = voyage;
  if (finalDischarge !== null) {
    return berth !== null && samePlace(berth.place, finalDischarge.place) ? berth : finalDischarge;
  }
  const planned = plannedFinalArrival(route);
  const atLastPort =
    planned === null
      ? !awaitsSailing(route) && !isIntermediateCall(berth, route)
      : samePlace(planned.place, berth?.place ?? null);
  if (atLastPort && (position === "berthed" || (position === "anchored" && planned === null))) return berth;
  if (planned !== null || route.inland.kind !== "known") return planned;
  return route.activePlans.findLast((event) => event.mode !== "vessel") ?? null;
}

/** A call on a ship's way to another coast, where it is late and its carrier has not moved the plan yet. */
function isIntermediateCall(berth: CarrierEvent | null, { announced }: Route): boolean {
  const { port } = announced;
  return port !== null && berth !== null && !onSameCoast(port, berth.place);
}
