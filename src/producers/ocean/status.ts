/** The status of spec 2.4 as one pure function of the timeline and the time. */
import type { Static } from "typebox";

import type { ContainerStatus as ContainerStatusSchema } from "../../products/tracking-data.ts";
import type { CarrierEvent } from "./carrier-event.ts";
import { awaitsSailing, isVesselCall, plannedLanding, routeOf, type Route } from "./route.ts";
import type { Timeline } from "./timeline.ts";
import { advance, AT_ORIGIN, type Voyage } from "./voyage.ts";

export type ContainerStatus = Static<typeof ContainerStatusSchema>;

/** `container_arrived` threshold of spec 8: the estimated arrival is less than 48 hours away. */
const ARRIVING_MS_MAX = 48 * 3_600_000;

/** What the timeline comes to, with the steps by which it came there. */
export type Reading = {
  readonly status: ContainerStatus;
  readonly voyage: Voyage;
  readonly route: Route;
  /** Every actual event that changed the status or set out on a leg, in the order of time. */
  readonly steps: readonly Step[];
  /** The arrival of the vessel at the destination port, as planned or as it happened. */
  readonly arrival: CarrierEvent | null;
  /** When time alone makes it `arriving`, milliseconds since the epoch; null when it will not. */
  readonly arrivingFromMs: number | null;
};

export type Step = {
  readonly from: ContainerStatus;
  readonly to: ContainerStatus;
  readonly event: CarrierEvent;
  /** The event is the departure on a sailing leg (spec 6.3 `vessel_departed`). */
  readonly departs: boolean;
};

export function readStatus(timeline: Timeline, nowMs: number): Reading {
  const route = routeOf(timeline);
  const steps: Step[] = [];
  let voyage = AT_ORIGIN;
  for (const event of timeline) {
    if (event.classifier !== "actual") continue;
    const next = advance(voyage, event, route);
    const from = statusOf(voyage);
    const to = statusOf(next);
    const departs = next.departures.length > voyage.departures.length;
    if (from !== to || departs) steps.push({ from, to, event, departs });
    voyage = next;
  }
  const arrival = arrivalOf(voyage, route);
  const arrivingFromMs = arrivingFrom(voyage, route, arrival);
  const arriving = arrivingFromMs !== null && nowMs > arrivingFromMs;
  const settled = timeline.length === 0 ? "unknown" : statusOf(voyage);
  return { status: arriving ? "arriving" : settled, voyage, route, steps, arrival, arrivingFromMs };
}

/**
 * The status that events alone give. `at_anchor` takes port-call or AIS data, which Track & Trace does
 * not carry: a bare arrival is `at_berth`.
 */
function statusOf(voyage: Voyage): ContainerStatus {
  switch (voyage.where) {
    case "origin":
      return voyage.cancelled ? "cancelled" : "pre_departure";
    case "sailing":
    case "on_carriage":
      return "in_transit";
    case "berthed":
      return "at_berth";
    case "transshipment":
      return "at_transshipment";
    case "discharged":
    case "available":
      return voyage.customsHold ? "customs_hold" : voyage.where;
    case "delivered":
      return "delivered";
    case "returned":
      return "returned_empty";
  }
}

/** Only on the last leg, at sea, and for a ship: an inland plan is no arrival at the port. */
function arrivingFrom(voyage: Voyage, route: Route, arrival: CarrierEvent | null): number | null {
  if (voyage.where !== "sailing" || arrival === null || arrival.classifier === "actual") return null;
  if (!isVesselCall(arrival, "ARRI", "DISC") || awaitsSailing(route)) return null;
  return arrival.at.ms - ARRIVING_MS_MAX;
}

/**
 * The ship's arrival at the destination port: once the box is off the ship what happened, before that
 * the plan; and the arrival at the inland destination while the carrier says no more than that.
 */
function arrivalOf(voyage: Voyage, route: Route): CarrierEvent | null {
  if (voyage.landing !== null) {
    const { landing, berth } = voyage;
    return berth?.place?.unlocode === landing.place?.unlocode && berth !== null ? berth : landing;
  }
  const planned = plannedLanding(route);
  if (planned !== null) return planned;
  if (voyage.where === "berthed" && !awaitsSailing(route)) return voyage.berth;
  return (
    route.believed.findLast((event) => event.mode !== "vessel" && route.landDestination !== null) ?? null
  );
}
