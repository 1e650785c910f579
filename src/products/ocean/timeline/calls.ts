/** What an event is: a call of the vessel or a move over land; and of which vessel. */
import type { CarrierEvent, Vessel } from "../sources/carrier-event.ts";
import { positionOf } from "./order.ts";
import { isEmptyReturn } from "./trip-start.ts";
import { plainName } from "./vessel-names.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** No vessel that carries the box on stays in port longer; none comes back sooner. */
export const IN_PORT_MS_MAX = 5 * DAY_MS;

/** Departures of a port that are closer may be one sailing, with another number or on a vessel swapped in. */
export const OTHER_SAILING_MS_MIN = DAY_MS;

/** A call of a vessel, or a move of the laden box there, with any of the codes. */
export function isVesselCall(event: CarrierEvent, ...codes: readonly string[]): boolean {
  return event.mode === "vessel" && event.laden !== false && codes.includes(event.code);
}

export function isSailingCall(event: CarrierEvent): boolean {
  return isVesselCall(event, "LOAD", "DEPA");
}

export function isArrivalCall(event: CarrierEvent): boolean {
  return isVesselCall(event, "ARRI", "DISC");
}

/** A move of the laden box by rail, truck or barge, or through a gate by any mode. */
export function isLandMove(event: CarrierEvent): boolean {
  if (event.kind === "shipment" || event.laden === false || isEmptyReturn(event)) return false;
  const onLand = event.mode !== null && event.mode !== "vessel";
  return event.place !== null && (onLand || GATES.has(event.code));
}

const GATES: ReadonlySet<string> = new Set(["GTIN", "GTOT", "PICK", "DROP"]);

/** The vessel that the call names, else that of the box's last sailing before it. */
export function vesselOfCall(call: CarrierEvent, timeline: readonly CarrierEvent[]): Vessel | null {
  if (call.vessel !== null) return call.vessel;
  const before = timeline.slice(0, positionOf(timeline, call));
  return before.findLast((event) => event.classifier === "actual" && isSailingCall(event))?.vessel ?? null;
}

/** Unknown vessels count as the same. */
export function isNotOtherVessel(a: CarrierEvent, b: CarrierEvent): boolean {
  return a.vessel === null || b.vessel === null || isSameVessel(a.vessel, b.vessel);
}

export function isSameVessel(a: Vessel, b: Vessel): boolean {
  if (a.imo !== null && b.imo !== null) return a.imo === b.imo;
  return a.name === b.name || plainName(a.name) === plainName(b.name);
}
